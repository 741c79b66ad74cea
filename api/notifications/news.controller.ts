import { Controller } from '@nestjs/common';
import { isPermitted } from '#core/accounts/roles';
import { endpoints } from '#core/contracts/http/endpoints';
import type { NewsPage } from '#core/contracts/http/news';
import { adminRoleOf } from '#domain/accounts/account.repository';
import { listNews, readNews } from '#domain/notifications/news';
import { Database } from '#platform/database/database';
import { Call, type CallOf, Serve } from '../http/serve.ts';

/** A person's news in the product. */
@Controller()
export class NewsController {
  constructor(private readonly database: Database) {}

  @Serve(endpoints.listNews)
  list(@Call() { query, person }: CallOf<typeof endpoints.listNews>): Promise<NewsPage> {
    const reader = { userId: person.user.id, isAdmin: isPermitted(adminRoleOf(person.user), 'adminNews') };
    return listNews(this.database.fork(), reader, { ...query, now: new Date() });
  }

  @Serve(endpoints.readNews)
  async read(@Call() { body, person }: CallOf<typeof endpoints.readNews>): Promise<undefined> {
    const read = { userId: person.user.id, until: new Date(body.until), now: new Date() };
    await this.database.transaction((em) => readNews(em, read));
  }
}
