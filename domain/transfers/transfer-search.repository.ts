import { Cursor, type FilterQuery, raw } from '@mikro-orm/core';
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
import { type AccountSearch, namedSql } from '../accounts/search-accounts.ts';
import { searchedHashes } from '../personal-data/personal-data.ts';
import { lookNext, type SearchWindow, windowOf } from './search-windows.ts';
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
  /** Whether e-mail addresses are masked for who searches. */
  readonly masked?: boolean | undefined;
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
  /** Of those that were opened in a stretch of time, and maybe some besides; of all with null. */
  readonly byIndex: (stretch: Stretch | null) => FilterQuery<Transfer>;
  /** Whether an index knows stretches of time, so that the newest matches are found without the others. */
  readonly inWindows: boolean;
  /** So many of the newest are asked: what many have is found among them. What few have the index finds. */
  readonly walked: number;
}

interface Stretch extends SearchWindow {
  readonly until: Date;
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
    byIndex: () =>
      filter(
        (row) => `${row}.id = any(array(select transfer_id from transfer_search where ${all}))`,
        conditions.map(([, value]) => value),
      ),
    inWindows: false,
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
 * accents and capitals aside, and whole identity, account and phone numbers. A whole id or reference that is one's finds that transfer alone, and a
 * whole number that somebody has finds theirs, without asking texts, in which such digits stand everywhere. @throws Failure `invalid_input` for a cursor we did not give.
 */
export async function findTransfers(
  em: EntityManager,
  userId: string | null,
  query: TransferSearch & Pick<AllTransfersSearch, 'masked'>,
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
  return findTwoWays(em, userId, query, all, await matching(em, search, { userId, masked: query.masked ?? false }));
}

function findAmong(em: EntityManager, page: PageQuery, all: readonly FilterQuery<Transfer>[]) {
  const orderBy = { createdAt: 'desc', id: 'desc' } as const;
  return em.findByCursor(Transfer, { where: { $and: [...all] }, orderBy, ...pageOptions(page, 'created') });
}

/**
 * One page of transfers that two ways lead to. PostgreSQL cannot know how many rows have what is asked for, and with the wrong one of the ways it
 * reads every transfer, or sorts every tenth. What an index finds is asked for in longer and longer stretches of time: of what thousands have, older
 * ones than a page needs are not read.
 */
async function findTwoWays(
  em: EntityManager,
  userId: string | null,
  query: PageQuery,
  others: readonly FilterQuery<Transfer>[],
  { ofRow, byIndex, inWindows, walked }: TwoWays,
): Promise<Page<Transfer>> {
  const walk = await findWalked(em, userId, query, walked);
  if (!walk) return toPage(await findAmong(em, query, [...others, ofRow]));
  const near = await findAmong(em, query, [...others, ofRow, { createdAt: { $gte: walk.until } }]);
  if (near.hasNextPage) return toPage(near);
  const found = [...near.items];
  for (let until: Date | null = walk.until; until && found.length <= query.limit; ) {
    const since: Date = lookNext({ newest: walk.newest, until, matches: found.length }, query.limit + 1 - found.length);
    const window: SearchWindow | null = inWindows && since > walk.oldest ? windowOf(since, until) : null;
    const created = { $lt: until, ...(window && { $gte: window.from }) };
    const rest = [...others, byIndex(window && { ...window, until }), { createdAt: created }];
    // One more than fits says that there is another page.
    found.push(...(await findAmong(em, { limit: query.limit + 1 - found.length }, rest)).items);
    until = window?.from ?? null;
  }
  const rows = found.slice(0, query.limit);
  const last = found.length > query.limit ? rows.at(-1) : undefined;
  return { rows, nextCursor: last ? Cursor.encode([last.createdAt.toISOString(), last.id]) : null };
}

/** When the newest, the first one after the newest `walked`, and the oldest transfer were opened; null where there are no more than those. */
async function findWalked(
  em: EntityManager,
  userId: string | null,
  { cursor }: PageQuery,
  walked: number,
): Promise<{ newest: Date; until: Date; oldest: Date } | null> {
  const after = cursor === undefined ? null : positionOf(cursor);
  const conditions: readonly (readonly [sql: string, ...values: unknown[]])[] = [
    ...(userId ? [['user_id = ?', userId] as const] : []),
    ...(after ? [['(created_at, id) < (?::timestamptz, ?::uuid)', after.createdAt, after.id] as const] : []),
  ];
  const where = conditions.length > 0 ? `where ${conditions.map(([sql]) => sql).join(' and ')}` : '';
  const values = conditions.flatMap(([, ...of]) => of);
  const [row] = await em.execute<{ at: string | Date; newest: string | Date; oldest: string | Date }[]>(
    `select created_at as at, (select max(created_at) from transfer ${where}) as newest,
       (select min(created_at) from transfer ${where}) as oldest
     from transfer ${where} order by created_at desc, id desc offset ? limit 1`,
    [...values, ...values, ...values, walked],
  );
  return row ? { newest: new Date(row.newest), until: new Date(row.at), oldest: new Date(row.oldest) } : null;
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
 * the migrations `transfer-search`, `search-apart`, `search-numbers` and `search-windows`: all conditions are about that table.
 */
async function matching(
  em: EntityManager,
  search: string,
  { userId, masked }: { userId: string | null; masked: boolean },
): Promise<TwoWays> {
  const senders = userId === null;
  const { number, amount, ids } = readSearch(search);
  const hashes = searchedHashes(em, search, number);
  const isWhole = hashes.length > 0 && (await hasNumber(em, hashes, userId));
  // Text has no amount with cents in it, and three letters of one are in much of it; nor has it a number that somebody has.
  const texts = isWhole || (amount && !number) ? [] : [search, ...(number ? [number] : [])];
  const conditions: Condition[] = [
    ...(hashes.length > 0 ? [['s.hashes && ?::text[]', `{${hashes.join(',')}}`] as const] : []),
    ...[...new Set(texts)].map((text) => ['s.search_text like search_form(?)', containing(text)] as const),
    ...(ids ? [['s.transfer_id between ? and ?', ids.first, ids.last] as const] : []),
    ...(senders ? [[`s.transfer_id = any(array(${providersSql}))`, search, search] as const] : []),
  ];
  const ofSender = senders ? anyOf(sendersOf({ search, masked }, hashes, isWhole)) : null;
  const few = ofSender && (await findFewSenders(em, ofSender));
  const fewSent = few && few.length > 0 ? `{${few.join(',')}}` : null;
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
        if (fewSent) return `(${row}.user_id = any(?::uuid[]) or ${ofText})`;
        return many
          ? `(${ofText} or exists (select from app_user where id = ${row}.user_id and ${many.sql} offset 0))`
          : ofText;
      },
      [...(fewSent ? [fewSent] : []), ...ofRow.values, ...(many?.values ?? [])],
    ),
    byIndex: (stretch) => {
      const opened = stretch ? 'search_windows(s.opened_at) && ?::int[] and ' : '';
      const sent = stretch ? 'and created_at >= ? and created_at < ?' : '';
      return filter(
        (row) => `${row}.id = any(array(
          select s.transfer_id from transfer_search as s where ${own}${opened}${byIndex.sql}
          ${fewSent ? `union all select id from transfer where user_id = any(?::uuid[]) ${sent}` : ''}))`,
        [
          ...(userId ? [userId] : []),
          ...(stretch ? [`{${stretch.keys.join(',')}}`] : []),
          ...byIndex.values,
          ...(fewSent ? [fewSent, ...(stretch ? [stretch.from, stretch.until] : [])] : []),
        ],
      );
    },
    inWindows: true,
    walked: 500,
  };
}

/** Whether a transfer, one of the sender's own with `userId`, or with null a sender has one of these identity, account or phone numbers. */
async function hasNumber(em: EntityManager, hashes: readonly string[], userId: string | null): Promise<boolean> {
  const all = `{${hashes.join(',')}}`;
  const ofTransfer = `select from transfer_search where hashes && ?::text[] ${userId ? 'and user_id = ?' : ''}`;
  const ofSender = userId ? '' : 'union all select from app_user where phone_hash = any(?::text[])';
  // Materialized, so that it is planned for all of them: looking for one alone, PostgreSQL would read the table until it comes.
  const [row] = await em.execute<{ known: boolean }[]>(
    `with found as materialized (${ofTransfer} ${ofSender}) select exists (select from found) as known`,
    [all, userId ?? all],
  );
  return row?.known === true;
}

type Condition = readonly [sql: string, ...values: string[]];

function anyOf(conditions: readonly Condition[]): { sql: string; values: string[] } {
  return {
    sql: `(${conditions.map(([sql]) => sql).join(' or ')})`,
    values: conditions.flatMap(([, ...values]) => values),
  };
}

/** The same as the text of a row is asked, as its index has it (migrations `flat-filters` and `search-windows`). */
const amountKeySql = '(s.part = 0 and search_amount_keys(s.search_amounts) @> array[?])';

/** Senders by name or e-mail, and by a whole phone; with `isWhole` the search is a whole number of somebody, and so no name. */
function sendersOf(wanted: AccountSearch, hashes: readonly string[], isWhole: boolean): Condition[] {
  const { sql, values } = namedSql(wanted);
  return [
    ...(isWhole ? [] : [[sql, ...values] as const]),
    ...(hashes.length > 0 ? [['phone_hash = any(?::text[])', `{${hashes.join(',')}}`] as const] : []),
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
