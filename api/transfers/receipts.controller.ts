import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import type { ReceiptView } from '#core/contracts/http/receipts';
import { readReceiptFacts } from '#domain/transfer-views/receipt';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** Receipts of a sender's own transfers. */
@Controller()
export class ReceiptsController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.receipt)
  async receipt(@Call() { params, person }: CallOf<typeof endpoints.receipt>): Promise<ReceiptView> {
    const { whatsapp = null, email = null } = this.env.help;
    const contact = { whatsapp, email };
    const facts = await readReceiptFacts(this.database.fork(), { sender: person.user, transferId: params.id });
    return { ...facts, contact };
  }
}
