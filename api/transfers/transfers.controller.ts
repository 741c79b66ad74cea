import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import type { DashboardView, TransferView } from '#core/contracts/http/transfers';
import { readDashboard } from '#domain/own-account/dashboard';
import { assignRecipient } from '#domain/payments/assign-recipient';
import { cancel } from '#domain/payouts/cancel';
import { correctAccount } from '#domain/payouts/correct-account';
import { answerQuestion, listOwnQuestions } from '#domain/review/questions';
import { toTransferView, toTransferViews } from '#domain/transfer-views/transfer-views';
import { findOwnTransfer } from '#domain/transfers/transfer.repository';
import { findTransfers } from '#domain/transfers/transfer-search.repository';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { lastProof, type Person } from '../access/sessions.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

const proven = (person: Person) => ({ userId: person.user.id, provenAt: lastProof(person) });

/** A sender's own transfers. */
@Controller()
export class TransfersController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.dashboard)
  async dashboard(@Call() { person }: CallOf<typeof endpoints.dashboard>): Promise<DashboardView> {
    const { id: userId, tier } = person.user;
    return readDashboard(this.database.fork(), this.env.limits, { userId, tier, at: new Date() });
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
    return toTransferView(em, await findOwnTransfer(em, person.user.id, params.id), new Date());
  }

  @Serve(endpoints.cancelTransfer)
  async cancel(@Call() { params, person }: CallOf<typeof endpoints.cancelTransfer>): Promise<TransferView> {
    const input = { userId: person.user.id, transferId: params.id, at: new Date() };
    return this.database.transaction((em) => cancel(em, input));
  }

  @Serve(endpoints.assignRecipient)
  async assign(@Call() { params, body, person }: CallOf<typeof endpoints.assignRecipient>): Promise<TransferView> {
    const input = { ...proven(person), transferId: params.id, recipientId: body.recipientId, at: new Date() };
    return this.database.transaction((em) => assignRecipient(em, this.env, input));
  }

  @Serve(endpoints.transferQuestions)
  questions(@Call() { params, query, person }: CallOf<typeof endpoints.transferQuestions>) {
    return listOwnQuestions(this.database.fork(), { userId: person.user.id, transferId: params.id }, query);
  }

  @Serve(endpoints.answerQuestion)
  answer(@Call() { params, body, person }: CallOf<typeof endpoints.answerQuestion>) {
    const input = { userId: person.user.id, transferId: params.id, questionId: params.questionId, text: body.text };
    return answerQuestion(this.database, { ...input, at: new Date() });
  }

  @Serve(endpoints.correctAccount)
  async correct(@Call() { params, body, person }: CallOf<typeof endpoints.correctAccount>) {
    const input = { ...proven(person), transferId: params.id, recipientId: body.recipientId, at: new Date() };
    return { transaction: await this.database.transaction((em) => correctAccount(em, this.env, input)) };
  }
}
