import { findAdmins } from '../accounts/account.repository.ts';
import { insertReminder, putOffReminder, reminderOf, takeToRemind } from '../complaints/complaint.repository.ts';
import { remindAdmins } from '../complaints/letters.ts';
import { sweepCorrections } from '../corrections/correct.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { findTransfer } from '../transfers/transfer.repository.ts';

/** Maximum reports per sweep, earliest first. */
const most = 100;

/**
 * Closes reports whose correction is complete, and notifies admins of deadlines that are near or missed, once each.
 * Idempotent.
 */
export async function sweepComplaints(context: JobContext): Promise<void> {
  await sweepCorrections(context);
  await remindOfDeadlines(context);
}

async function remindOfDeadlines(context: JobContext): Promise<void> {
  const at = context.now();
  await context.database.transaction(async (em) => {
    const due = await takeToRemind(em, { at, limit: most });
    if (due.length === 0) return;
    const told = (await findAdmins(em)).map(({ id }) => id);
    for (const complaint of due) {
      const { clock, stage, nextAt } = await reminderOf(em, complaint, at);
      const transfer = clock && stage && (await findTransfer(em, complaint.transferId));
      if (!transfer) {
        await putOffReminder(em, complaint.id, nextAt);
        continue;
      }
      await remindAdmins(em, { complaint, transfer, at }, { clock, stage });
      const reminder = { complaintId: complaint.id, clock: clock.name, dueAt: clock.dueAt, stage, at, told };
      await insertReminder(em, reminder, nextAt);
    }
  });
}
