import type { EntityManager } from '#platform/database/database';
import { findAdmins } from '../accounts/account.repository.ts';
import {
  findToRemind,
  insertReminder,
  lockToRemind,
  putOffReminder,
  reminderOf,
} from '../complaints/complaint.repository.ts';
import { remindAdmins } from '../complaints/letters.ts';
import { sweepCorrections } from '../corrections/correct.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { sweepEach } from '../jobs/sweep-each.ts';
import { findTransfer } from '../transfers/transfer.repository.ts';

/** Maximum reports per sweep, earliest first. */
const most = 100;

/**
 * Closes reports whose correction is complete, and notifies admins of deadlines that are near or missed, once each.
 * Idempotent.
 */
export async function sweepComplaints(context: JobContext): Promise<void> {
  try {
    await sweepCorrections(context);
  } finally {
    await remindOfDeadlines(context);
  }
}

async function remindOfDeadlines(context: JobContext): Promise<void> {
  const { database } = context;
  const at = context.now();
  const due = await findToRemind(database.fork(), { at, limit: most });
  if (due.length === 0) return;
  const told = (await findAdmins(database.fork())).map(({ id }) => id);
  await sweepEach(context, 'deadline of a report', due, ({ id }) =>
    database.transaction((em) => remindOfDeadline(em, id, { at, told })),
  );
}

async function remindOfDeadline(em: EntityManager, id: string, { at, told }: { at: Date; told: string[] }) {
  const complaint = await lockToRemind(em, id, at);
  if (!complaint) return;
  const { clock, stage, nextAt } = await reminderOf(em, complaint, at);
  const transfer = clock && stage && (await findTransfer(em, complaint.transferId));
  if (!transfer) return putOffReminder(em, complaint.id, nextAt);
  await remindAdmins(em, { complaint, transfer, at }, { clock, stage });
  const reminder = { complaintId: complaint.id, clock: clock.name, dueAt: clock.dueAt, stage, at, told };
  await insertReminder(em, reminder, nextAt);
}
