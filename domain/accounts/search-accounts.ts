import type { AdminRole } from '#core/accounts/admin-roles';
import { readSearch } from '#core/transfers/search';
import type { EntityManager } from '#platform/database/database';
import type { Position } from '#platform/database/pages';
import { containing } from '#platform/database/search-text';
import { searchedHashes } from '../personal-data/personal-data.ts';

/** A user with the total paid so far in US cents. */
export interface AccountRow {
  readonly id: string;
  readonly createdAt: Date;
  readonly name: string;
  readonly email: string;
  readonly role: 'user' | 'admin';
  readonly adminRole: AdminRole | null;
  readonly lastActiveAt: Date | null;
  readonly closedAt: Date | null;
  readonly blockedAt: Date | null;
  readonly paidCount: number;
  readonly paidUsdMinor: bigint;
}

/** The search text, and whether e-mail addresses are masked for the searching admin. */
export interface AccountSearch {
  readonly search: string;
  readonly masked: boolean;
}

/**
 * SQL: whether an account's name or e-mail address contains the search, ignoring accents. Masked addresses are only
 * found complete: otherwise they could be guessed letter by letter.
 */
export function namedSql({ search, masked }: AccountSearch): { sql: string; values: string[] } {
  const text = containing(search);
  if (!masked) return { sql: 'search_text like search_form(?)', values: [text] };
  return {
    // The first condition uses the index.
    sql: '(search_text like search_form(?) and (search_form(name) like search_form(?) or email = lower(?)))',
    values: [text, text, search],
  };
}

/** Users, newest account first; searches name and e-mail address (`namedSql`), and complete phones. */
export async function searchAccounts(
  em: EntityManager,
  query: { search?: string | undefined; masked: boolean; start: Position | null; count: number },
): Promise<AccountRow[]> {
  const { search, masked } = query;
  const conditions = ['true'];
  const values: unknown[] = [];
  if (search) {
    const named = namedSql({ search, masked });
    conditions.push(`(${named.sql} or phone_hash = any (?::text[]))`);
    values.push(...named.values, `{${searchedHashes(em, search, readSearch(search).number).join(',')}}`);
  }
  if (query.start) {
    conditions.push('(created_at, id) < (?::timestamptz, ?::uuid)');
    values.push(query.start.createdAt, query.start.id);
  }
  const rows = await em.execute<RawAccount[]>(
    `with page as (
       select * from app_user where ${conditions.join(' and ')} order by created_at desc, id desc limit ?
     )
     select page.id, page.created_at, page.name, page.email, page.role, page.admin_role, page.last_active_at, page.closed_at, page.blocked_at,
       coalesce(paid_count, 0) as count, coalesce(paid_usd_minor, 0)::text as usd_minor
     from page left join sender_total on user_id = page.id
     order by page.created_at desc, page.id desc`,
    [...values, query.count],
  );
  return rows.map((row) => ({
    id: row.id,
    createdAt: new Date(row.created_at),
    name: row.name,
    email: row.email,
    role: row.role,
    adminRole: row.role === 'admin' ? row.admin_role : null,
    lastActiveAt: momentOf(row.last_active_at),
    closedAt: momentOf(row.closed_at),
    blockedAt: momentOf(row.blocked_at),
    paidCount: row.count,
    paidUsdMinor: BigInt(row.usd_minor),
  }));
}

const momentOf = (value: string | Date | null) => (value === null ? null : new Date(value));

interface RawAccount {
  id: string;
  created_at: string | Date;
  name: string;
  email: string;
  role: 'user' | 'admin';
  admin_role: AdminRole | null;
  last_active_at: string | Date | null;
  closed_at: string | Date | null;
  blocked_at: string | Date | null;
  count: number;
  usd_minor: string;
}
