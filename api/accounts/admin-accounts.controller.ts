import { Controller, Inject } from '@nestjs/common';
import type { AdminStats } from '#core/contracts/http/admin';
import type { AdminUserDetail, AdminUserView } from '#core/contracts/http/admin-users';
import { endpoints } from '#core/contracts/http/endpoints';
import { formatMinor } from '#core/money/money';
import {
  addAccountNote,
  readUserDetail,
  resetSecondFactor,
  revealPhone,
  setBlocked,
} from '#domain/account-oversight/account-oversight.repository';
import { decideRole, setAdminRole } from '#domain/account-oversight/admin-role';
import type { User } from '#domain/accounts/account.repository';
import { seesMasked } from '#domain/accounts/account.repository';
import { setHeld } from '#domain/accounts/legal-hold.repository';
import { searchAccounts } from '#domain/accounts/search-accounts';
import { readStats } from '#domain/transfers/stats';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { cutPage, readCursor } from '#platform/database/pages';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { LiveGateway } from '../live/live.gateway.ts';
import { ENV } from '../tokens.ts';

/** Accounts, and the admin panel's statistics. */
@Controller()
export class AdminAccountsController {
  constructor(
    private readonly database: Database,
    private readonly live: LiveGateway,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.adminUsers)
  async users(@Call() { query, person }: CallOf<typeof endpoints.adminUsers>) {
    const start = readCursor(query.cursor);
    const wanted = { search: query.search, masked: seesMasked(person.user), start, count: query.limit + 1 };
    const found = await this.database.read((em) => searchAccounts(em, wanted));
    const page = cutPage(found, query.limit);
    const items = page.rows.map(
      (row): AdminUserView => ({
        id: row.id,
        name: row.name,
        email: row.email,
        role: row.role,
        adminRole: row.adminRole,
        transactionsCount: row.paidCount,
        totalVolume: formatMinor(row.paidUsdMinor),
        lastActive: row.lastActiveAt?.toISOString() ?? null,
        closedAt: row.closedAt?.toISOString() ?? null,
        blockedAt: row.blockedAt?.toISOString() ?? null,
      }),
    );
    return { items, nextCursor: page.nextCursor };
  }

  @Serve(endpoints.adminUser)
  async user(@Call() { params, person }: CallOf<typeof endpoints.adminUser>) {
    return { user: await this.#detail(params.id, person.user) };
  }

  @Serve(endpoints.revealPhone)
  async revealPhone(@Call() { params, body }: CallOf<typeof endpoints.revealPhone>) {
    return { value: await this.database.transaction((em) => revealPhone(em, params.id, body.reason)) };
  }

  @Serve(endpoints.blockUser)
  async block(@Call() { params, body, person }: CallOf<typeof endpoints.blockUser>) {
    const input = { userId: params.id, ...body, adminId: person.user.id, at: new Date() };
    await this.database.transaction((em) => setBlocked(em, input));
    if (body.blocked) this.live.disconnectPerson(params.id);
    return { user: await this.#detail(params.id, person.user) };
  }

  @Serve(endpoints.holdUser)
  async hold(@Call() { params, body, person }: CallOf<typeof endpoints.holdUser>) {
    const input = { userId: params.id, ...body, ownerId: person.user.id, at: new Date() };
    await this.database.transaction((em) => setHeld(em, input));
    return { user: await this.#detail(params.id, person.user) };
  }

  @Serve(endpoints.resetSecondFactor)
  async resetSecondFactor(@Call() { params, body, person }: CallOf<typeof endpoints.resetSecondFactor>) {
    const input = { userId: params.id, reason: body.reason, adminId: person.user.id, at: new Date() };
    await this.database.transaction((em) => resetSecondFactor(em, input));
    this.live.disconnectPerson(params.id);
    return { user: await this.#detail(params.id, person.user) };
  }

  @Serve(endpoints.setRole)
  async setRole(@Call() { params, body, person }: CallOf<typeof endpoints.setRole>) {
    const input = { userId: params.id, role: body.adminRole, ownerId: person.user.id, at: new Date() };
    await this.database.transaction((em) => setAdminRole(em, input));
    this.live.disconnectPerson(params.id);
    return { user: await this.#detail(params.id, person.user) };
  }

  @Serve(endpoints.decideRole)
  async decideRole(@Call() { params, body, person }: CallOf<typeof endpoints.decideRole>) {
    const input = { userId: params.id, ...body, ownerId: person.user.id, at: new Date() };
    await this.database.transaction((em) => decideRole(em, input));
    if (body.approve) this.live.disconnectPerson(params.id);
    return { user: await this.#detail(params.id, person.user) };
  }

  @Serve(endpoints.noteUser)
  async note(@Call() { params, body, person }: CallOf<typeof endpoints.noteUser>) {
    const note = { userId: params.id, authorId: person.user.id, text: body.text, at: new Date() };
    await this.database.transaction((em) => addAccountNote(em, note));
    return { user: await this.#detail(params.id, person.user) };
  }

  #detail(userId: string, viewer: User): Promise<AdminUserDetail> {
    return readUserDetail(this.database.fork(), this.env.limits, { userId, viewer, at: new Date() });
  }

  @Serve(endpoints.adminStats)
  async stats(): Promise<AdminStats> {
    return this.database.read((em) => readStats(em, new Date()));
  }
}
