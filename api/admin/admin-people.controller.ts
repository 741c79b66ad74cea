import { Controller } from '@nestjs/common';
import type { AdminStats, AdminUserView } from '#core/contracts/http/admin';
import { endpoints } from '#core/contracts/http/endpoints';
import { formatMinor } from '#core/money';
import { Database } from '#platform/database/database';
import { Call, type CallOf, Serve } from '../contract/serve.ts';
import { cutPage, readCursor } from '../paging/pages.ts';
import { findPeople } from './people.ts';
import { readStats } from './stats.ts';

/** The people with accounts, and the figures of the house. */
@Controller()
export class AdminPeopleController {
  constructor(private readonly database: Database) {}

  @Serve(endpoints.adminUsers)
  async users(@Call() { query }: CallOf<typeof endpoints.adminUsers>) {
    const start = readCursor(query.cursor);
    const found = await findPeople(this.database.read(), { search: query.search, start, count: query.limit + 1 });
    const page = cutPage(found, query.limit);
    const items = page.rows.map(
      (row): AdminUserView => ({
        id: row.id,
        name: row.name,
        email: row.email,
        role: row.role,
        transactionsCount: row.paidCount,
        totalVolume: formatMinor(row.paidUsdMinor),
        lastActive: row.lastActiveAt?.toISOString() ?? null,
      }),
    );
    return { items, nextCursor: page.nextCursor };
  }

  @Serve(endpoints.adminStats)
  async stats(): Promise<AdminStats> {
    return readStats(this.database.read(), new Date());
  }
}
