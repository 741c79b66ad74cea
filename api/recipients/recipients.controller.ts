import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { Failure } from '#core/contracts/failures';
import { endpoints } from '#core/contracts/http/endpoints';
import type { RecipientView } from '#core/contracts/http/recipients';
import { Recipient } from '#domain/recipients/recipient.entity';
import {
  countRecipients,
  findRecipient,
  maxRecipients,
  toRecipientView,
} from '#domain/recipients/recipient.repository';
import { Database } from '#platform/database/database';
import { after, cutPage, readCursor } from '#platform/database/pages';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';

/** A sender's address book. Removed recipients stay in the database for the transfers that name them. */
@Controller()
export class RecipientsController {
  constructor(private readonly database: Database) {}

  @Serve(endpoints.listRecipients)
  async list(@Call() { query, person }: CallOf<typeof endpoints.listRecipients>) {
    const rows = await this.database
      .fork()
      .find(
        Recipient,
        { userId: person.user.id, removedAt: null, ...after(readCursor(query.cursor)) },
        { orderBy: { createdAt: 'desc', id: 'desc' }, limit: query.limit + 1 },
      );
    const page = cutPage(rows, query.limit);
    return { items: page.rows.map(toRecipientView), nextCursor: page.nextCursor };
  }

  @Serve(endpoints.createRecipient)
  @RateLimited('recipientChangesPerPerson')
  async create(@Call() { body, person }: CallOf<typeof endpoints.createRecipient>): Promise<RecipientView> {
    return this.database.transaction(async (em) => {
      if ((await countRecipients(em, person.user.id)) >= maxRecipients) throw new Failure('too_many_recipients');
      const recipient = em.create(Recipient, {
        id: randomUUID(),
        userId: person.user.id,
        ...body,
        createdAt: new Date(),
      });
      await em.persist(recipient).flush();
      return toRecipientView(recipient);
    });
  }

  @Serve(endpoints.updateRecipient)
  @RateLimited('recipientChangesPerPerson')
  async update(@Call() { params, body, person }: CallOf<typeof endpoints.updateRecipient>): Promise<RecipientView> {
    return this.database.transaction(async (em) => {
      const recipient = await findRecipient(em, person.user.id, params.id);
      em.assign(recipient, body);
      await em.flush();
      return toRecipientView(recipient);
    });
  }

  @Serve(endpoints.deleteRecipient)
  async remove(@Call() { params, person }: CallOf<typeof endpoints.deleteRecipient>): Promise<undefined> {
    await this.database.transaction(async (em) => {
      const recipient = await findRecipient(em, person.user.id, params.id);
      recipient.removedAt = new Date();
      await em.flush();
    });
  }
}
