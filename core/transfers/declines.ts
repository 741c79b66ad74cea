import { dayMs, hourMs } from '../time/time.ts';
import { declinedMax, type OwnReason } from './own-reasons.ts';

/** How long a declined attempt counts, in ms: of an account, of a network (which offices and phone companies share), and of one card in all accounts. */
export const declineWindowsMs = { account: dayMs, network: hourMs, card: dayMs } as const;

/**
 * Declined attempts per window after which no more cards are accepted, so that stolen cards cannot be tested. Each
 * transfer also has a limit for its whole life.
 */
export type DeclineLimits = Readonly<Record<keyof typeof declineWindowsMs, number>>;

/** Declined attempts that count for one transfer now. */
export type DeclineCounts = DeclineLimits & { readonly transfer: number };

/** Why a transfer accepts no more cards, the broadest reason first; null while it does. */
export function declinesReached(
  counts: DeclineCounts,
  limits: DeclineLimits,
): Extract<OwnReason, `${string}declined_too_often`> | null {
  if (counts.account >= limits.account) return 'account_declined_too_often';
  if (counts.network >= limits.network) return 'network_declined_too_often';
  if (counts.card >= limits.card) return 'card_declined_too_often';
  return counts.transfer >= declinedMax ? 'declined_too_often' : null;
}
