import { Controller } from '@nestjs/common';
import type { AdminStats, AdminUserView } from '#core/contracts/http/admin';
import { endpoints } from '#core/contracts/http/endpoints';
import { formatMinor } from '#core/money/money';
import { searchAccounts } from '#domain/accounts/search-accounts';
import { readStats } from '#domain/transfers/stats';
import { Database } from '#platform/database/database';
import { cutPage, readCursor } from '#platform/database/pages';
import { Call, type CallOf, Serve } from '../http/serve.ts';

/** Accounts, and the admin panel's statistics. */
@Controller()
export class AdminAccountsController {
  constructor(private readonly database: Database) {}

  @Serve(endpoints.adminUsers)
  async users(@Call() { query }: CallOf<typeof endpoints.adminUsers>) {
    const start = readCursor(query.cursor);
    const found = await searchAccounts(this.database.fork(), { search: query.search, start, count: query.limit + 1 });
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
    return readStats(this.database.fork(), new Date());
  }
}
