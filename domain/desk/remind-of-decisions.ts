import { formatMinor } from '#core/money/money';
import { hourMs, minuteMs } from '#core/time/time';
import { addEmailToAdmins, keysNewToAdmins, lastWritten } from '../emails/email.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { findHoldsEnding, type Transfer } from '../transfers/transfer.repository.ts';
import { countUndecided } from '../transfers/transfer-figures.repository.ts';

/** Minimum time between two e-mails about new transfers, in ms. */
const pauseMs = 15 * minuteMs;
/** Hours before the end of an authorization at which admins are e-mailed, descending. */
const holdHours = [48, 24] as const;
/** Maximum authorizations per sweep, earliest end first. */
const most = 200;

/** E-mails admins about paid transfers awaiting a decision, and authorizations about to end. Idempotent. */
export async function remindOfDecisions(context: JobContext): Promise<void> {
  const at = context.now();
  await context.database.transaction(async (em) => {
    const last = await lastWritten(em, 'transfers_waiting');
    if (last && at.getTime() - last.getTime() < pauseMs) return;
    const { arrived, waiting, oldestSince } = await countUndecided(em, { since: last });
    if (arrived === 0 || !oldestSince) return;
    const data = { arrived, waiting, oldestSince: oldestSince.toISOString() };
    const key = `transfers_waiting-${last?.getTime() ?? 0}`;
    await addEmailToAdmins(em, { kind: 'transfers_waiting', key, data, at });
    await em.flush();
  });
  await context.database.transaction(async (em) => {
    const before = new Date(at.getTime() + holdHours[0] * hourMs);
    const holds = (await findHoldsEnding(em, { before, limit: most })).flatMap((transfer) => holdOf(transfer, at));
    const keys = await keysNewToAdmins(
      em,
      holds.map(({ key }) => key),
    );
    for (const { key, data } of holds) {
      if (keys.has(key)) await addEmailToAdmins(em, { kind: 'hold_ending', key, data, at });
    }
    await em.flush();
  });
}

function holdOf({ id, amountMinor, currency, captureBefore }: Transfer, at: Date) {
  if (!captureBefore) return [];
  const left = captureBefore.getTime() - at.getTime();
  const hours = holdHours.findLast((one) => left <= one * hourMs) ?? holdHours[0];
  const data = { amount: formatMinor(amountMinor), currency, transferId: id, hours };
  return [{ key: `hold_ending-${id}-${hours}`, data: { ...data, captureBefore: captureBefore.toISOString() } }];
}
