import type { Rate } from '#core/rates/rate';
import { toUsdMinor } from '#core/transfers/limits';
import type { Quote } from '#core/transfers/quote';
import type { EntityManager } from '#platform/database/database';
import type { OpenTarget } from '../personal-data/payout-target.ts';
import { addAuthorization } from '../provider-calls/operation.repository.ts';
import { addStep, insertTransfer, type Transfer } from './transfer.repository.ts';

/**
 * Opens a transfer with its frozen quote. A sweep finds it when the quote has expired. The recipient's data are copied.
 */
export function openTransfer(
  em: EntityManager,
  input: {
    userId: string;
    quote: Quote;
    /** When the quote's rate came into force. */
    rateSince: Date;
    /** Whether to apply a better rate at the approval. */
    takesBetterRate?: boolean;
    /** Dollars per euro at the opening. */
    eurUsd: Rate;
    recipient: { id: string; target: OpenTarget } | null;
    quoteExpiresAt: Date;
    estimatedDelivery: Date;
    at: Date;
  },
): Transfer {
  const {
    userId,
    quote,
    rateSince,
    takesBetterRate = false,
    eurUsd,
    recipient,
    quoteExpiresAt,
    estimatedDelivery,
    at,
  } = input;
  const transfer = insertTransfer(
    em,
    {
      userId,
      ...quote,
      rateSince,
      takesBetterRate,
      eurUsd,
      usdMinor: toUsdMinor(quote.amountMinor, quote.currency, eurUsd),
      recipientId: recipient?.id ?? null,
      payoutTarget: recipient?.target ?? null,
      quoteExpiresAt,
      estimatedDelivery,
    },
    at,
  );
  addAuthorization(em, transfer, at);
  addStep(em, transfer, { move: null, owner: 'sender', actorId: userId, at });
  return transfer;
}
