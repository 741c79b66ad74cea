import type { AdminTransferView } from '#core/contracts/http/admin';
import type { TransferStatus } from '#core/transfers/states';
import { type Pages, replaceInPages } from '../../lib/versions.ts';

/** What narrows the list; the part of a query's key that says which transfers belong to it. */
export interface TransferFilter {
  readonly search?: string | undefined;
  readonly status?: TransferStatus | undefined;
}

type Row = AdminTransferView;
type Loaded = Pages<Row>;

/** All loaded transfers, newest first, none twice: while rows come in live, pages can overlap. */
export function rowsOf(pages: Loaded['pages']): Row[] {
  const byId = new Map<string, Row>();
  for (const item of pages.flatMap((page) => page.items)) {
    const known = byId.get(item.id);
    if (!known || known.version < item.version) byId.set(item.id, item);
  }
  return [...byId.values()].sort(newestFirst);
}

/**
 * Puts a pushed transfer into a loaded list: replaces an older version, takes out what no longer has the status, adds what
 * has it. What a search finds only the server knows: it adds nothing, and the list has to be asked for again.
 */
export function placeTransfer<List extends Loaded>(list: List, changed: Row, filter: TransferFilter): List {
  const known = rowsOf(list.pages).find((row) => row.id === changed.id);
  if (known && known.version >= changed.version) return list;
  const stays = !filter.status || changed.status === filter.status;
  if (known) return (stays && replaceInPages(list, changed)) || without(list, changed.id);
  return filter.search || !stays || isBeyondLoaded(list, changed) ? list : withNew(list, changed);
}

/**
 * Ids that came in since `before`: rows above the oldest one known then (older ones were loaded on demand), and rows that
 * only now wait for a decision.
 */
export function arrivals(before: readonly Row[], now: readonly Row[]): string[] {
  const known = new Map(before.map((row) => [row.id, row]));
  const oldest = before.at(-1);
  return now.filter((row) => isArrival(row, known.get(row.id), oldest)).map((row) => row.id);
}

function isArrival(row: Row, known: Row | undefined, oldest: Row | undefined): boolean {
  if (known) return known.state === 'awaiting_payment' && row.state === 'in_review';
  return oldest === undefined || newestFirst(row, oldest) < 0;
}

function newestFirst(a: Row, b: Row): number {
  return a.date === b.date ? compare(b.id, a.id) : compare(b.date, a.date);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Older than everything loaded while there is more to load: its own page will bring it. */
function isBeyondLoaded(list: Loaded, changed: Row): boolean {
  const oldest = rowsOf(list.pages).at(-1);
  const more = list.pages.at(-1)?.nextCursor != null;
  return more && oldest !== undefined && newestFirst(oldest, changed) < 0;
}

function withNew<List extends Loaded>(list: List, row: Row): List {
  const [first, ...others] = list.pages;
  const page = { items: [row, ...(first?.items ?? [])], nextCursor: first?.nextCursor ?? null };
  return { ...list, pages: [page, ...others] };
}

function without<List extends Loaded>(list: List, id: string): List {
  return {
    ...list,
    pages: list.pages.map((page) => ({ ...page, items: page.items.filter((item) => item.id !== id) })),
  };
}
