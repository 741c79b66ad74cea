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

/** Additional filters of the admins' list of all transfers. */
export interface AllTransfersSearch extends TransferSearch {
  readonly view?: AdminTransferViewName | undefined;
  /** Days of La Paz, "YYYY-MM-DD", both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly currency?: SendCurrency | undefined;
  /** Amount paid, in minor units of the transfer's currency, both included. */
  readonly least?: bigint | undefined;
  readonly most?: bigint | undefined;
  readonly bank?: string | undefined;
  /** The sender's id. */
  readonly sender?: string | undefined;
  /** Whether e-mail addresses are masked for the searching admin. */
  readonly masked?: boolean | undefined;
}

/** One page of all transfers, newest first, at a moment. @throws Failure `invalid_input` for a foreign cursor. */
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
    // The bank is stored in the search table, where its index does not slow down a transfer's moves.
    ...(query.bank ? [within('select transfer_id from transfer_search where bank_name = ?', [query.bank])] : []),
  ];
  const amounts = amountsOf(query);
  const { search, status, progress } = query;
  const isNarrowed = others.length > 0 || search || status || progress;
  if (amounts && !isNarrowed) return findTwoWays(em, null, query, ofCurrency, amounts);
  // With other conditions the amount is checked for each remaining row, because nearly all transfers may match it.
  return findTransfers(em, null, query, [...others, ...ofCurrency, ...(amounts ? [amounts.ofRow] : [])]);
}

/** Two plans for the same transfers: walking from the newest, and an index that finds all matches. */
interface TwoWays {
  readonly ofRow: FilterQuery<Transfer>;
  /** Matches opened in a time window, and maybe some others; all of them with null. */
  readonly byIndex: (stretch: Stretch | null) => FilterQuery<Transfer>;
  /** Whether the index knows time windows, so that the newest matches are found without the others. */
  readonly inWindows: boolean;
  /** How many of the newest are walked: frequent matches are found among them, rare ones by the index. */
  readonly walked: number;
}

interface Stretch extends SearchWindow {
  readonly until: Date;
}

/**
 * The amount paid, from `least` to `most`. The index of the list by time includes the amount, so walking many rows is
 * fast.
 */
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

/** Transfers by the ids that a statement selects. */
function within(sql: string, values: readonly (string | Date)[]): FilterQuery<Transfer> {
  return filter((row) => `${row}.id in (${sql})`, values);
}

/** An SQL condition on the row with the given alias. */
function filter(sql: (row: string) => string, values: readonly (string | Date)[]): FilterQuery<Transfer> {
  return { [raw(sql, [...values])]: [] };
}

/**
 * One page of transfers, newest first: a sender's own, or everybody's with `userId` null, where the search also covers
 * the sender's name, e-mail and phone, and references of Stripe and the bank. `more`: further conditions. Senders see
 * ended drafts only by filtering for that status. The search covers the recipient's name and every reference shown on
 * our pages, ignoring accents and capitals, and complete identity, account and phone numbers. A complete id or
 * reference of a transfer finds only that one, and a complete stored number only its transfers, without searching
 * texts, where such digits occur everywhere.
 * @throws Failure `invalid_input` for a foreign cursor.
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
 * One page of transfers that two plans can find. PostgreSQL cannot estimate how many rows match, and with the wrong
 * plan it reads every transfer, or sorts every tenth. The index is queried in longer and longer time windows, so that
 * among thousands of matches, only those that a page needs are read.
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
    // One more than fits shows that there is another page.
    found.push(...(await findAmong(em, { limit: query.limit + 1 - found.length }, rest)).items);
    until = window?.from ?? null;
  }
  const rows = found.slice(0, query.limit);
  const last = found.length > query.limit ? rows.at(-1) : undefined;
  return { rows, nextCursor: last ? Cursor.encode([last.createdAt.toISOString(), last.id]) : null };
}

/**
 * The opening times of the newest, the first after the newest `walked`, and the oldest transfer; null if there are no
 * more than those.
 */
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

/**
 * A page of the transfers awaiting a decision, earliest end of the authorization first.
 * @throws Failure `invalid_input` for a foreign cursor.
 */
export async function findUndecided(em: EntityManager, query: PageQuery): Promise<Page<Transfer>> {
  const where = { state: 'in_review' } as const;
  const orderBy = { captureBefore: 'asc', id: 'asc' } as const;
  return toPage(await em.findByCursor(Transfer, { where, orderBy, ...pageOptions(query, 'created') }));
}

/**
 * The conditions of a search, checked row by row or by the indexes. The baseline migration defines `search_form` and the search table,
 * to which all conditions refer.
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
  // Texts contain no amount with cents, and three characters of one occur in many of them; nor do they contain a stored
  // number.
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
    // An array, not a subquery, lets PostgreSQL combine the index on the sender with that on the text.
    ...(many ? [[`s.user_id = any(array(select id from app_user where ${many.sql}))`, ...many.values] as const] : []),
  ]);
  const own = userId ? 's.user_id = ? and ' : '';
  return {
    // The offset keeps these conditions as checks of each row.
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

/**
 * Whether a transfer of the sender `userId` (null: any transfer or sender) has one of these identity, account or phone
 * numbers.
 */
async function hasNumber(em: EntityManager, hashes: readonly string[], userId: string | null): Promise<boolean> {
  const all = `{${hashes.join(',')}}`;
  const ofTransfer = `select from transfer_search where hashes && ?::text[] ${userId ? 'and user_id = ?' : ''}`;
  const ofSender = userId ? '' : 'union all select from app_user where phone_hash = any(?::text[])';
  // Materialized, so that it is planned for all of them: for a single row PostgreSQL would scan the table.
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

/** The condition on a row's text, as the index `transfer_search_amount_windows` has it. */
const amountKeySql = '(s.part = 0 and search_amount_keys(s.search_amounts) @> array[?])';

/** Senders by name or e-mail, and by a complete phone; with `isWhole` the search is a stored number, and so no name. */
function sendersOf(wanted: AccountSearch, hashes: readonly string[], isWhole: boolean): Condition[] {
  const { sql, values } = namedSql(wanted);
  return [
    ...(isWhole ? [] : [[sql, ...values] as const]),
    ...(hashes.length > 0 ? [['phone_hash = any(?::text[])', `{${hashes.join(',')}}`] as const] : []),
  ];
}

/** Maximum senders listed in a statement; if more match, their names are checked row by row instead. */
const fewSenders = 100;

/** The ids of matching senders; null if there are more than a few. */
async function findFewSenders(em: EntityManager, { sql, values }: { sql: string; values: string[] }) {
  const rows = await em.execute<{ id: string }[]>(
    `select id from app_user where ${sql} limit ${fewSenders + 1}`,
    values,
  );
  return rows.length > fewSenders ? null : rows.map(({ id }) => id);
}

/** Complete references of charges, refunds, payouts and disputes, as their providers write them. */
const providersSql = `select transfer_id from operation where provider_reference = ?
  union all select transfer_id from dispute where id = ?`;
