import type { FilterQuery } from '@mikro-orm/core';
import { hourMs } from '#core/time/time';
import { addJob } from '#platform/outbox/outbox';
import type { JobContext } from '../job-context.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { holdMarginMs, type TransferJob } from '../transfers/transfer.repository.ts';
import { endedUnpaid } from './sync-payment.ts';

/** Most transfers one sweep takes up per rule; the oldest first, the rest next time. */
const most = 500;

interface Rule {
  readonly job: TransferJob;
  readonly lost: (now: Date) => FilterQuery<Transfer>;
}

/** A transfer in such a place is waiting for us: if it stands still, its job got lost. */
const rules: readonly Rule[] = [
  {
    job: 'sync-payment',
    lost: (now) => ({ state: 'awaiting_payment', paymentIntentId: { $ne: null }, quoteExpiresAt: { $gt: now } }),
  },
  { job: 'expire-payment', lost: (now) => ({ state: 'awaiting_payment', quoteExpiresAt: { $lte: now } }) },
  {
    job: 'expire-hold',
    lost: (now) => ({ state: 'in_review', captureBefore: { $lte: new Date(now.getTime() + holdMarginMs) } }),
  },
  { job: 'capture-payment', lost: () => ({ state: 'approved', cancelRequestedAt: null }) },
  { job: 'pay-out', lost: () => ({ state: 'captured', cancelRequestedAt: null }) },
  {
    job: 'cancel-transfer',
    lost: () => ({ state: { $in: ['approved', 'captured'] }, cancelRequestedAt: { $ne: null } }),
  },
  { job: 'refund-payment', lost: () => ({ state: 'refunding' }) },
  {
    job: 'release-hold',
    lost: () => ({ state: { $in: [...endedUnpaid] }, paymentIntentId: { $ne: null }, holdReleasedAt: null }),
  },
];

/**
 * Asks again for the next step of every transfer that stands still. Lower bound: one sweep interval since its last change,
 * so that the normal path is not raced. Upper bound: what is older than an hour is asked for once an hour only, and a job
 * that failed for good stays in the queue dashboard for a person.
 */
export async function sweepTransfers(context: JobContext): Promise<void> {
  const now = context.now();
  const quietSince = new Date(now.getTime() - context.sweepEveryMs);
  for (const { job, lost } of rules) {
    await context.database.transaction(async (em) => {
      const transfers = await em.find(
        Transfer,
        { $and: [lost(now), { changedAt: { $lte: quietSince } }] },
        { orderBy: { changedAt: 'asc' }, limit: most, fields: ['id', 'changedAt'] },
      );
      for (const transfer of transfers) {
        const old = now.getTime() - transfer.changedAt.getTime() > hourMs;
        const period = Math.floor(now.getTime() / (old ? hourMs : context.sweepEveryMs));
        addJob(
          em,
          job,
          { transferId: transfer.id },
          { key: `${job}-${transfer.id}-swept-${old ? 'h' : 's'}${period}` },
        );
      }
      if (transfers.length > 0) context.log.info({ job, count: transfers.length }, 'the sweep asked again');
    });
  }
}
