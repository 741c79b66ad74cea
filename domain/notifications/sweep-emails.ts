import { hourMs } from '#core/time/time';
import { addJob } from '#platform/outbox/outbox';
import type { JobContext } from '../job-context.ts';
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
      const key = `send-mail-${id}-swept-${roundOf({ createdAt, now, sweepEveryMs: context.sweepEveryMs })}`;
      addJob(em, 'send-mail', { mailId: id }, { key });
    }
  });
}

/**
 * A name of the time in which an e-mail is asked for once. Each round of the first hour is as long as all before it: behind a slow mail
 * server, sweeps would add jobs for the same e-mails faster than a worker ends them.
 */
function roundOf({ createdAt, now, sweepEveryMs }: { createdAt: Date; now: Date; sweepEveryMs: number }): string {
  const age = now.getTime() - createdAt.getTime();
  if (age > hourMs) return `h${Math.floor(now.getTime() / hourMs)}`;
  return `s${Math.floor(Math.log2(age / sweepEveryMs))}`;
}
