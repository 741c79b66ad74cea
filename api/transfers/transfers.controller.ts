import { Controller, Inject } from '@nestjs/common';
import { Failure } from '#core/contracts/failures';
import { endpoints } from '#core/contracts/http/endpoints';
import type { DashboardView, TransferView } from '#core/contracts/http/transfers';
import { formatMinor } from '#core/money/money';
import { Recipient } from '#domain/recipients/recipient.entity';
import { chooseRecipientOf } from '#domain/transfers/assign-recipient';
import { cancelOwn } from '#domain/transfers/cancel';
import { findTransfers } from '#domain/transfers/search';
import { paidBy, sentBy } from '#domain/transfers/sending-totals';
import { Transfer } from '#domain/transfers/transfer.entity';
import { viewOf } from '#domain/transfers/transfer-view';
import { toTransferViews } from '#domain/transfers/transfer-views';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** A sender's own transfers. */
@Controller()
export class TransfersController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.dashboard)
  async dashboard(@Call() { person }: CallOf<typeof endpoints.dashboard>): Promise<DashboardView> {
    const em = this.database.fork();
    const userId = person.user.id;
    const sent = await sentBy(em, userId, new Date());
    const paid = await paidBy(em, userId);
    const { monthUsdMinor } = this.env.limits;
    const left = monthUsdMinor - sent.monthUsdMinor;
    return {
      balance: formatMinor(left > 0n ? left : 0n),
      totalSent: formatMinor(paid.usdMinor),
      recipientCount: await em.count(Recipient, { userId, removedAt: null }),
      transferCount: paid.count,
      monthLimit: formatMinor(monthUsdMinor),
    };
  }

  @Serve(endpoints.listTransfers)
  async list(@Call() { query, person }: CallOf<typeof endpoints.listTransfers>) {
    const em = this.database.fork();
    const page = await findTransfers(em, person.user.id, query);
    return { items: await toTransferViews(em, page.rows, new Date()), nextCursor: page.nextCursor };
  }

  @Serve(endpoints.getTransfer)
  async get(@Call() { params, person }: CallOf<typeof endpoints.getTransfer>): Promise<TransferView> {
    const em = this.database.fork();
    const transfer = await em.findOne(Transfer, { id: params.id, userId: person.user.id });
    if (!transfer) throw new Failure('not_found');
    return viewOf(em, transfer);
  }

  @Serve(endpoints.cancelTransfer)
  async cancel(@Call() { params, person }: CallOf<typeof endpoints.cancelTransfer>): Promise<TransferView> {
    const input = { userId: person.user.id, transferId: params.id, at: new Date() };
    return this.database.transaction((em) => cancelOwn(em, input));
  }

  @Serve(endpoints.chooseRecipient)
  async choose(@Call() { params, body, person }: CallOf<typeof endpoints.chooseRecipient>): Promise<TransferView> {
    const input = { userId: person.user.id, transferId: params.id, recipientId: body.recipientId, at: new Date() };
    await this.database.transaction((em) => chooseRecipientOf(em, input));
    const em = this.database.fork();
    return viewOf(em, await em.findOneOrFail(Transfer, { id: params.id }));
  }
}
