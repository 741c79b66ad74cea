import { statesOf, type TransferStatus } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { cutPage, readCursor } from '#platform/database/pages';
import { containing, literal } from '#platform/database/search-text';
import { Transfer } from './transfer.entity.ts';

export interface TransferSearch {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly search?: string | undefined;
  readonly status?: TransferStatus | undefined;
  /** Only those without a recipient. */
  readonly recipient?: 'missing' | undefined;
}

/**
 * One page of transfers, newest first: a sender's own, or with `userId` null everybody's, where the search also looks at
 * the sender's name and e-mail. @throws Failure `invalid_input` for a cursor we did not give.
 */
export async function findTransfers(
  em: EntityManager,
  userId: string | null,
  query: TransferSearch,
): Promise<{ rows: readonly Transfer[]; nextCursor: string | null }> {
  const conditions = [...within(userId, query), ...matching(userId, query.search)];
  const found = await em.execute<{ id: string }[]>(
    `select t.id from transfer t join app_user u on u.id = t.user_id
     where ${['true', ...conditions.map(({ sql }) => sql)].join(' and ')}
     order by t.created_at desc, t.id desc limit ?`,
    [...conditions.flatMap(({ values }) => values), query.limit + 1],
  );
  const rows = await em.find(
    Transfer,
    { id: { $in: found.map(({ id }) => id) } },
    { orderBy: { createdAt: 'desc', id: 'desc' } },
  );
  return cutPage(rows, query.limit);
}

interface Condition {
  readonly sql: string;
  readonly values: unknown[];
}

function within(userId: string | null, query: TransferSearch): Condition[] {
  const start = readCursor(query.cursor);
  const conditions: Condition[] = [];
  if (userId) conditions.push({ sql: 't.user_id = ?', values: [userId] });
  if (start)
    conditions.push({ sql: '(t.created_at, t.id) < (?::timestamptz, ?::uuid)', values: [start.createdAt, start.id] });
  if (query.recipient === 'missing') conditions.push({ sql: 't.recipient_id is null', values: [] });
  if (query.status) {
    const states = statesOf(query.status);
    conditions.push({ sql: `t.state in (${states.map(() => '?').join(', ')})`, values: states });
  }
  return conditions;
}

function matching(userId: string | null, search: string | undefined): Condition[] {
  if (!search) return [];
  const part = containing(search);
  // A receipt's number is the beginning of the id.
  const idStart = `${literal(search.toLowerCase().replace(/^chq-/, ''))}%`;
  const own = `t.payout_target ->> 'name' ilike ? or t.id::text like ?`;
  if (userId) return [{ sql: `(${own})`, values: [part, idStart] }];
  return [{ sql: `(${own} or u.name ilike ? or u.email ilike ?)`, values: [part, idStart, part, part] }];
}
