import { createHash } from 'node:crypto';
import { Stripe } from 'stripe';
import { ZodError } from 'zod';
import { Failure } from '#core/contracts/failures';
import { cryptoSale } from '#core/crypto/crypto-order';
import { formatMinor } from '#core/money/money';
import { hourMs } from '#core/time/time';
import type { Database } from '#platform/database/database';
import { isPublicAddress } from '#platform/http/public-address';
import type { Logger } from '#platform/logging';
import { attachOnrampSession, type CryptoOrder } from './crypto-order.repository.ts';
import { createOnrampSession, type OnrampSession, readOnrampSession } from './onramp-session.ts';

/** Stripe forgets idempotency keys after a day: later the same order would get a second session. */
const keyKeptMs = 23 * hourMs;

/** Stripe's error codes when it sells no crypto through this account or to this person: a retry cannot help. */
const refusals: ReadonlySet<string | undefined> = new Set([
  'crypto_onramp_disabled',
  'crypto_onramp_unsupportable_customer',
  'crypto_onramp_unsupported_country',
]);

/** Creates onramp sessions for the api. The worker tracks their outcome. */
export class OnrampSessions {
  constructor(
    private readonly database: Database,
    private readonly stripe: Stripe,
    private readonly log: Logger,
  ) {}

  /**
   * The client secret of a purchase's session, created at the first call and the same from then on. The secret is only
   * given to the buyer's browser, and neither stored nor logged. `address`: the buyer's IP address, by which Stripe
   * rejects unsupported countries before showing its form.
   * @throws Failure `onramp_not_started`, `crypto_unavailable`.
   */
  async prepare(order: CryptoOrder, address?: string): Promise<string> {
    const session = await this.#ask(() =>
      order.sessionId
        ? this.#known(order.sessionId)
        : this.#make(order, address && isPublicAddress(address) ? address : null),
    );
    if (!session.client_secret) throw new Failure('onramp_not_started');
    return session.client_secret;
  }

  #known(sessionId: string): Promise<OnrampSession> {
    return readOnrampSession(this.stripe, sessionId);
  }

  async #make(order: CryptoOrder, address: string | null): Promise<OnrampSession> {
    const at = new Date();
    if (at.getTime() - order.createdAt.getTime() > keyKeptMs) throw new Failure('onramp_not_started');
    const { currency, destinationCurrency, destinationNetwork } = cryptoSale;
    const session = await createOnrampSession(
      this.stripe,
      {
        source_currency: currency,
        source_amount: formatMinor(order.amountMinor),
        destination_currency: destinationCurrency,
        destination_network: destinationNetwork,
        destination_currencies: [destinationCurrency],
        destination_networks: [destinationNetwork],
        wallet_addresses: { [destinationNetwork]: order.walletAddress },
        lock_wallet_address: true,
        metadata: { order_id: order.id },
        ...(address ? { customer_ip_address: address } : {}),
      },
      // Stripe rejects a key reused with other data. Of two concurrent sessions the purchase keeps the first, and the
      // other's secret is discarded.
      `onramp:${order.id}${address ? `:${createHash('sha256').update(address).digest('hex').slice(0, 16)}` : ''}`,
    );
    const attached = await this.database.transaction((em) => attachOnrampSession(em, order.id, session.id, at));
    return attached === session.id ? session : this.#known(attached);
  }

  async #ask(call: () => Promise<OnrampSession>): Promise<OnrampSession> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof ZodError) {
        this.log.warn(
          { fields: error.issues.map(({ path }) => path.join('.')) },
          'an onramp session has an unexpected shape',
        );
        throw new Failure('onramp_not_started');
      }
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      const { type, code, statusCode, requestId } = error;
      this.log.warn({ stripe: { type, code, statusCode, requestId } }, 'Stripe rejected the request or did not answer');
      throw new Failure(refusals.has(code) ? 'crypto_unavailable' : 'onramp_not_started');
    }
  }
}
