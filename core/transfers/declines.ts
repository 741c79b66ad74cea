import { dayMs, hourMs } from '../time/time.ts';
import { declinedMax, type OwnReason } from './own-reasons.ts';

/**
 * Declined attempts after which no more cards are taken, so that stolen ones cannot be tried out: of an account, of a network (which offices and
 * phone companies share), and of one card in all accounts together. A transfer has a limit of its own for its whole life.
 */
export const declineRules = {
  account: { most: 20, withinMs: dayMs },
  network: { most: 60, withinMs: hourMs },
  card: { most: 12, withinMs: dayMs },
} as const;

/** Declined attempts that count for one transfer now, each within its time. */
export type DeclineCounts = Readonly<Record<keyof typeof declineRules | 'transfer', number>>;

/** Why a transfer takes no more cards, the widest reason first; null while it does. */
export function declinesReached(counts: DeclineCounts): Extract<OwnReason, `${string}declined_too_often`> | null {
  if (counts.account >= declineRules.account.most) return 'account_declined_too_often';
  if (counts.network >= declineRules.network.most) return 'network_declined_too_often';
  if (counts.card >= declineRules.card.most) return 'card_declined_too_often';
  return counts.transfer >= declinedMax ? 'declined_too_often' : null;
}
