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

/** A quote that runs out sooner is not gone back to: its time would end while the card is typed. */
const leastLeftMs = 2 * minuteMs;

/** The rules a payment is made by. */
export interface PaymentRules extends ProofRules {
  readonly fee: FeeSchedule;
  readonly limits: SendingLimits;
  readonly declines: DeclineLimits;
  /** Whether a rate that is better at the approval is applied. */
  readonly betterRate: boolean;
  /** How long a quote can be paid, in ms. */
  readonly quoteTtlMs: number;
  readonly rates: { readonly everyMs: number; readonly pauseAfterMs: number };
}

/** What a sender asks for, validated. */
export interface PaymentRequest {
  readonly amount: bigint;
  readonly currency: SendCurrency;
  /** Empty or absent while no recipient is chosen. */
  readonly recipientId?: string | undefined;
  /** The rate the person saw. */
  readonly exchangeRate?: Rate | undefined;
  readonly birthDate?: string | undefined;
  /** The reminder that it answers. */
  readonly reminderId?: string | undefined;
}

interface PaymentInput {
  readonly userId: string;
  /** When the session last proved whose it is. */
  readonly provenAt: Date;
  readonly request: PaymentRequest;
  readonly idempotencyKey: string | null;
  readonly at: Date;
}

/**
 * Opens a transfer with its binding quote and prepares its card payment at Stripe. The browser then confirms
 * the card; Stripe's event or the browser asks to read the payment (sync-payment.ts). What stays unpaid: expire.ts.
 * The same idempotency key gives the same payment, and so does asking for what was left unpaid while its quote is today's. @throws Failure every one that the endpoint `createPaymentIntent` lists.
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
  // Only after the commit: Stripe must never know a payment that our books do not.
  return preparedPayment(cards, transfer);
}

/**
 * The payment of a sender's own transfer that was left unpaid, to go on with it while its quote holds.
 * @throws Failure `not_found` (also for another person's), `email_unproven`, `transfer_not_payable`, `name_not_confirmed`, `reminder_closed` when another one paid it,
 * `payment_not_started`, `too_many_declines`, or the limit that other transfers paid since have used up.
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

/** What looks like a request and was left unpaid. */
interface LeftUnpaid {
  /** All such transfers, by their ids. */
  readonly known: ReadonlySet<string>;
  /** The one to go on with; null when there is none. */
  readonly transfer: Transfer | null;
}

/** The sender's unpaid transfers with the recipient and amount of a request. */
const findLike = (em: EntityManager, { userId, request, at }: PaymentInput): Promise<Transfer[]> =>
  findUnpaidLike(em, {
    userId,
    amountMinor: request.amount,
    currency: request.currency,
    recipientId: request.recipientId || null,
    expiresAfter: new Date(at.getTime() + leastLeftMs),
  });

/**
 * The last of those that answers the same reminder or none, and was left before the card was asked. Stripe is asked whether the card
 * was, because its event may still be on the way: then a second payment is meant. @throws Failure `payment_not_started`.
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
    return { known, transfer: (await cards.isUntouched(transfer)) ? transfer : null };
  }
  return { known, transfer: null };
}

/** That transfer, locked, when nothing has happened to it since and it would be opened with the very same figures and account now. */
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
 * Opens a transfer, or finds the one that an earlier request with the same key opened, or the one that was left unpaid. The sender's row is
 * locked, so that two requests at once cannot both fit under a limit or both use a key. Null when another request has opened what looks
 * like this one meanwhile: it has to be looked at first.
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
  learnAge(user, request.birthDate, at);
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
    // It refers to the transfer's row.
    storeDisclosure(em, transfer);
    if (reminderId) await noteAnswer(em, { userId, reminderId, transferId: transfer.id });
  }
  await noteOrigin(em, transfer.id, at);
  if (idempotencyKey) {
    await storeIdempotencyKey(em, { userId, key: idempotencyKey, inputHash, transferId: transfer.id, createdAt: at });
  }
  return transfer;
}

/** Cards are tried out elsewhere than here. */
async function refuseDeclined(
  em: EntityManager,
  userId: string,
  at: Date,
  { declines: limits }: Pick<PaymentRules, 'declines'>,
): Promise<void> {
  const availableAt = await closedByDeclines(em, userId, { at, limits });
  if (availableAt) throw new Failure('too_many_declines', { availableAt: availableAt.toISOString() });
}

/** A rate that moved since the person saw it is offered anew, never applied silently. */
function refuseMovedRate(rates: CurrentRates, request: PaymentRequest, newQuote: () => QuoteView): void {
  const shown = request.exchangeRate;
  if (shown === undefined || shown === rates[request.currency].rate) return;
  throw new Failure('rate_changed', { quote: newQuote() });
}

/** The birth date is asked once. One that is too young is not kept: it may be a slip of the pen. */
function learnAge(user: User, birthDate: string | undefined, at: Date): void {
  const known = user.birthDate ?? birthDate;
  if (!known) throw new Failure('birth_date_required', fieldDetails({ birthDate: 'birth_date_missing' }));
  const age = ageOn(known, at);
  if (age > maximumAge) throw invalidInput({ birthDate: 'birth_date_missing' });
  if (age < minimumAge) throw new Failure('under_age', { minimumAge });
  user.birthDate = known;
}

/** Of everything the server reads from the request, so that unread fields of older clients make no difference. */
function hashOf({ amount, currency, recipientId, exchangeRate, birthDate, reminderId }: PaymentRequest): string {
  const rate = exchangeRate === undefined ? null : formatRate(exchangeRate);
  const read = ['create-payment-intent', String(amount), currency, recipientId || null, rate, birthDate ?? null];
  if (reminderId) read.push(reminderId);
  return createHash('sha256').update(JSON.stringify(read)).digest('hex');
}

/** The offer frozen with a transfer, the same whenever it is asked for. */
function bindingQuote(transfer: Transfer): z.infer<typeof bindingQuoteView> {
  const { rateSince: rateUpdatedAt, eurUsd, estimatedDelivery, takesBetterRate: betterRate, quoteExpiresAt } = transfer;
  const { referenceRate = null, markupBasisPoints = null } = transfer;
  const quote: Quote = { ...transfer, referenceRate, markupBasisPoints };
  return {
    ...toQuoteView(quote, { rateUpdatedAt, eurUsd, estimatedDelivery, betterRate }),
    expiresAt: quoteExpiresAt.toISOString(),
  };
}
