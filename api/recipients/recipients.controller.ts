import { Controller } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import type { RecipientView } from '#core/contracts/http/recipients';
import { checkRecipientName, confirmRecipientName } from '#domain/recipients/name-checks';
import {
  addRecipient,
  changeRecipient,
  findRecipients,
  removeRecipient,
} from '#domain/recipients/recipient.repository';
import { toRecipientView, toRecipientViews } from '#domain/recipients/recipient-views';
import { Database } from '#platform/database/database';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';

/** A sender's address book. Removed recipients stay in the database for the transfers that name them. */
@Controller()
export class RecipientsController {
  constructor(private readonly database: Database) {}

  @Serve(endpoints.listRecipients)
  async list(@Call() { query, person }: CallOf<typeof endpoints.listRecipients>) {
    const em = this.database.fork();
    const { rows, nextCursor } = await findRecipients(em, person.user.id, query);
    return { items: await toRecipientViews(em, rows), nextCursor };
  }

  @Serve(endpoints.createRecipient)
  @RateLimited('recipientChangesPerPerson')
  async create(@Call() { body, person }: CallOf<typeof endpoints.createRecipient>): Promise<RecipientView> {
    const { saveAnyway, ...input } = body;
    const added = { userId: person.user.id, input, saveAnyway, at: new Date() };
    return this.database.transaction(async (em) => toRecipientView(em, await addRecipient(em, added)));
  }

  @Serve(endpoints.updateRecipient)
  @RateLimited('recipientChangesPerPerson')
  async update(@Call() { params, body, person }: CallOf<typeof endpoints.updateRecipient>): Promise<RecipientView> {
    const { saveAnyway, ...input } = body;
    const changed = { userId: person.user.id, id: params.id, input, saveAnyway, at: new Date() };
    return this.database.transaction(async (em) => toRecipientView(em, await changeRecipient(em, changed)));
  }

  @Serve(endpoints.checkRecipientName)
  @RateLimited('recipientChangesPerPerson')
  async checkName(@Call() { params, person }: CallOf<typeof endpoints.checkRecipientName>): Promise<RecipientView> {
    const own = { userId: person.user.id, id: params.id, at: new Date() };
    return this.database.transaction((em) => checkRecipientName(em, own));
  }

  @Serve(endpoints.confirmRecipientName)
  async confirmName(
    @Call() { params, body, person }: CallOf<typeof endpoints.confirmRecipientName>,
  ): Promise<RecipientView> {
    const own = { userId: person.user.id, id: params.id, version: body.version, at: new Date() };
    return this.database.transaction((em) => confirmRecipientName(em, own));
  }

  @Serve(endpoints.deleteRecipient)
  async remove(@Call() { params, person }: CallOf<typeof endpoints.deleteRecipient>): Promise<undefined> {
    const removed = { userId: person.user.id, id: params.id, at: new Date() };
    await this.database.transaction((em) => removeRecipient(em, removed));
  }
}
