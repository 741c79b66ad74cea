import { Controller, Inject, StreamableFile } from '@nestjs/common';
import { Failure } from '#core/contracts/failures';
import { endpoints } from '#core/contracts/http/endpoints';
import { writeAudit } from '#domain/audit/audit.repository';
import { countOpen, findExceptionPage } from '#domain/reconciliation/book-exception.repository';
import { toExceptionViews, toProfitView, viewReconciliation } from '#domain/reconciliation/book-views';
import { findProfits } from '#domain/reconciliation/days.repository';
import {
  askSourceAgain,
  askToAccept,
  decideBooks,
  explainException,
  proposeClosing,
} from '#domain/reconciliation/decide';
import { exportCsv } from '#domain/reconciliation/export.repository';
import { importStatement } from '#domain/reconciliation/import-sources';
import { StatementProblem } from '#domain/reconciliation/statement';
import { viewTransferProfit } from '#domain/reconciliation/transfer-profit';
import { findTransfer } from '#domain/transfers/transfer.repository';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { addJob } from '#platform/outbox/outbox';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** Our books compared with Stripe and the bank: differences, days and profit. */
@Controller()
export class ReconciliationController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.reconciliation)
  async overview() {
    return viewReconciliation(this.database.fork(), new Date());
  }

  @Serve(endpoints.openExceptions)
  async open() {
    return { open: await countOpen(this.database.fork()) };
  }

  @Serve(endpoints.runReconciliation)
  async run() {
    await this.database.transaction(async (em) => {
      addJob(em, 'reconcile-books', {});
      await writeAudit(em, 'reconciliation_asked');
    });
    return { asked: true as const };
  }

  @Serve(endpoints.bookExceptions)
  async exceptions(@Call() { query }: CallOf<typeof endpoints.bookExceptions>) {
    const em = this.database.fork();
    const { rows, nextCursor } = await findExceptionPage(em, query);
    return { items: await toExceptionViews(em, rows), nextCursor };
  }

  @Serve(endpoints.explainException)
  async explain(@Call() { params, body, person }: CallOf<typeof endpoints.explainException>) {
    const about = { exceptionId: params.id, adminId: person.user.id, note: body.note, at: new Date() };
    return { exception: await explainException(this.database, about) };
  }

  @Serve(endpoints.acceptException)
  async accept(@Call() { params, body, person }: CallOf<typeof endpoints.acceptException>) {
    const about = { exceptionId: params.id, adminId: person.user.id, note: body.note, at: new Date() };
    return { exception: await askToAccept(this.database, about) };
  }

  @Serve(endpoints.askAgain)
  async askAgain(@Call() { params }: CallOf<typeof endpoints.askAgain>) {
    return { exception: await askSourceAgain(this.database, { exceptionId: params.id, at: new Date() }) };
  }

  @Serve(endpoints.decideBookRequest)
  async decide(@Call() { params, body, person }: CallOf<typeof endpoints.decideBookRequest>) {
    const decision = { requestId: params.id, adminId: person.user.id, approve: body.approve, at: new Date() };
    await decideBooks(this.database, decision);
    return { decided: true as const };
  }

  @Serve(endpoints.closeDay)
  async close(@Call() { params, body, person }: CallOf<typeof endpoints.closeDay>) {
    const proposal = { day: params.day, adminId: person.user.id, note: body.note, at: new Date() };
    return { day: await proposeClosing(this.database, proposal) };
  }

  /** The comparison that follows is the worker's. */
  @Serve(endpoints.importStatement)
  @RateLimited('statementImportsPerAdmin')
  async importFile(@Call() { body, person }: CallOf<typeof endpoints.importStatement>) {
    const file = Buffer.from(body.data, 'base64');
    try {
      const imported = await importStatement(this.database, { file, personId: person.user.id, at: new Date() });
      if (imported.added > 0) {
        await this.database.transaction(async (em) => addJob(em, 'reconcile-books', {}));
      }
      return imported;
    } catch (error) {
      if (!(error instanceof StatementProblem)) throw error;
      throw new Failure('statement_unreadable', { line: error.line, reason: error.message.slice(0, 300) });
    }
  }

  @Serve(endpoints.dailyProfit)
  async profit(@Call() { params }: CallOf<typeof endpoints.dailyProfit>) {
    const profits = await this.database.read((em) => findProfits(em, params));
    return { days: profits.map(({ day, currency, profit }) => ({ day, ...toProfitView(currency, profit) })) };
  }

  @Serve(endpoints.transferProfit)
  async transferProfit(@Call() { params }: CallOf<typeof endpoints.transferProfit>) {
    const em = this.database.fork();
    const transfer = await findTransfer(em, params.id);
    if (!transfer) throw new Failure('not_found');
    return { profit: await viewTransferProfit(em, transfer, this.env.prices) };
  }

  @Serve(endpoints.exportCsv)
  async export(@Call() { params }: CallOf<typeof endpoints.exportCsv>): Promise<StreamableFile> {
    const { list, from, to } = params;
    const entry = { subject: list, detail: { from, to } };
    await this.database.transaction((em) => writeAudit(em, 'list_exported', entry));
    const name = `chasqui-${list}-${from}-${to}.csv`;
    return new StreamableFile(exportCsv(this.database, list, { from, to }), {
      type: 'text/csv; charset=utf-8',
      disposition: `attachment; filename="${name}"`,
    });
  }
}
