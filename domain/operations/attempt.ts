import type { CaseReason } from '#core/operations/desk-case';

/**
 * What an attempt at an operation came to. An attempt that throws had no certain answer: it is repeated with the same key.
 * `done`: what the provider said is written down, and that ended the operation. `settled`: it is written down. `waiting`: the provider accepted it and has not finished, or it may not
 * be attempted yet for the reason given; asked again after `againInMs` (usually `pollMs`). `refused`: the
 * provider calls the request wrong, or we do not send it (then `reason` is that of the case); nothing happened. `again`: it certainly did not happen, and is
 * to be attempted under a new key, with another amount (minor units) where one is given. `unneeded`:
 * the transfer has gone another way. `contradiction`: the provider answered something that cannot be.
 */
export type Attempt =
  | { readonly result: 'done' }
  | { readonly result: 'settled' | 'unneeded' }
  | { readonly result: 'waiting'; readonly error?: string; readonly againInMs?: number }
  | { readonly result: 'again'; readonly error: string; readonly amountMinor?: bigint }
  | { readonly result: 'refused'; readonly error: string; readonly reason?: CaseReason }
  | { readonly result: 'contradiction'; readonly error: string };
