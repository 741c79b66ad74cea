import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import {
  awaitedAnswerNames,
  operationKindNames,
  operationStatusNames,
  type Provider,
} from '#core/operations/operation';
import type { PayoutTarget } from '../personal-data/payout-target.ts';

/** An effect on the outside world. Only `operation.repository.ts` changes it. */
export const Operation = defineEntity({
  name: 'Operation',
  tableName: 'operation',
  properties: {
    id: p.uuid().primary(),
    transferId: p.uuid(),
    kind: p.enum(operationKindNames),
    /** Number among the operations of a kind for a transfer, from 1. */
    sequence: p.integer(),
    /** Lets the provider recognize retries. */
    idempotencyKey: p.text().unique(),
    /** Who performs it; `manual`: a person, by other means. */
    provider: p.text().$type<Provider>(),
    status: p.enum(operationStatusNames),
    attempts: p.integer(),
    /** When it is due next; null while no job of ours advances it. */
    nextAttemptAt: p.datetime().nullable(),
    /**
     * When it was last sent to its provider; null: never, or the provider confirmed not to have received it, so that it
     * certainly had no effect.
     */
    sentAt: p.datetime().nullable(),
    /** The answer awaited from its provider; null: none, so that it is sent when it is due. */
    awaiting: p.enum(awaitedAnswerNames).nullable(),
    /** Number of jobs added for it; only the last one attempts it. */
    dispatch: p.integer().default(1),
    /** When the running attempt started; null: none is running. */
    attemptStartedAt: p.datetime().nullable(),
    /** The error of the last attempt, for admins. */
    lastError: p.text().nullable(),
    /** The provider's id or reference. */
    providerReference: p.text().nullable(),
    /** In minor units of `currency`. */
    amountMinor: p.bigint(),
    currency: p.text(),
    /** The amount that the bank returned later, in minor units. */
    returnedMinor: p.bigint(),
    /** For a second payout, the report that it corrects. The database requires a decision by two people. */
    complaintId: p.uuid().nullable(),
    /** The admin's request to pay or refund what the bank returned; null for any other operation. */
    restRequestId: p.uuid().nullable(),
    /** Bolivianos whose share of the charge a refund returns, in centavos; null for any other operation. */
    restMinor: p.bigint().nullable(),
    /** The payee of a payout ordered by a report or about the rest; null for any other operation. */
    payoutTarget: p.json<PayoutTarget>().nullable(),
    /** The trace that caused it (W3C Trace Context); null if untraced. */
    traceparent: p.text().nullable(),
    createdAt: p.datetime(),
    /** The request that caused it. */
    requestId: p.text().nullable(),
    changedAt: p.datetime(),
  },
});
export type Operation = InferEntity<typeof Operation>;

/** The state of the circuit breaker of a provider, shared by all workers. */
export const ProviderCircuit = defineEntity({
  name: 'ProviderCircuit',
  tableName: 'provider_circuit',
  properties: {
    provider: p.text().primary(),
    /** Consecutive attempts without a certain answer. */
    failures: p.integer(),
    /** Nothing is sent before this time. */
    openUntil: p.datetime().nullable(),
  },
});
export type ProviderCircuit = InferEntity<typeof ProviderCircuit>;
