import { type FilterQuery, raw } from '@mikro-orm/core';
import type { AdminTransferViewName } from '#core/contracts/page-addresses';
import type { SendCurrency } from '#core/money/money';
import { shiftDay, startOfDay } from '#core/reconciliation/days';
import { laPazDay } from '#core/time/time';
import { readSearch } from '#core/transfers/search';
import {
  abandonedStates,
  statesOf,
  type TransferState,
  type TransferStatus,
  underWayStates,
} from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, positionOf, toPage } from '#platform/database/pages';
import { containing } from '#platform/database/search-text';
import { searchedHashes } from '../personal-data.ts';
import { Transfer } from './transfer.entity.ts';
import { stuckSql } from './transfer-figures.repository.ts';

export interface TransferSearch extends PageQuery {
  readonly search?: string | undefined;
  readonly status?: TransferStatus | undefined;
  /** Only those that are paid and have not ended. */
  readonly progress?: 'under_way' | undefined;
}

/** What else admins narrow the list of all transfers by. */
export interface AllTransfersSearch extends TransferSearch {
  readonly view?: AdminTransferViewName | undefined;
  /** Days of La Paz, "YYYY-MM-DD", both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly currency?: SendCurrency | undefined;
  /** What is paid, in minor units of the transfer's currency, both included. */
  readonly least?: bigint | undefined;
  readonly most?: bigint | undefined;
  readonly bank?: string | undefined;
  /** The id of who sends. */
  readonly sender?: string | undefined;
}

/** One page of everybody's transfers, newest first, at a moment. @throws Failure `invalid_input` for a cursor we did not give. */
export function findAllTransfers(em: EntityManager, query: AllTransfersSearch, at: Date): Promise<Page<Transfer>> {
  const { sender, currency, from, to } = query;
  const since = query.view === 'today' ? laPazDay(at) : '';
  const first = from && from > since ? from : since;
  const ofCurrency: FilterQuery<Transfer>[] = currency ? [{ currency }] : [];
  const others: FilterQuery<Transfer>[] = [
    ...(sender ? [{ userId: sender }] : []),
    ...(first ? [{ createdAt: { $gte: startOfDay(first) } }] : []),
    ...(to ? [{ createdAt: { $lt: startOfDay(shiftDay(to, 1)) } }] : []),
    ...(query.view === 'to_decide' ? [{ state: 'in_review' } as const] : []),
    ...(query.view === 'stuck' ? [within(stuckSql, [at, at])] : []),
    // The bank stands beside what is searched: its index costs a transfer's moves nothing there.
    ...(query.bank ? [within('select transfer_id from transfer_search where bank_name = ?', [query.bank])] : []),
  ];
  const amounts = amountsOf(query);
  const { search, status, progress } = query;
  const isNarrowed = others.length > 0 || search || status || progress;
  if (amounts && !isNarrowed) return findTwoWays(em, null, query, ofCurrency, amounts);
  // Beside other conditions it is asked of each row that those leave: nearly all transfers may have such an amount.
  return findTransfers(em, null, query, [...others, ...ofCurrency, ...(amounts ? [amounts.ofRow] : [])]);
}

/** Two ways to the same transfers: by asking newest first one after the other, and by an index that finds them all. */
interface TwoWays {
  readonly ofRow: FilterQuery<Transfer>;
  readonly byIndex: FilterQuery<Transfer>;
  /** So many of the newest are asked: what many have is found among them. What few have the index finds. */
  readonly walked: number;
}

/** What is paid, from `least` to `most`. The index of the list by time has the amount in it, so many of them are asked soon. */
function amountsOf({ least, most }: AllTransfersSearch): TwoWays | null {
  if (least === undefined && most === undefined) return null;
  const conditions: readonly (readonly [sql: string, value: string])[] = [
    ...(least === undefined ? [] : [['amount_minor >= ?', `${least}`] as const]),
    ...(most === undefined ? [] : [['amount_minor <= ?', `${most}`] as const]),
  ];
  const all = conditions.map(([sql]) => sql).join(' and ');
  return {
    ofRow: {
      amountMinor: {
        ...(least === undefined ? {} : { $gte: least }),
        ...(most === undefined ? {} : { $lte: most }),
      },
    },
    byIndex: filter(
      (row) => `${row}.id = any(array(select transfer_id from transfer_search where ${all}))`,
      conditions.map(([, value]) => value),
    ),
    walked: 10_000,
  };
}

/** Transfers whose ids a statement finds. */
function within(sql: string, values: readonly (string | Date)[]): FilterQuery<Transfer> {
  return filter((row) => `${row}.id in (${sql})`, values);
}

/** A condition in SQL of the row whose alias it is given. */
function filter(sql: (row: string) => string, values: readonly (string | Date)[]): FilterQuery<Transfer> {
  return { [raw(sql, [...values])]: [] };
}

/**
 * One page of transfers, newest first: a sender's own, or with `userId` null everybody's, where the search also looks at
 * the sender's name, e-mail and phone, and for the numbers that Stripe and the bank gave us. `more`: further conditions. Of their own, a sender sees drafts that ended only by asking for that status. The search finds the recipient's name and every number of a transfer that our pages show,
 * accents and capitals aside, and whole identity, account and phone numbers. A whole id or reference that is one's finds that transfer alone,
 * without asking texts, in which such digits stand everywhere. @throws Failure `invalid_input` for a cursor we did not give.
 */
export async function findTransfers(
  em: EntityManager,
  userId: string | null,
  query: TransferSearch,
  more: readonly FilterQuery<Transfer>[] = [],
): Promise<Page<Transfer>> {
  const { search, status, progress } = query;
  const where: FilterQuery<Transfer> = {
    ...(userId ? { userId } : {}),
    ...(status || progress ? { state: { $in: statesWanted(status, progress) } } : {}),
    ...(userId && !status ? { $or: [{ paidAt: { $ne: null } }, { state: { $nin: abandonedStates } }] } : {}),
  };
  const all = [where, ...more];
  if (!search) return toPage(await findAmong(em, query, all));
  const { ids } = readSearch(search);
  if (ids?.whole) {
    const ofId = filter(
      (row) => `${row}.id = any(array(select id from transfer where id between ? and ?))`,
      [ids.first, ids.last],
    );
    const one = await findAmong(em, query, [...all, ofId]);
    if (one.items.length > 0) return toPage(one);
  }
  return findTwoWays(em, userId, query, all, await matching(em, search, { userId }));
}

function findAmong(em: EntityManager, page: PageQuery, all: readonly FilterQuery<Transfer>[]) {
  const orderBy = { createdAt: 'desc', id: 'desc' } as const;
  return em.findByCursor(Transfer, { where: { $and: [...all] }, orderBy, ...pageOptions(page, 'created') });
}

/**
 * One page of transfers that two ways lead to. PostgreSQL cannot know how many rows have what is asked for, and with the wrong one of the ways it
 * reads every transfer, or sorts every tenth.
 */
async function findTwoWays(
  em: EntityManager,
  userId: string | null,
  query: PageQuery,
  others: readonly FilterQuery<Transfer>[],
  { ofRow, byIndex, walked }: TwoWays,
): Promise<Page<Transfer>> {
  const since = await findWalked(em, userId, query, walked);
  if (!since) return toPage(await findAmong(em, query, [...others, ofRow]));
  const near = await findAmong(em, query, [...others, ofRow, { createdAt: { $gte: since } }]);
  if (near.hasNextPage) return toPage(near);
  const missing = query.limit - near.items.length;
  const rest = [...others, byIndex, { createdAt: { $lt: since } }];
  const far = await findAmong(em, { limit: Math.max(missing, 1) }, rest);
  return {
    rows: [...near.items, ...far.items].slice(0, query.limit),
    nextCursor: missing > 0 ? toPage(far).nextCursor : far.items.length > 0 ? near.endCursor : null,
  };
}

/** When the first transfer after the newest `walked` ones was opened; null where there are no more. */
async function findWalked(
  em: EntityManager,
  userId: string | null,
  { cursor }: PageQuery,
  walked: number,
): Promise<Date | null> {
  const after = cursor === undefined ? null : positionOf(cursor);
  const conditions: readonly (readonly [sql: string, ...values: unknown[]])[] = [
    ...(userId ? [['user_id = ?', userId] as const] : []),
    ...(after ? [['(created_at, id) < (?::timestamptz, ?::uuid)', after.createdAt, after.id] as const] : []),
  ];
  const where = conditions.length > 0 ? `where ${conditions.map(([sql]) => sql).join(' and ')}` : '';
  const [row] = await em.execute<{ at: string | Date }[]>(
    `select created_at as at from transfer ${where} order by created_at desc, id desc offset ? limit 1`,
    [...conditions.flatMap(([, ...values]) => values), walked],
  );
  return row ? new Date(row.at) : null;
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
 * What a transfer may match: asked of one row after the other, or found by the indexes. The table and `search_form` are the database's own, see
 * the migrations `transfer-search`, `search-apart` and `search-numbers`: all conditions are about that table.
 */
async function matching(em: EntityManager, search: string, { userId }: { userId: string | null }): Promise<TwoWays> {
  const senders = userId === null;
  const { number, amount, ids } = readSearch(search);
  // Text has no amount with cents in it, and three letters of one are in much of it.
  const texts = amount && !number ? [] : [search, ...(number ? [number] : [])];
  const hashes = `{${searchedHashes(em, search, number).join(',')}}`;
  const conditions: Condition[] = [
    ...(hashes === '{}' ? [] : [['s.hashes && ?::text[]', hashes] as const]),
    ...[...new Set(texts)].map((text) => ['s.search_text like search_form(?)', containing(text)] as const),
    ...(ids ? [['s.transfer_id between ? and ?', ids.first, ids.last] as const] : []),
    ...(senders ? [[`s.transfer_id = any(array(${providersSql}))`, search, search] as const] : []),
  ];
  const ofSender = senders ? anyOf(sendersOf(search, hashes)) : null;
  const few = ofSender && (await findFewSenders(em, ofSender));
  if (few && few.length > 0) conditions.push(['s.user_id = any(?::uuid[])', `{${few.join(',')}}`]);
  const many = few ? null : ofSender;
  const ofRow = anyOf([...conditions, ...(amount ? [['s.search_amounts like ?', `%=${amount}%`] as const] : [])]);
  const byIndex = anyOf([
    ...conditions,
    ...(amount ? [[amountKeySql, amount] as const] : []),
    // An array, not a subquery: with it PostgreSQL can use the index on the sender beside that on the text.
    ...(many ? [[`s.user_id = any(array(select id from app_user where ${many.sql}))`, ...many.values] as const] : []),
  ]);
  const own = userId ? 's.user_id = ? and ' : '';
  return {
    // With an offset the parts stay questions about each row.
    ofRow: filter(
      (row) => {
        const ofText = `exists (select from transfer_search as s where s.transfer_id = ${row}.id and ${ofRow.sql} offset 0)`;
        return many
          ? `(${ofText} or exists (select from app_user where id = ${row}.user_id and ${many.sql} offset 0))`
          : ofText;
      },
      [...ofRow.values, ...(many?.values ?? [])],
    ),
    byIndex: filter(
      (row) => `${row}.id = any(array(select s.transfer_id from transfer_search as s where ${own}${byIndex.sql}))`,
      [...(userId ? [userId] : []), ...byIndex.values],
    ),
    walked: 500,
  };
}

type Condition = readonly [sql: string, ...values: string[]];

function anyOf(conditions: readonly Condition[]): { sql: string; values: string[] } {
  return {
    sql: `(${conditions.map(([sql]) => sql).join(' or ')})`,
    values: conditions.flatMap(([, ...values]) => values),
  };
}

/** The same as the text of a row is asked, as its index has it (migration `flat-filters`). */
const amountKeySql = '(s.part = 0 and search_amount_keys(s.search_amounts) @> array[?])';

/** Senders by name or e-mail, and by a whole phone. */
function sendersOf(search: string, hashes: string): Condition[] {
  return [
    ['search_text like search_form(?)', containing(search)],
    ...(hashes === '{}' ? [] : [['phone_hash = any(?::text[])', hashes] as const]),
  ];
}

/** So many senders are named in the statements; rows are asked for theirs where more have what is searched, and not all of these read. */
const fewSenders = 100;

/** The ids of senders; null where there are more than a few. */
async function findFewSenders(em: EntityManager, { sql, values }: { sql: string; values: string[] }) {
  const rows = await em.execute<{ id: string }[]>(
    `select id from app_user where ${sql} limit ${fewSenders + 1}`,
    values,
  );
  return rows.length > fewSenders ? null : rows.map(({ id }) => id);
}

/** Whole numbers of charges, refunds, payouts and disputes, as their providers write them. */
const providersSql = `select transfer_id from operation where provider_reference = ?
  union all select transfer_id from dispute where id = ?`;
