import { Controller, Inject, type StreamableFile } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import type { CheckedPaper, StatementPeriods } from '#core/contracts/http/papers';
import type { Locale } from '#core/locale/locale';
import { statementTexts } from '#core/papers/statement';
import { checkPaper } from '#domain/papers/check-paper';
import { issueDisclosure, issueReceipt } from '#domain/papers/issue';
import { listStatementPeriods, renderStatement, renderStatementCsv } from '#domain/papers/statement';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { RateLimited } from '../access/rate-limit.guard.ts';
import type { Person } from '../access/sessions.ts';
import { pdfFile, streamed } from '../http/files.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** Papers of a sender's own transfers as files, and the public check of any paper. */
@Controller()
export class PapersController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.receiptPdf)
  @RateLimited('papersPerPerson')
  async receipt(@Call() call: CallOf<typeof endpoints.receiptPdf>): Promise<StreamableFile> {
    const { whatsapp = null, email = null } = this.env.help;
    const ask = { ...this.#reader(call), transferId: call.params.id, contact: { whatsapp, email } };
    return pdfFile(await issueReceipt(this.database.fork(), ask));
  }

  @Serve(endpoints.disclosurePdf)
  @RateLimited('papersPerPerson')
  async disclosure(@Call() call: CallOf<typeof endpoints.disclosurePdf>): Promise<StreamableFile> {
    return pdfFile(await issueDisclosure(this.database.fork(), { ...this.#reader(call), transferId: call.params.id }));
  }

  @Serve(endpoints.statementPeriods)
  async periods(@Call() { person }: CallOf<typeof endpoints.statementPeriods>): Promise<StatementPeriods> {
    return listStatementPeriods(this.database.fork(), person.user.id);
  }

  @Serve(endpoints.statementPdf)
  @RateLimited('papersPerPerson')
  async statement(@Call() call: CallOf<typeof endpoints.statementPdf>): Promise<StreamableFile> {
    const { period } = call.params;
    const reader = this.#reader(call);
    const pieces = renderStatement(this.database.fork(), { ...reader, period });
    return streamed(pieces, 'application/pdf', `${statementTexts[reader.language].file}-${period}.pdf`);
  }

  @Serve(endpoints.statementCsv)
  @RateLimited('papersPerPerson')
  async csv(@Call() call: CallOf<typeof endpoints.statementCsv>): Promise<StreamableFile> {
    const { period } = call.params;
    const reader = this.#reader(call);
    const pieces = renderStatementCsv(await this.database.reader(), { ...reader, period });
    return streamed(pieces, 'text/csv; charset=utf-8', `${statementTexts[reader.language].file}-${period}.csv`);
  }

  @Serve(endpoints.checkPaper)
  @RateLimited('paperChecksPerNetwork')
  async check(@Call() { params }: CallOf<typeof endpoints.checkPaper>): Promise<CheckedPaper> {
    return checkPaper(this.database.fork(), { code: params.code });
  }

  @Serve(endpoints.checkPaperFile)
  @RateLimited('paperChecksPerNetwork')
  async checkFile(@Call() { params }: CallOf<typeof endpoints.checkPaperFile>): Promise<CheckedPaper> {
    return checkPaper(this.database.fork(), { fileHash: params.hash });
  }

  /** The reader of a paper, the language, and the time. */
  #reader({ person, query }: { person: Person; query: { language?: Locale | undefined } }) {
    const { id, name, email, locale } = person.user;
    const language = query.language ?? locale;
    const { publicUrl, company } = this.env;
    return { sender: { id, name, email }, language, publicUrl, company, at: new Date() };
  }
}
