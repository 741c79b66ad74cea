import { createHash } from 'node:crypto';
import { Failure } from '#core/contracts/failures';
import { cryptoMaximumMinor, cryptoMinimumMinor, cryptoSale } from '#core/crypto/crypto-order';
import { formatMinor } from '#core/money/money';
import type { EntityManager } from '#platform/database/database';
import { lockPayer } from '../accounts/account.repository.ts';
import { type CryptoOrder, findCryptoOrderByKey, openCryptoOrder } from './crypto-order.repository.ts';

/** A buyer's request, validated. */
export interface CryptoRequest {
  /** In US cents. */
  readonly amount: bigint;
  readonly destinationCurrency: string;
  readonly destinationNetwork: string;
  readonly walletAddress: string;
}

/**
 * Opens a purchase in the transaction of `em`, or finds the one of an earlier request with the same key. The buyer's
 * row is locked, so that two concurrent requests cannot both use a key. The server sets coin and destination: a request
 * with other values comes from an outdated or forged page.
 * @throws Failure `crypto_unavailable`, `crypto_destination_refused`, `crypto_amount_out_of_range`,
 * `idempotency_key_reused`.
 */
export async function createCryptoOrder(
  em: EntityManager,
  wallet: string | undefined,
  input: { userId: string; request: CryptoRequest; idempotencyKey: string | null; at: Date },
): Promise<CryptoOrder> {
  const { userId, request, idempotencyKey, at } = input;
  if (!wallet) throw new Failure('crypto_unavailable');
  await lockPayer(em, userId);
  const inputHash = hashOf(request);
  const earlier = idempotencyKey && (await findCryptoOrderByKey(em, userId, idempotencyKey));
  if (earlier) {
    if (earlier.inputHash !== inputHash) throw new Failure('idempotency_key_reused');
    return earlier;
  }
  const ours =
    request.destinationCurrency === cryptoSale.destinationCurrency &&
    request.destinationNetwork === cryptoSale.destinationNetwork &&
    request.walletAddress === wallet;
  if (!ours) throw new Failure('crypto_destination_refused');
  if (request.amount < cryptoMinimumMinor || request.amount > cryptoMaximumMinor) {
    throw new Failure('crypto_amount_out_of_range', {
      minimum: formatMinor(cryptoMinimumMinor),
      maximum: formatMinor(cryptoMaximumMinor),
      currency: 'USD',
    });
  }
  const order = openCryptoOrder(em, {
    userId,
    amountMinor: request.amount,
    walletAddress: wallet,
    idempotencyKey,
    inputHash,
    at,
  });
  await em.flush();
  return order;
}

function hashOf({ amount, destinationCurrency, destinationNetwork, walletAddress }: CryptoRequest): string {
  const read = ['create-onramp-session', String(amount), destinationCurrency, destinationNetwork, walletAddress];
  return createHash('sha256').update(JSON.stringify(read)).digest('hex');
}
