import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import type { RecipientView } from '#core/contracts/http/recipients';
import { Failure } from '#core/failures';
import { Database, type EntityManager } from '#platform/database/database';
import { Recipient } from '#platform/database/schema/people';
import { Call, type CallOf, Serve } from '../contract/serve.ts';
import { after, cutPage, readCursor } from '../paging/pages.ts';

/** A sender's address book. Removed recipients stay in the database for the transfers that name them. */
@Controller()
export class RecipientsController {
  constructor(private readonly database: Database) {}

  @Serve(endpoints.listRecipients)
  async list(@Call() { query, person }: CallOf<typeof endpoints.listRecipients>) {
    const rows = await this.database
      .read()
      .find(
        Recipient,
        { userId: person.user.id, removedAt: null, ...after(readCursor(query.cursor)) },
        { orderBy: { createdAt: 'desc', id: 'desc' }, limit: query.limit + 1 },
      );
    const page = cutPage(rows, query.limit);
    return { items: page.rows.map(toRecipientView), nextCursor: page.nextCursor };
  }

  @Serve(endpoints.createRecipient)
  async create(@Call() { body, person }: CallOf<typeof endpoints.createRecipient>): Promise<RecipientView> {
    return this.database.transaction(async (em) => {
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

/** A sender's own recipient. @throws Failure `not_found`, also for another person's. */
export async function findRecipient(em: EntityManager, userId: string, id: string): Promise<Recipient> {
  const recipient = await em.findOne(Recipient, { id, userId, removedAt: null });
  if (!recipient) throw new Failure('not_found');
  return recipient;
}

function toRecipientView(recipient: Recipient): RecipientView {
  const { id, name, phone, email, ci, bankName, bankAccount, address, city, relationship } = recipient;
  const createdAt = recipient.createdAt.toISOString();
  return { id, name, phone, email, ci, bankName, bankAccount, address, city, relationship, createdAt };
}
