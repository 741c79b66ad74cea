import { dayMs, hourMs, minuteMs, secondMs } from '../time/time.ts';

/** Effects on the outside world. Each is written as a row before the call is made. */
export const operationKinds = {
  authorization: 'Hold the amount on the card. The sender confirms it in the browser; nothing here attempts it.',
  capture: 'Charge the amount that the card holds.',
  void: 'Free the card of a payment that is not to be charged.',
  refund: 'Return charged money to the sender.',
  payout: 'Tell the bank to pay the family.',
  dispute_response: 'Hand in the evidence against a chargeback.',
} as const;

export type OperationKind = keyof typeof operationKinds;
export const operationKindNames = Object.keys(operationKinds) as [OperationKind, ...OperationKind[]];

/** The statuses of an operation. */
export const operationStatuses = {
  pending: 'Not attempted yet, or attempted with the certain answer that nothing happened.',
  in_flight: 'A worker is at it, or the provider accepted it and has not finished it.',
  unknown: 'The last attempt had no certain answer; it is repeated with the same key.',
  succeeded: 'The provider did it.',
  failed: 'The provider confirmed that nothing happened, or undid it later.',
  abandoned: 'It is not attempted any more: the attempts are used up, or it is no longer wanted.',
} as const;

export type OperationStatus = keyof typeof operationStatuses;
export const operationStatusNames = Object.keys(operationStatuses) as [OperationStatus, ...OperationStatus[]];

/**
 * The answer awaited from a provider that has, or may have, an operation. Until it comes, the provider is polled and
 * the operation is not sent again.
 */
export const awaitedAnswers = {
  result: 'The provider accepted it and tells later how it ended.',
  confirmation: 'Once the completion window of the provider has passed, it confirms whether anything happened.',
} as const;

export type AwaitedAnswer = keyof typeof awaitedAnswers;
export const awaitedAnswerNames = Object.keys(awaitedAnswers) as [AwaitedAnswer, ...AwaitedAnswer[]];

/** Statuses in which an operation may still be attempted or answered. */
export const openStatuses: readonly OperationStatus[] = ['pending', 'in_flight', 'unknown'];

/** Whether it is certain that an operation had no effect: its provider confirmed so, or it was never sent. */
export function isCertainlyUndone({
  status,
  sent,
}: {
  readonly status: OperationStatus;
  /** Whether it was sent to its provider. */
  readonly sent: boolean;
}): boolean {
  return status === 'failed' || (status !== 'succeeded' && !sent);
}

/** Whether an operation has moved money, will, or may have. */
export function mayMoveMoney(operation: { readonly status: OperationStatus; readonly sent: boolean }): boolean {
  return openStatuses.includes(operation.status) || !isCertainlyUndone(operation);
}

/** Who performs an operation; `manual` is a person who paid by other means and left a proof. */
export type Provider = 'stripe' | 'bank' | 'manual';

/** The provider that performs operations of a kind. */
export const providerOf: Readonly<Record<OperationKind, Exclude<Provider, 'manual'>>> = {
  authorization: 'stripe',
  capture: 'stripe',
  void: 'stripe',
  refund: 'stripe',
  payout: 'bank',
  dispute_response: 'stripe',
};

/** Attempts after which an operation is abandoned and a person has to decide: about nine hours after the first. */
export const maxAttempts = 20;

/** Attempts after which a case is opened for a slow operation: about a quarter of an hour after the first. */
export const slowAttempts = 10;

/** Polling interval for an accepted operation if the provider sends no event, in ms. */
export const pollMs = hourMs;

/** Polling interval for the result of an operation that its provider accepted this long ago, in ms: from 5 s to an hour. */
export function resultPollMs(sinceSentMs: number): number {
  return Math.min(pollMs, Math.max(5 * secondMs, Math.round(sinceSentMs / 2)));
}

/** How long an accepted operation may stay without a result before a case is opened, in ms: bank transfers end within a working day. */
export const slowResultMs = dayMs;

/** Delay before retrying an operation that its provider refused for a temporary reason, in ms. */
export const laterMs = hourMs;

/** Refusals after which a case is opened. */
export const slowRefusals = 4;

/** Attempts after which a case is opened for a capture whose authorization expires within `urgentMs`. */
export const urgentAttempts = 4;
export const urgentMs = dayMs;

/** Pause after the n-th attempt without success (n from 1), in ms: doubling from a second, at most an hour. */
export function retryDelayMs(attempts: number): number {
  return Math.min(hourMs, secondMs * 2 ** Math.max(0, attempts - 1));
}

/**
 * The key under which a provider knows an operation: the same for every attempt of one sequence, so that a repetition is not a
 * second effect. A sequence is raised only after a certain answer.
 */
export function idempotencyKeyOf(operation: { kind: OperationKind; transferId: string; sequence: number }): string {
  return `${operation.kind}:${operation.transferId}:${operation.sequence}`;
}

/** Consecutive failures of a provider after which nothing is sent to it for a while. */
export const circuitFailures = 8;

/** Back-off for a provider after `failures` consecutive failures, in ms: doubling from 15 s up to 10 min. */
export function circuitPauseMs(failures: number): number {
  return failures < circuitFailures ? 0 : Math.min(10 * minuteMs, 15 * secondMs * 2 ** (failures - circuitFailures));
}
