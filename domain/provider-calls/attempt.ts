import type { CaseReason } from '#core/operations/desk-case';
import type { AwaitedAnswer } from '#core/operations/operation';

/**
 * What an attempt at an operation came to. An attempt that throws had no certain answer: it is repeated with the same key.
 * `settled`: what the provider said is written down, and that ended the operation. `waiting`: the provider accepted
 * it and has not finished, or it may not be attempted yet for the reason given; polled again after `againInMs` (usually `pollMs`). `awaiting`: it
 * is only polled from now on. `undone`: the provider confirmed that what was sent before had no effect. `refused`: the provider confirmed
 * that nothing happened and repeating the request is of no use, or we do not send it (then `reason` is that of the case). `again`: the provider
 * confirmed that nothing happened, and it is attempted under a new key, with another amount (minor units) where one is given; `later`: when what
 * keeps the provider from it may have ended, however often that takes; `providerFailed`: it said that it failed itself. `unneeded`: the transfer
 * has gone another way. `contradiction`: the provider answered something that cannot be.
 */
export type Attempt =
  | { readonly result: 'settled' | 'unneeded' }
  | {
      readonly result: 'waiting';
      readonly error?: string;
      readonly againInMs?: number;
      readonly awaiting?: AwaitedAnswer;
      readonly undone?: true;
    }
  | {
      readonly result: 'again';
      readonly error: string;
      readonly amountMinor?: bigint;
      readonly later?: true;
      readonly providerFailed?: true;
    }
  | { readonly result: 'refused'; readonly error: string; readonly reason?: CaseReason }
  | { readonly result: 'contradiction'; readonly error: string };

/** Whether an attempt shows that its provider is well; null when the provider was not called or did not answer. */
export function answerShown(attempt: Attempt): boolean | null {
  switch (attempt.result) {
    case 'unneeded':
      return null;
    case 'waiting':
      return attempt.error === undefined || attempt.awaiting === 'result' ? true : null;
    case 'refused':
      return attempt.reason === undefined ? true : null;
    case 'again':
      return !attempt.providerFailed;
    default:
      return true;
  }
}
