import { Controller, Inject } from '@nestjs/common';
import type { CryptoConfig, CryptoOrderView } from '#core/contracts/http/crypto';
import { endpoints } from '#core/contracts/http/endpoints';
import { cryptoMaximumMinor, cryptoMinimumMinor, cryptoSale, isFinalCryptoStatus } from '#core/crypto/crypto-order';
import { formatMinor } from '#core/money/money';
import { createCryptoOrder } from '#domain/crypto/create-order';
import { findCryptoOrderOf, findCryptoOrdersOf } from '#domain/crypto/crypto-order.repository';
import { toCryptoOrderView } from '#domain/crypto/crypto-order-view';
import { OnrampSessions } from '#domain/crypto/prepare-onramp-session';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { addJob } from '#platform/outbox/outbox';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { idempotencyKeyOf } from '../http/input.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** Minimum interval between refreshes of one purchase by its buyer's page, in ms. */
const refreshMs = 1000;

/** Buying USDC by card. The provider sells and delivers; we open its session and show how it goes. */
@Controller()
export class CryptoController {
  constructor(
    private readonly database: Database,
    private readonly sessions: OnrampSessions,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.cryptoConfig)
  async config(): Promise<CryptoConfig> {
    const { walletAddress } = this.env.crypto;
    return {
      ...cryptoSale,
      available: walletAddress !== undefined,
      walletAddress: walletAddress ?? null,
      minimum: formatMinor(cryptoMinimumMinor),
      maximum: formatMinor(cryptoMaximumMinor),
    };
  }

  @Serve(endpoints.createOnrampSession)
  @RateLimited('cryptoOrdersPerPerson')
  async create(@Call() { body, person, request }: CallOf<typeof endpoints.createOnrampSession>) {
    const idempotencyKey = idempotencyKeyOf(request);
    const userId = person.user.id;
    const opened = await this.database.transaction((em) =>
      createCryptoOrder(em, this.env.crypto.walletAddress, { userId, request: body, idempotencyKey, at: new Date() }),
    );
    // Only after the commit: Stripe must never know a purchase that we do not.
    const clientSecret = await this.sessions.prepare(opened, request.ip);
    const order = await findCryptoOrderOf(this.database.fork(), userId, opened.id);
    return { clientSecret, orderId: order.id, order: toCryptoOrderView(order) };
  }

  @Serve(endpoints.listCryptoOrders)
  async list(@Call() { query, person }: CallOf<typeof endpoints.listCryptoOrders>) {
    const { rows, nextCursor } = await findCryptoOrdersOf(this.database.fork(), person.user.id, query);
    return { items: rows.map(toCryptoOrderView), nextCursor };
  }

  @Serve(endpoints.getCryptoOrder)
  async get(@Call() { params, person }: CallOf<typeof endpoints.getCryptoOrder>): Promise<CryptoOrderView> {
    return toCryptoOrderView(await findCryptoOrderOf(this.database.fork(), person.user.id, params.id));
  }

  @Serve(endpoints.refreshCryptoOrder)
  @RateLimited('cryptoReadsPerPerson')
  async refresh(@Call() { params, person }: CallOf<typeof endpoints.refreshCryptoOrder>): Promise<CryptoOrderView> {
    const order = await findCryptoOrderOf(this.database.fork(), person.user.id, params.id);
    if (order.sessionId && !isFinalCryptoStatus(order.status)) {
      const key = `sync-crypto-order-${order.id}-asked-${Math.floor(Date.now() / refreshMs)}`;
      await this.database.transaction(async (em) => addJob(em, 'sync-crypto-order', { orderId: order.id }, { key }));
    }
    return toCryptoOrderView(order);
  }
}
