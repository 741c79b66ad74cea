import { addJob } from '#platform/outbox/outbox';
import type { JobContext } from '../job-context.ts';
import { sweepRound } from '../sweep-round.ts';
import { findUnsentEmails } from './email.repository.ts';

/** Most e-mails one sweep takes up. */
const most = 500;

/** Asks again for e-mails that were not sent: ever more rarely while they are young, then once an hour, for two days. */
export async function sweepEmails(context: JobContext): Promise<void> {
  if (!context.mailer) return;
  const now = context.now();
  const before = new Date(now.getTime() - context.sweepEveryMs);
  await context.database.transaction(async (em) => {
    for (const { id, createdAt } of await findUnsentEmails(em, { now, before, limit: most })) {
      const key = `send-mail-${id}-swept-${sweepRound({ since: createdAt, now, sweepEveryMs: context.sweepEveryMs })}`;
      addJob(em, 'send-mail', { mailId: id }, { key });
    }
  });
}
