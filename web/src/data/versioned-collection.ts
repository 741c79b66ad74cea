import {
  infiniteQueryOptions,
  type Query,
  type QueryClient,
  queryOptions,
  replaceEqualDeep,
} from '@tanstack/react-query';
import { askAgain } from '../lib/live.ts';
import { rememberedBy } from './query-client.ts';
import type { AppQueryKey } from './query-keys.ts';

/** One answer of a list that the server gives page by page. */
export interface Page<Row> {
  items: Row[];
  nextCursor: string | null;
  /** On the first page: ids of rows that belong there and came when it was full (`firstPageMax`). */
  held?: readonly string[];
}

/** A list as it lies in the query cache. */
export interface Pages<Row> {
  pages: Page<Row>[];
  pageParams: unknown[];
}

interface Options<Row, Filter> {
  readonly keys: {
    /** What the keys of all lists begin with. */
    readonly lists: AppQueryKey;
    /** The key of one list; its last part is the filter. */
    readonly list: (filter: Filter & object) => AppQueryKey;
    readonly one?: (id: string) => AppQueryKey;
  };
  readonly versionOf: (row: Row) => number;
  /** The order of the lists, as of `Array.sort`. */
  readonly compare: (a: Row, b: Row) => number;
  /** Whether a row stands in the list of a filter; null where only the server can say. */
  readonly belongs: (row: Row, filter: Filter) => boolean | null;
  /** For views of one row that have more than pushes bring: the pushed row with what only `known` has. */
  readonly merge?: (known: Row, pushed: Row) => Row;
  /** Rows remembered; those not seen for longest are forgotten first. */
  readonly rowsMax?: number;
  /** Pushes add rows to a list up to this number; further ones are held back until the admin shows them. */
  readonly firstPageMax?: number;
}

/** A burst of changes asks the server once. */
const askAgainMs = 300;

/**
 * The rows of one kind in every list and view of them. Rows come as answers and as pushes, in any order and more than once:
 * of each the highest version stays, whichever way it came and wherever it is shown.
 */
export class VersionedCollection<Row extends { readonly id: string }, Filter = object> {
  readonly #options: Options<Row, Filter>;
  readonly #known = new Map<string, { readonly row: Row; readonly pushedAs: number }>();
  #pushes = 0;
  #outOfDate: AppQueryKey[] = [];

  constructor(options: Options<Row, Filter>) {
    this.#options = options;
    rememberedBy(this);
  }

  /** Query of a list, page by page. `ask` gets the cursor of a page, undefined for the first. */
  list(filter: Filter & object, ask: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>) {
    return infiniteQueryOptions({
      queryKey: this.#options.keys.list(filter),
      queryFn: ({ pageParam, signal }) => this.#page(filter, () => ask(pageParam, signal)),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor,
      // Everything enters the cache through here, also an answer that was put together before a push.
      structuralSharing: (before, after) => replaceEqualDeep(before, this.#settled(after as Pages<Row>, filter)),
    });
  }

  /** Query of one row. */
  one<Found extends Row | null>(id: string, ask: (signal: AbortSignal) => Promise<Found>) {
    return queryOptions({
      queryKey: this.#keyOf(id),
      queryFn: async ({ signal }) => {
        const found = await ask(signal);
        if (!found) return found;
        const newest = this.#remember(found);
        return (newest === found || !this.#options.merge ? newest : this.#options.merge(found, newest)) as Found;
      },
    });
  }

  /** The newest version seen of a row, from whichever list or push. */
  known(id: string): Row | undefined {
    return this.#known.get(id)?.row;
  }

  /** Takes in a row from a push or from the answer to a change: every list and view shows it, if it is newer. */
  receive(queryClient: QueryClient, received: Row): void {
    this.#pushes += 1;
    const row = this.#remember(received, this.#pushes);
    const { keys, belongs, merge } = this.#options;
    for (const query of queryClient.getQueryCache().findAll({ queryKey: keys.lists })) {
      const filter = query.queryKey.at(-1) as Filter & object;
      queryClient.setQueryData<Pages<Row>>(query.queryKey, (list) => list && this.place(list, row, filter));
      if (belongs(row, filter) === null || isRefetched(query)) this.askAgainSoon(queryClient, query.queryKey);
    }
    if (keys.one)
      queryClient.setQueryData<Row>(keys.one(row.id), (known) => (merge ? known && merge(known, row) : row));
  }

  /**
   * Puts a row into a loaded list: replaces an older version, takes out what no longer belongs, adds what does. A row beyond
   * the last loaded page is left to its own page.
   */
  place(list: Pages<Row>, row: Row, filter: Filter): Pages<Row> {
    const { versionOf, belongs } = this.#options;
    const rows = rowsOf(list);
    const known = rows.find(({ id }) => id === row.id);
    const stays = belongs(row, filter);
    if (known) {
      if (versionOf(known) >= versionOf(row)) return list;
      return mapItems(list, (items) =>
        items.flatMap((item) => (item.id !== row.id ? item : stays === false ? [] : row)),
      );
    }
    if (stays) return this.#insert(list, row);
    return isHeld(list, row) ? withHeld(list, (held) => held.filter((id) => id !== row.id)) : list;
  }

  /** Reloads the first page, which includes the rows that were held back; later pages load on demand. */
  async showHeld(queryClient: QueryClient, filter: Filter & object): Promise<void> {
    const queryKey = this.#options.keys.list(filter);
    await queryClient.cancelQueries({ queryKey, exact: true });
    queryClient.setQueryData<Pages<Row>>(queryKey, (list) =>
      list ? { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) } : undefined,
    );
    await queryClient.invalidateQueries({ queryKey, exact: true });
  }

  /** Asks for what is under a key again, once for a burst of changes. */
  askAgainSoon(queryClient: QueryClient, queryKey: AppQueryKey): void {
    this.#outOfDate.push(queryKey);
    if (this.#outOfDate.length > 1) return;
    setTimeout(() => {
      const keys = new Map(this.#outOfDate.map((outOfDate) => [JSON.stringify(outOfDate), outOfDate]));
      this.#outOfDate = [];
      for (const outOfDate of keys.values()) void askAgain(queryClient, { queryKey: outOfDate });
    }, askAgainMs);
  }

  /** Forgets every row. */
  forget(): void {
    this.#known.clear();
  }

  #keyOf(id: string): AppQueryKey {
    const { one } = this.#options.keys;
    if (!one) throw new Error('These rows are shown in lists only');
    return one(id);
  }

  /** The newest of this row and all seen before. */
  #remember(row: Row, pushedAs = 0): Row {
    const { versionOf, rowsMax = 1000 } = this.#options;
    const known = this.#known.get(row.id);
    const kept = known && versionOf(known.row) > versionOf(row) ? known.row : row;
    this.#known.delete(row.id);
    this.#known.set(row.id, { row: kept, pushedAs: Math.max(pushedAs, known?.pushedAs ?? 0) });
    if (this.#known.size > rowsMax) this.#known.delete(this.#known.keys().next().value as string);
    return kept;
  }

  /** A page as the server answers, with what was pushed while the answer was on its way. */
  async #page(filter: Filter, ask: () => Promise<Page<Row>>): Promise<Page<Row>> {
    const pushesBefore = this.#pushes;
    const answer = await ask();
    const pages: Pages<Row> = {
      pages: [{ ...answer, items: answer.items.map((row) => this.#remember(row)) }],
      pageParams: [undefined],
    };
    const pushed = [...this.#known.values()].filter(({ pushedAs }) => pushedAs > pushesBefore);
    const page = pushed.reduce((list, { row }) => this.place(list, row, filter), pages).pages[0];
    return page ?? answer;
  }

  /** Every row once, in its newest version, in order, and only where it belongs. */
  #settled(list: Pages<Row>, filter: Filter): Pages<Row> {
    const seen = new Set<string>();
    const pages = list.pages.map(({ items }) =>
      items.flatMap((item) => {
        const row = this.#newer(item);
        if (seen.has(row.id) || this.#options.belongs(row, filter) === false) return [];
        seen.add(row.id);
        return row;
      }),
    );
    const rows = pages.flat().sort(this.#options.compare);
    return {
      ...list,
      pages: list.pages.map((page, index) => ({ ...page, items: rows.splice(0, pages[index]?.length ?? 0) })),
    };
  }

  #newer(row: Row): Row {
    const known = this.#known.get(row.id)?.row;
    return known && this.#options.versionOf(known) > this.#options.versionOf(row) ? known : row;
  }

  #insert(list: Pages<Row>, row: Row): Pages<Row> {
    const { compare, firstPageMax = Number.POSITIVE_INFINITY } = this.#options;
    const fits = list.pages.findIndex(({ items }) => items.some((item) => compare(row, item) < 0));
    const isLoadedWhole = list.pages.at(-1)?.nextCursor == null;
    if (fits < 0 && !isLoadedWhole && rowsOf(list).length > 0) return list;
    const target = fits < 0 ? list.pages.length - 1 : fits;
    if (target === 0 && (list.pages[0]?.items.length ?? 0) >= firstPageMax)
      return isHeld(list, row) ? list : withHeld(list, (held) => [...held, row.id]);
    const added = (page: Page<Row>) => ({ ...page, items: [...page.items, row].sort(compare) });
    return { ...list, pages: list.pages.map((page, index) => (index === target ? added(page) : page)) };
  }
}

/** All loaded rows of a list, in its order. */
export function rowsOf<Row>(list: Pick<Pages<Row>, 'pages'>): Row[] {
  return list.pages.flatMap(({ items }) => items);
}

const isHeld = <Row extends { readonly id: string }>(list: Pages<Row>, { id }: Row) =>
  list.pages[0]?.held?.includes(id) ?? false;

const withHeld = <Row>(list: Pages<Row>, change: (held: readonly string[]) => string[]): Pages<Row> => ({
  ...list,
  pages: list.pages.map((page, index) => (index === 0 ? { ...page, held: change(page.held ?? []) } : page)),
});

function mapItems<Row>(list: Pages<Row>, change: (items: Row[]) => Row[]): Pages<Row> {
  return { ...list, pages: list.pages.map((page) => ({ ...page, items: change(page.items) })) };
}

/** Whether all its pages are asked for again: their answers may be older than a push. Of a first answer or one more page `#page` takes care. */
function isRefetched({ state }: Query): boolean {
  return state.fetchStatus === 'fetching' && state.data !== undefined && !state.fetchMeta?.fetchMore;
}

/** Order of rows by their moment, the newest first; of one moment, the higher id first. */
export function newestFirst(a: { date: string; id: string }, b: { date: string; id: string }): number {
  return compareTexts(b.date, a.date) || compareTexts(b.id, a.id);
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
