import { z } from 'zod';
import { finalStates, type TransferState, transferStateNames } from '../../transfers/states.ts';
import { type QueueName, queueNames } from '../jobs.ts';
import { adminRoutes } from './admin-routes.ts';
import { endpoint } from './endpoint.ts';
import { currency, timestamp } from './values.ts';

const since = timestamp.nullable();
/** In minor units; more than a JSON number can hold. */
const minor = z.string().regex(/^-?\d+$/);

/** States in which something is still to happen. */
const openStates = transferStateNames.filter((state) => !finalStates.includes(state)) as [
  TransferState,
  ...TransferState[],
];

/** What waits to be carried out: rows that say themselves when they are due. */
export const dueKinds = [
  'outbox',
  'stripe_operations',
  'bank_operations',
  'stripe_events',
  'emails',
  'notifications',
  'partner_events',
] as const;

/** What tells an operator whether money moves as it should; the gauges of monitoring are the same figures. */
export const operatingFigures = z.object({
  at: timestamp,
  /** `rows`: 10,000 are that many or more. `since`: when the oldest of them became due. */
  due: z.array(z.object({ kind: z.enum(dueKinds), rows: z.int(), since })),
  /** Providers that did not answer so often that nothing is sent for a while. */
  pausedProviders: z.array(z.string()),
  /** Card authorizations awaiting a decision; `next`: when the first of them expires. */
  holds: z.object({ waiting: z.int(), withinDay: z.int(), next: since }),
  /** Open transfers per state: the last change of the one unchanged for longest, or null without any. */
  oldestTransfers: z.array(z.object({ state: z.enum(openStates), since })),
  pausedQueues: z.array(z.enum(queueNames as [QueueName, ...QueueName[]])),
  rates: z.array(z.object({ currency, updatedAt: timestamp, paused: z.boolean() })),
  /** Open exceptions by source; `since`: the oldest one's. */
  reconciliation: z.object({ stripe: z.int(), bank: z.int(), since, comparedAt: since }),
  cases: z.object({ open: z.int(), since }),
  /** Payouts of completed transfers that the bank returned and families are still owed; `since`: the oldest one's. */
  owedToFamilies: z.object({ transfers: z.int(), minor, since }),
  overdueComplaints: z.int(),
  /**
   * Our liabilities for transfers under way and for completed ones partly returned by the bank, by the ledger and by
   * their states; the two must be equal.
   */
  ledger: z.array(
    z.object({
      account: z.enum(['payout_due', 'refund_due']),
      currency: z.enum(['BOB', 'USD', 'EUR']),
      booksMinor: minor,
      expectedMinor: minor,
    }),
  ),
});

export type OperatingFigures = z.infer<typeof operatingFigures>;

export const monitoringEndpoints = {
  operatingFigures: endpoint({
    ...adminRoutes.operatingFigures,
    summary: 'Qué está por hacer, retenido, debido y abierto en este momento',
    access: 'admin',
    response: operatingFigures,
  }),
};
