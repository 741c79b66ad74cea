import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { Failure } from '#core/contracts/failures';
import type { bindingQuoteView } from '#core/contracts/http/payments';
import type { QuoteView } from '#core/contracts/http/rates';
import { fieldDetails, invalidInput } from '#core/contracts/invalid-input';
import type { FeeSchedule } from '#core/money/fee';
import type { SendCurrency } from '#core/money/money';
import { formatRate, type Rate } from '#core/rates/rate';
import { payoutMethodOf } from '#core/recipients/banks';
import { minuteMs } from '#core/time/time';
import type { DeclineLimits } from '#core/transfers/declines';
import { estimateDelivery } from '#core/transfers/delivery';
import { limitBroken, limitsOfTier, type SendingLimits, toUsdMinor, windowBroken } from '#core/transfers/limits';
import type { Quote } from '#core/transfers/quote';
import { ageOn, maximumAge, minimumAge } from '#core/transfers/sender-age';
import type { Database, EntityManager } from '#platform/database/database';
import { findUser, lockPayer, refuseUnproven, type User } from '../accounts/account.repository.ts';
import { type OpenTarget, readTarget } from '../personal-data/payout-target.ts';
import { referenceRates } from '../rate-observations/market-references.ts';
import { type CurrentRates, ratesInForce } from '../rates/current-rates.ts';
import { quoteAt } from '../rates/quotes.ts';
import { toQuoteView } from '../rates/rate-views.ts';
import { refuseUnconfirmedName } from '../recipients/name-checks.ts';
import { findRecipient } from '../recipients/recipient.repository.ts';
import { targetOf } from '../recipients/recipient-views.ts';
import { noteAnswer, refuseClosed } from '../repeats/plans.ts';
import { findReminderOfTransfer, isPaidByAnother } from '../repeats/repeat.repository.ts';
import { storeDisclosure } from '../transfers/disclosure.repository.ts';
import { limitFailure } from '../transfers/limit-failure.ts';
import { type ProofRules, refuseStaleProof } from '../transfers/new-account.ts';
import { openTransfer } from '../transfers/open-transfer.ts';
import {
  countUnpaid,
  findOwnTransfer,
  findTransfer,
  findUnpaidLike,
  lockTransfer,
  type Transfer,
} from '../transfers/transfer.repository.ts';
import { sumSent } from '../transfers/transfer-figures.repository.ts';
import { closedByDeclines, noteOrigin } from './declined-attempt.repository.ts';
import { findIdempotencyKey, storeIdempotencyKey } from './idempotency-key.repository.ts';
import type { CardPayments } from './payment-intents.ts';

/** Do not reuse a quote that would expire while the customer enters the card. */
const minRemainingMs = 2 * minuteMs;

/** The rules for new payments. */
export interface PaymentRules extends ProofRules {
  readonly fee: FeeSchedule;
  readonly limits: SendingLimits;
  readonly declines: DeclineLimits;
  /** Whether a better rate at the approval is applied. */
  readonly betterRate: boolean;
  /** Validity of a quote, in ms. */
  readonly quoteTtlMs: number;
  readonly rates: { readonly everyMs: number; readonly pauseAfterMs: number };
}

/** A sender's request, validated. */
export interface PaymentRequest {
  readonly amount: bigint;
  readonly currency: SendCurrency;
  /** Empty or absent without a recipient. */
  readonly recipientId?: string | undefined;
  /** The rate shown to the sender. */
  readonly exchangeRate?: Rate | undefined;
  readonly birthDate?: string | undefined;
  /** The reminder that it fulfils. */
  readonly reminderId?: string | undefined;
}

interface PaymentInput {
  readonly userId: string;
  /** When the session last proved the user's identity. */
  readonly provenAt: Date;
  readonly request: PaymentRequest;
  readonly idempotencyKey: string | null;
  readonly at: Date;
}

/**
 * Opens a transfer with its binding quote and prepares its card payment at Stripe. The browser then confirms the card;
 * Stripe's event or the browser queues a reading of the payment (sync-payment.ts). Unpaid transfers expire (expire.ts).
 * The same idempotency key returns the same payment. An unpaid payment with the same details and a quote from today is
 * reused.
 * @throws Failure every one that the endpoint `createPaymentIntent` lists.
 */
export async function createPayment(
  services: { database: Database; cards: CardPayments },
  rules: PaymentRules,
  input: PaymentInput,
) {
  const { database, cards } = services;
  let transfer: Transfer | null = null;
  while (!transfer) {
    const left = await findLeftUnpaid(services, input);
    transfer = await database.transaction((em) => openQuotedTransfer(em, rules, input, left));
  }
  // After the commit, so that Stripe never has a payment that our books do not.
  return preparedPayment(cards, transfer);
}

/**
 * Resumes the unpaid payment of a sender's own transfer while its quote is valid.
 * @throws Failure `not_found` (also for another user's), `email_unproven`, `transfer_not_payable`,
 * `name_not_confirmed`, `reminder_closed` when another transfer fulfilled it, `payment_not_started`,
 * `too_many_declines`, or a limit that other transfers have used up since.
 */
export async function resumePayment(
  { database, cards }: { database: Database; cards: CardPayments },
  { limits, declines }: Pick<PaymentRules, 'limits' | 'declines'>,
  { userId, transferId, at }: { userId: string; transferId: string; at: Date },
) {
  const em = database.fork();
  const transfer = await findOwnTransfer(em, userId, transferId);
  const user = (await findUser(em, userId)) as User;
  refuseUnproven(user);
  const { tier } = user;
  if (transfer.state !== 'awaiting_payment' || transfer.quoteExpiresAt <= at) throw new Failure('transfer_not_payable');
  await refuseDeclined(em, userId, at, { declines });
  const { recipientId, payoutTarget } = transfer;
  if (recipientId && payoutTarget) {
    const accountHash = payoutTarget.hashes?.account ?? null;
    await refuseUnconfirmedName(em, recipientId, { ...payoutTarget, accountHash });
  }
  if (await isPaidByAnother(em, transfer)) throw new Failure('reminder_closed');
  const sent = await sumSent(em, userId, at);
  const broken = windowBroken(transfer.usdMinor, limitsOfTier(limits, tier), sent);
  if (broken) {
    const { usdMinor, currency, eurUsd } = transfer;
    throw await limitFailure(em, broken, { userId, usdMinor, currency, eurUsd, tier, limits, sent, at });
  }
  await noteOrigin(em, transfer.id, at);
  return preparedPayment(cards, transfer);
}

async function preparedPayment(cards: CardPayments, transfer: Transfer) {
  const prepared = await cards.prepare(transfer);
  return { ...prepared, transferId: transfer.id, quote: bindingQuote(transfer) };
}

/** Unpaid payment attempts that match a request. */
interface LeftUnpaid {
  /** The ids of all such transfers. */
  readonly known: ReadonlySet<string>;
  /** The one to reuse, if any. */
  readonly transfer: Transfer | null;
}

/** The sender's unpaid transfers with the recipient and amount of a request. */
const findLike = (em: EntityManager, { userId, request, at }: PaymentInput): Promise<Transfer[]> =>
  findUnpaidLike(em, {
    userId,
    amountMinor: request.amount,
    currency: request.currency,
    recipientId: request.recipientId || null,
    expiresAfter: new Date(at.getTime() + minRemainingMs),
  });

/**
 * The latest of those that fulfils the same reminder or none, and whose card was not yet submitted. Stripe is queried
 * about the card, because its event may still be on the way: a submitted card means that a second payment is intended.
 * @throws Failure `payment_not_started`.
 */
async function findLeftUnpaid(
  { database, cards }: { database: Database; cards: CardPayments },
  input: PaymentInput,
): Promise<LeftUnpaid> {
  const { userId, request, idempotencyKey } = input;
  const em = database.fork();
  if (idempotencyKey && (await findIdempotencyKey(em, userId, idempotencyKey)))
    return { known: new Set(), transfer: null };
  const like = await findLike(em, input);
  const known = new Set(like.map(({ id }) => id));
  for (const transfer of like) {
    if ((await findReminderOfTransfer(em, transfer))?.id !== request.reminderId) continue;
    return { known, transfer: (await cards.isStillUnpaid(transfer)) ? transfer : null };
  }
  return { known, transfer: null };
}

/** Locks that transfer if it is unchanged and a new one would have the same amounts and account. */
async function takeLeftUnpaid(
  em: EntityManager,
  { id, version }: Transfer,
  { quote, target, betterRate }: { quote: Quote; target: OpenTarget | null; betterRate: boolean },
): Promise<Transfer | null> {
  const transfer = await lockTransfer(em, id, { version, state: 'awaiting_payment' });
  const figures = ['feeMinor', 'netMinor', 'rate', 'bolivianosMinor'] as const;
  const isSame =
    transfer &&
    transfer.takesBetterRate === betterRate &&
    figures.every((name) => transfer[name] === quote[name]) &&
    isDeepStrictEqual(transfer.payoutTarget ? await readTarget(em, id, transfer.payoutTarget) : null, target);
  return isSame ? transfer : null;
}

/**
 * Opens a transfer, or finds the one of an earlier request with the same key, or an unpaid one to reuse. The sender's
 * row is locked, so that two concurrent requests cannot both fit under a limit or both use a key. Null when a
 * concurrent request has opened a matching transfer, which has to be checked first.
 */
async function openQuotedTransfer(
  em: EntityManager,
  rules: PaymentRules,
  input: PaymentInput,
  left: LeftUnpaid,
): Promise<Transfer | null> {
  const { userId, provenAt, request, idempotencyKey, at } = input;
  const user = await lockPayer(em, userId);
  const inputHash = hashOf(request);
  const earlier = idempotencyKey && (await findIdempotencyKey(em, userId, idempotencyKey));
  if (earlier) {
    if (earlier.inputHash !== inputHash) throw new Failure('idempotency_key_reused');
    return (await findTransfer(em, earlier.transferId)) as Transfer;
  }
  await refuseDeclined(em, userId, at, rules);
  const { reminderId } = request;
  if (reminderId) await refuseClosed(em, { userId, reminderId, at });
  const recipient = request.recipientId ? await findRecipient(em, userId, request.recipientId) : null;
  if (recipient) await refuseUnconfirmedName(em, recipient.id, recipient);
  const rates = await ratesInForce(em, rules.rates, at);
  if (rates[request.currency].paused) throw new Failure('payments_paused', { currency: request.currency });
  const reference = await referenceRates(em, at, rules.rates.everyMs);
  const quote = quoteAt(rates, reference, rules.fee, request);
  const estimatedDelivery = estimateDelivery(at, payoutMethodOf(recipient?.bankName ?? ''));
  refuseMovedRate(rates, request, () =>
    toQuoteView(quote, {
      rateUpdatedAt: rates[request.currency].since,
      eurUsd: rates.eurUsd,
      estimatedDelivery,
      betterRate: rules.betterRate,
    }),
  );
  const amount = { minor: request.amount, currency: request.currency };
  const { limits } = rules;
  const { tier } = user;
  const sent = await sumSent(em, userId, at);
  const broken = limitBroken(amount, rates.eurUsd, limitsOfTier(limits, tier), sent);
  const { eurUsd } = rates;
  const usdMinor = toUsdMinor(amount.minor, amount.currency, eurUsd);
  if (broken) {
    const { currency } = amount;
    throw await limitFailure(em, broken, { userId, usdMinor, currency, eurUsd, tier, limits, sent, at });
  }
  storeBirthDate(user, request.birthDate, at);
  const target = recipient && (await targetOf(em, recipient));
  if (target) {
    const payment = { transferId: left.transfer?.id ?? null, usdMinor, bankAccount: target.bankAccount };
    await refuseStaleProof(em, rules, { userId, provenAt, ...payment, at });
  }
  const taken = { quote, target, betterRate: rules.betterRate };
  let transfer = left.transfer && (await takeLeftUnpaid(em, left.transfer, taken));
  if (!transfer) {
    const unpaid = await countUnpaid(em, userId, at);
    if (unpaid > 0 && (await findLike(em, input)).some(({ id }) => !left.known.has(id))) return null;
    if (unpaid >= rules.limits.unpaidTransfers) {
      throw new Failure('too_many_unpaid_transfers', { most: rules.limits.unpaidTransfers });
    }
    transfer = openTransfer(em, {
      userId,
      quote,
      rateSince: rates[request.currency].since,
      takesBetterRate: rules.betterRate,
      eurUsd,
      recipient: recipient && target && { id: recipient.id, target },
      quoteExpiresAt: new Date(at.getTime() + rules.quoteTtlMs),
      estimatedDelivery,
      at,
    });
    await em.flush();
    // It references the transfer's row.
    storeDisclosure(em, transfer);
    if (reminderId) await noteAnswer(em, { userId, reminderId, transferId: transfer.id });
  }
  await noteOrigin(em, transfer.id, at);
  if (idempotencyKey) {
    await storeIdempotencyKey(em, { userId, key: idempotencyKey, inputHash, transferId: transfer.id, createdAt: at });
  }
  return transfer;
}

/** Card-testing guard. */
async function refuseDeclined(
  em: EntityManager,
  userId: string,
  at: Date,
  { declines: limits }: Pick<PaymentRules, 'declines'>,
): Promise<void> {
  const availableAt = await closedByDeclines(em, userId, { at, limits });
  if (availableAt) throw new Failure('too_many_declines', { availableAt: availableAt.toISOString() });
}

/** A rate that changed since the sender saw it is offered as a new quote, never applied silently. */
function refuseMovedRate(rates: CurrentRates, request: PaymentRequest, newQuote: () => QuoteView): void {
  const shown = request.exchangeRate;
  if (shown === undefined || shown === rates[request.currency].rate) return;
  throw new Failure('rate_changed', { quote: newQuote() });
}

/** The birth date is requested once. A date that is too recent is not stored, because it may be a typo. */
function storeBirthDate(user: User, birthDate: string | undefined, at: Date): void {
  const known = user.birthDate ?? birthDate;
  if (!known) throw new Failure('birth_date_required', fieldDetails({ birthDate: 'birth_date_missing' }));
  const age = ageOn(known, at);
  if (age > maximumAge) throw invalidInput({ birthDate: 'birth_date_missing' });
  if (age < minimumAge) throw new Failure('under_age', { minimumAge });
  user.birthDate = known;
}

/** Covers every field that the server reads, so that unread fields of older clients make no difference. */
function hashOf({ amount, currency, recipientId, exchangeRate, birthDate, reminderId }: PaymentRequest): string {
  const rate = exchangeRate === undefined ? null : formatRate(exchangeRate);
  const read = ['create-payment-intent', String(amount), currency, recipientId || null, rate, birthDate ?? null];
  if (reminderId) read.push(reminderId);
  return createHash('sha256').update(JSON.stringify(read)).digest('hex');
}

/** The offer frozen with a transfer, the same at every request. */
function bindingQuote(transfer: Transfer): z.infer<typeof bindingQuoteView> {
  const { rateSince: rateUpdatedAt, eurUsd, estimatedDelivery, takesBetterRate: betterRate, quoteExpiresAt } = transfer;
  const { referenceRate = null, markupBasisPoints = null } = transfer;
  const quote: Quote = { ...transfer, referenceRate, markupBasisPoints };
  return {
    ...toQuoteView(quote, { rateUpdatedAt, eurUsd, estimatedDelivery, betterRate }),
    expiresAt: quoteExpiresAt.toISOString(),
  };
}
