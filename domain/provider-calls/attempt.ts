import type { CaseReason } from '#core/operations/desk-case';
import type { AwaitedAnswer } from '#core/operations/operation';

/**
 * The result of an attempt at an operation. An attempt that throws had no certain answer: it is retried with the same
 * key. `settled`: the provider's answer is recorded and ended the operation. `waiting`: the provider accepted it and
 * has not finished, or it may not be attempted yet for the given reason; polled again after `againInMs` (usually
 * `pollMs`). `awaiting`: it is only polled from now on. `undone`: the provider confirmed that an earlier request had no
 * effect. `refused`: the provider confirmed that nothing happened and a retry is pointless, or we do not send it (then
 * `reason` is that of the case). `again`: the provider confirmed that nothing happened, and it is retried under a new
 * key, with another amount (minor units) if given; `later`: once the provider's obstacle may have ended, however often
 * that takes; `providerFailed`: the provider reported its own failure. `unneeded`: the transfer ended another way.
 * `contradiction`: the provider's answer is impossible.
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

/** Whether an attempt shows that its provider works; null when the provider was not called or did not answer. */
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
