import { Controller, Inject } from '@nestjs/common';
import { Failure } from '#core/contracts/failures';
import type { CryptoConfig, CryptoOrderView } from '#core/contracts/http/crypto';
import { endpoints } from '#core/contracts/http/endpoints';
import { cryptoMaximumMinor, cryptoMinimumMinor, cryptoSale, isFinalCryptoStatus } from '#core/crypto/crypto-order';
import { formatMinor } from '#core/money/money';
import { openOrder } from '#domain/crypto/create-order';
import { CryptoOrder } from '#domain/crypto/crypto-order.entity';
import { toCryptoOrderView } from '#domain/crypto/crypto-order.repository';
import { OnrampSessions } from '#domain/crypto/prepare-onramp-session';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database, type EntityManager } from '#platform/database/database';
import { after, cutPage, readCursor } from '#platform/database/pages';
import { addJob } from '#platform/outbox/outbox';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** How often one purchase is read again because its buyer's page asked, in ms. */
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
      openOrder(em, this.env.crypto.walletAddress, { userId, request: body, idempotencyKey, at: new Date() }),
    );
    // Only after the commit: Stripe must never know a purchase that we do not.
    const clientSecret = await this.sessions.prepare(opened);
    const order = await find(this.database.fork(), userId, opened.id);
    return { clientSecret, orderId: order.id, order: toCryptoOrderView(order) };
  }

  @Serve(endpoints.listCryptoOrders)
  async list(@Call() { query, person }: CallOf<typeof endpoints.listCryptoOrders>) {
    const rows = await this.database
      .fork()
      .find(
        CryptoOrder,
        { userId: person.user.id, ...after(readCursor(query.cursor)) },
        { orderBy: { createdAt: 'desc', id: 'desc' }, limit: query.limit + 1 },
      );
    const page = cutPage(rows, query.limit);
    return { items: page.rows.map(toCryptoOrderView), nextCursor: page.nextCursor };
  }

  @Serve(endpoints.getCryptoOrder)
  async get(@Call() { params, person }: CallOf<typeof endpoints.getCryptoOrder>): Promise<CryptoOrderView> {
    return toCryptoOrderView(await find(this.database.fork(), person.user.id, params.id));
  }

  @Serve(endpoints.refreshCryptoOrder)
  @RateLimited('cryptoReadsPerPerson')
  async refresh(@Call() { params, person }: CallOf<typeof endpoints.refreshCryptoOrder>): Promise<CryptoOrderView> {
    const order = await find(this.database.fork(), person.user.id, params.id);
    if (order.sessionId && !isFinalCryptoStatus(order.status)) {
      const key = `sync-crypto-order-${order.id}-asked-${Math.floor(Date.now() / refreshMs)}`;
      await this.database.transaction(async (em) => addJob(em, 'sync-crypto-order', { orderId: order.id }, { key }));
    }
    return toCryptoOrderView(order);
  }
}

/** The buyer's own purchase. @throws Failure `not_found`, also for another person's. */
async function find(em: EntityManager, userId: string, id: string): Promise<CryptoOrder> {
  const order = await em.findOne(CryptoOrder, { id, userId });
  if (!order) throw new Failure('not_found');
  return order;
}
