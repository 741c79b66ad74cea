import { unsentMails } from '#platform/database/mails';
import { addJob } from '#platform/database/outbox';
import type { Engine } from '../engine.ts';

/** Most e-mails one sweep takes up. */
const most = 500;
const hourMs = 3_600_000;

/** Asks again for e-mails that were not sent: at every sweep while they are young, then once an hour, for two days. */
export async function sweepMails(engine: Engine): Promise<void> {
  if (!engine.mailer) return;
  const now = engine.now();
  const before = new Date(now.getTime() - engine.sweepEveryMs);
  await engine.database.transaction(async (em) => {
    for (const { id, createdAt } of await unsentMails(em, { now, before, limit: most })) {
      const old = now.getTime() - createdAt.getTime() > hourMs;
      const period = Math.floor(now.getTime() / (old ? hourMs : engine.sweepEveryMs));
      addJob(em, 'send-mail', { mailId: id }, { key: `send-mail-${id}-swept-${old ? 'h' : 's'}${period}` });
    }
  });
}
