import { createHash } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { Failure, invalidInput } from '#core/contracts/failures';
import type { SendCurrency } from '#core/money/money';
import { formatRate, type Rate } from '#core/rates/rate';
import { payoutMethodOf } from '#core/recipients/banks';
import { estimateDelivery } from '#core/transfers/delivery';
import { limitBroken, toUsdMinor } from '#core/transfers/limits';
import { ageOn, minimumAge } from '#core/transfers/sender-age';
import type { ApiConfiguration } from '#platform/configuration/api';
import type { EntityManager } from '#platform/database/database';
import { User } from '../accounts/account.entity.ts';
import { referenceRates } from '../rate-sources/observation.repository.ts';
import type { CurrentRates } from '../rates/current-rates.ts';
import { quoteAt, ratesInForce, toQuoteView } from '../rates/quotes.ts';
import { payoutTargetOf } from '../recipients/payout-target.ts';
import { findRecipient } from '../recipients/recipient.repository.ts';
import { sentBy } from '../transfers/sending-totals.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { openTransfer } from '../transfers/transfer.repository.ts';
import { IdempotencyKey } from './idempotency-key.entity.ts';

/** Nobody alive is older; it keeps slips like the year 0202 out of the database. */
const maximumAge = 120;

/** What a sender asks for, validated. */
export interface PaymentRequest {
  readonly amount: bigint;
  readonly currency: SendCurrency;
  /** Empty or absent while no recipient is chosen. */
  readonly recipientId?: string | undefined;
  /** The rate the person saw. */
  readonly exchangeRate?: Rate | undefined;
  readonly birthDate?: string | undefined;
}

/** The configuration by which payments are opened. */
export type PaymentRules = Pick<ApiConfiguration, 'rates' | 'fee' | 'limits' | 'quoteTtlMs'>;

/**
 * Opens a transfer with its binding quote in the transaction of `em`, or finds the one that an earlier request with the same
 * key opened. The sender's row is locked, so that two requests at once cannot both fit under a limit or both use a key.
 * @throws Failure every one that `createPaymentIntent` lists, except those of the payment provider.
 */
export async function openPayment(
  em: EntityManager,
  env: PaymentRules,
  input: { userId: string; request: PaymentRequest; idempotencyKey: string | null; at: Date },
): Promise<Transfer> {
  const { userId, request, idempotencyKey, at } = input;
  const user = await em.findOneOrFail(User, { id: userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const inputHash = hashOf(request);
  const earlier = idempotencyKey && (await em.findOne(IdempotencyKey, { userId, key: idempotencyKey }));
  if (earlier) {
    if (earlier.inputHash !== inputHash) throw new Failure('idempotency_key_reused');
    return em.findOneOrFail(Transfer, { id: earlier.transferId });
  }
  const rates = await ratesInForce(em, env, at);
  if (rates[request.currency].paused) throw new Failure('payments_paused');
  const recipient = request.recipientId ? await findRecipient(em, userId, request.recipientId) : null;
  const reference = await referenceRates(em, at, env.rates.everyMs);
  const quote = quoteAt(rates, reference, env, request);
  const estimatedDelivery = estimateDelivery(at, payoutMethodOf(recipient?.bankName ?? ''));
  refuseMovedRate(rates, request, () =>
    toQuoteView(quote, {
      rateUpdatedAt: rates[request.currency].since,
      eurUsd: rates.eurUsd,
      estimatedDelivery,
    }),
  );
  const amount = { minor: request.amount, currency: request.currency };
  const broken = limitBroken(amount, rates.eurUsd, env.limits, await sentBy(em, userId, at));
  if (broken) throw new Failure(broken);
  learnAge(user, request.birthDate, at);
  const transfer = openTransfer(em, {
    userId,
    quote,
    usdMinor: toUsdMinor(request.amount, request.currency, rates.eurUsd),
    recipient: recipient && { id: recipient.id, target: payoutTargetOf(recipient) },
    quoteExpiresAt: new Date(at.getTime() + env.quoteTtlMs),
    estimatedDelivery,
    at,
  });
  await em.flush();
  if (idempotencyKey) {
    const key = { userId, key: idempotencyKey, inputHash, transferId: transfer.id, createdAt: at };
    await em.persist(em.create(IdempotencyKey, key)).flush();
  }
  return transfer;
}

/** A rate that moved since the person saw it is offered anew, never applied silently. */
function refuseMovedRate(rates: CurrentRates, request: PaymentRequest, newQuote: () => unknown): void {
  const shown = request.exchangeRate;
  if (shown === undefined || shown === rates[request.currency].rate) return;
  throw new Failure('rate_changed', { quote: newQuote() });
}

/** The birth date is asked once. One that is too young is not kept: it may be a slip of the pen. */
function learnAge(user: User, birthDate: string | undefined, at: Date): void {
  const known = user.birthDate ?? birthDate;
  if (!known) throw new Failure('birth_date_required', { fields: { birthDate: 'Escribe tu fecha de nacimiento' } });
  const age = ageOn(known, at);
  if (age > maximumAge) throw invalidInput({ birthDate: 'Escribe tu fecha de nacimiento' });
  if (age < minimumAge) throw new Failure('under_age');
  user.birthDate = known;
}

/** Of everything the server reads from the request, so that unread fields of older clients make no difference. */
function hashOf({ amount, currency, recipientId, exchangeRate, birthDate }: PaymentRequest): string {
  const rate = exchangeRate === undefined ? null : formatRate(exchangeRate);
  const read = ['create-payment-intent', String(amount), currency, recipientId || null, rate, birthDate ?? null];
  return createHash('sha256').update(JSON.stringify(read)).digest('hex');
}
