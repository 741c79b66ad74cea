import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import {
  awaitedAnswerNames,
  operationKindNames,
  operationStatusNames,
  type Provider,
} from '#core/operations/operation';
import type { PayoutTarget } from '../personal-data/payout-target.ts';

/** One effect on the outside world. Only `operation.repository.ts` changes it. */
export const Operation = defineEntity({
  name: 'Operation',
  tableName: 'operation',
  properties: {
    id: p.uuid().primary(),
    transferId: p.uuid(),
    kind: p.enum(operationKindNames),
    /** Counts the operations of a kind for a transfer, from 1. */
    sequence: p.integer(),
    /** What the provider tells repetitions from new effects by. */
    idempotencyKey: p.text().unique(),
    /** Who performs it; `manual`: a person, by other means. */
    provider: p.text().$type<Provider>(),
    status: p.enum(operationStatusNames),
    attempts: p.integer(),
    /** When it is due next; null while nothing of ours moves it on. */
    nextAttemptAt: p.datetime().nullable(),
    /** When it was last sent to its provider; null: never, or the provider confirmed that it has not got it, so that it certainly had no effect. */
    sentAt: p.datetime().nullable(),
    /** What is awaited of its provider; null: nothing, so that it is sent when it is due. */
    awaiting: p.enum(awaitedAnswerNames).nullable(),
    /** Counts the jobs that were added for it; only the last one attempts it. */
    dispatch: p.integer().default(1),
    /** When the attempt began that is under way; null: none is. */
    attemptStartedAt: p.datetime().nullable(),
    /** Why the last attempt did not succeed, for admins. */
    lastError: p.text().nullable(),
    /** The provider's own id or number for it. */
    providerReference: p.text().nullable(),
    /** In minor units of `currency`. */
    amountMinor: p.bigint(),
    currency: p.text(),
    /** What of it the bank paid back later, in minor units. */
    returnedMinor: p.bigint(),
    /** Of a second payout, to a family that was paid: the report that it corrects. The database refuses what two persons did not decide on. */
    complaintId: p.uuid().nullable(),
    /** The request of an admin that it carries out, where it pays or refunds what the bank returned; null for any other. */
    restRequestId: p.uuid().nullable(),
    /** Bolivianos whose share of the charge a refund returns, in centavos; null for any other operation. */
    restMinor: p.bigint().nullable(),
    /** Whom a payout pays that is ordered by a report or about the rest; null for every other operation. */
    payoutTarget: p.json<PayoutTarget>().nullable(),
    /** The trace that led to it (W3C Trace Context); null where nothing was traced. */
    traceparent: p.text().nullable(),
    createdAt: p.datetime(),
    /** Of the request that led to it. */
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
    /** Nothing is sent until then. */
    openUntil: p.datetime().nullable(),
  },
});
export type ProviderCircuit = InferEntity<typeof ProviderCircuit>;
