import { type FilterQuery, raw } from '@mikro-orm/core';
import { readSearch } from '#core/transfers/search';
import {
  abandonedStates,
  statesOf,
  type TransferState,
  type TransferStatus,
  underWayStates,
} from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { containing } from '#platform/database/search-text';
import { Transfer } from './transfer.entity.ts';

export interface TransferSearch extends PageQuery {
  readonly search?: string | undefined;
  readonly status?: TransferStatus | undefined;
  /** Only those that are paid and have not ended. */
  readonly progress?: 'under_way' | undefined;
}

/**
 * One page of transfers, newest first: a sender's own, or with `userId` null everybody's, where the search also looks at
 * the sender's name and e-mail. Of their own, a sender sees drafts that ended only by asking for that status. The search finds the recipient's name and every number of a transfer that our pages show,
 * accents and capitals aside. @throws Failure `invalid_input` for a cursor we did not give.
 */
export async function findTransfers(
  em: EntityManager,
  userId: string | null,
  query: TransferSearch,
): Promise<Page<Transfer>> {
  const { search, status, progress } = query;
  const where: FilterQuery<Transfer> = {
    ...(userId ? { userId } : {}),
    ...(status || progress ? { state: { $in: statesWanted(status, progress) } } : {}),
    ...(userId && !status ? { $or: [{ paidAt: { $ne: null } }, { state: { $nin: abandonedStates } }] } : {}),
    ...(search ? { $and: [matching(search, { senders: !userId })] } : {}),
  };
  const orderBy = { createdAt: 'desc', id: 'desc' } as const;
  return toPage(await em.findByCursor(Transfer, { where, orderBy, ...pageOptions(query, 'created') }));
}

function statesWanted(status: TransferStatus | undefined, progress: 'under_way' | undefined): TransferState[] {
  const states = status ? statesOf(status) : underWayStates;
  return progress ? states.filter((state) => underWayStates.includes(state)) : states;
}

/** A page of the transfers that wait for a decision, those whose hold ends first before. @throws Failure `invalid_input` for a foreign cursor. */
export async function findUndecided(em: EntityManager, query: PageQuery): Promise<Page<Transfer>> {
  const where = { state: 'in_review' } as const;
  const orderBy = { captureBefore: 'asc', id: 'asc' } as const;
  return toPage(await em.findByCursor(Transfer, { where, orderBy, ...pageOptions(query, 'created') }));
}

/**
 * What a transfer may match. The table and `search_form` are the database's own, see the migrations `transfer-search` and `search-apart`:
 * all conditions are about that table, so that PostgreSQL can begin with its indexes or with the newest transfers.
 */
function matching(search: string, { senders }: { senders: boolean }): FilterQuery<Transfer> {
  const { number, amount, ids } = readSearch(search);
  const patterns = [...new Set([search, ...(number ? [number] : [])])].map(containing);
  const conditions: readonly (readonly [sql: string, ...values: string[]])[] = [
    ...patterns.map((pattern) => ['s.search_text like search_form(?)', pattern] as const),
    ...(amount ? [['s.search_amounts like ?', `%=${amount}%`] as const] : []),
    ...(ids ? [['s.transfer_id between ? and ?', ids.first, ids.last] as const] : []),
    // An array, not a subquery: with it PostgreSQL can use the index on the sender beside that on the text.
    ...(senders ? [[`s.user_id = any(array(${sendersSql}))`, containing(search)] as const] : []),
  ];
  const any = conditions.map(([sql]) => sql).join(' or ');
  const values = conditions.flatMap(([, ...each]) => each);
  return {
    [raw((alias) => `${alias}.id in (select s.transfer_id from transfer_search as s where ${any})`, values)]: [],
  };
}

const sendersSql = 'select id from app_user where search_text like search_form(?)';
