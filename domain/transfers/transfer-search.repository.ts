import { type FilterQuery, raw } from '@mikro-orm/core';
import { readSearch } from '#core/transfers/search';
import { statesOf, type TransferStatus } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { containing } from '#platform/database/search-text';
import { Transfer } from './transfer.entity.ts';

export interface TransferSearch extends PageQuery {
  readonly search?: string | undefined;
  readonly status?: TransferStatus | undefined;
  /** Only those without a recipient. */
  readonly recipient?: 'missing' | undefined;
}

/**
 * One page of transfers, newest first: a sender's own, or with `userId` null everybody's, where the search also looks at
 * the sender's name and e-mail. The search finds the recipient's name and every number of a transfer that our pages show,
 * accents and capitals aside. @throws Failure `invalid_input` for a cursor we did not give.
 */
export async function findTransfers(
  em: EntityManager,
  userId: string | null,
  query: TransferSearch,
): Promise<Page<Transfer>> {
  const { search, status, recipient } = query;
  const where: FilterQuery<Transfer> = {
    ...(userId ? { userId } : {}),
    ...(status ? { state: { $in: statesOf(status) } } : {}),
    ...(recipient === 'missing' ? { recipientId: null } : {}),
    ...(search ? { $or: matching(search, { senders: !userId }) } : {}),
  };
  const orderBy = { createdAt: 'desc', id: 'desc' } as const;
  return toPage(await em.findByCursor(Transfer, { where, orderBy, ...pageOptions(query, 'created') }));
}

/** What a transfer may match. The columns and `search_form` are the database's own, see the migration `transfer-search`. */
function matching(search: string, { senders }: { senders: boolean }): FilterQuery<Transfer>[] {
  const { number, amount, ids } = readSearch(search);
  const patterns = new Set([search, ...(number ? [number] : [])]);
  return [
    ...[...patterns].map((text) => condition((alias) => `${alias}.search_text like search_form(?)`, containing(text))),
    ...(amount ? [condition((alias) => `${alias}.search_amounts like ?`, `%=${amount}%`)] : []),
    ...(ids ? [{ id: { $gte: ids.first, $lte: ids.last } }] : []),
    // An array, not a subquery: with it PostgreSQL can use the index on the sender beside that on the text.
    ...(senders ? [condition((alias) => `${alias}.user_id = any(array(${sendersSql}))`, containing(search))] : []),
  ];
}

const sendersSql = 'select id from app_user where search_text like search_form(?)';

function condition(sql: (alias: string) => string, value: string): FilterQuery<Transfer> {
  return { [raw(sql, [value])]: [] };
}
