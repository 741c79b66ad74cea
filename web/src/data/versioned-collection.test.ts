import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { adminTransferKeys } from './admin-query-keys.ts';
import { forgetRows } from './query-client.ts';
import { newestFirst, type Page, rowsOf, VersionedCollection } from './versioned-collection.ts';

interface Row {
  readonly id: string;
  readonly version: number;
  readonly date: string;
  readonly status: string;
  readonly note?: string | undefined;
}

interface Filter {
  readonly status?: string;
  readonly search?: string;
}

const row = (id: string, version = 1, more: Partial<Row> = {}): Row => ({
  id,
  version,
  // "a" is the oldest.
  date: `2026-11-2${id.charCodeAt(0) - 97}`,
  status: 'pending',
  ...more,
});

function newCollection(options: { withNotes?: boolean; rowsMax?: number; firstPageMax?: number } = {}) {
  return new VersionedCollection<Row, Filter>({
    keys: adminTransferKeys,
    versionOf: ({ version }) => version,
    compare: newestFirst,
    belongs: ({ status }, filter) => (filter.status && status !== filter.status ? false : filter.search ? null : true),
    ...(options.withNotes && { merge: (known, pushed) => ({ ...pushed, note: known.note }) }),
    ...(options.rowsMax && { rowsMax: options.rowsMax }),
    ...(options.firstPageMax && { firstPageMax: options.firstPageMax }),
  });
}

/** A list on screen whose answers the test gives, one request after another. */
function showList(collection: VersionedCollection<Row, Filter>, filter: Filter = {}) {
  const requests: { cursor: string | undefined; answer: (page: Page<Row>) => Promise<void> }[] = [];
  const options = collection.list(
    filter,
    (cursor) =>
      new Promise<Page<Row>>((resolve) => {
        const answer = async (page: Page<Row>) => {
          resolve(page);
          await vi.advanceTimersByTimeAsync(0);
        };
        requests.push({ cursor, answer });
      }),
  );
  const observer = new InfiniteQueryObserver(queryClient, options);
  unsubscribe.push(observer.subscribe(() => undefined));
  const rows = () => rowsOf(queryClient.getQueryData(options.queryKey) ?? { pages: [] });
  return { requests, observer, rows, versions: () => rows().map(({ id, version }) => `${id}${version}`) };
}

const page = (nextCursor: string | null, ...items: Row[]): Page<Row> => ({ items, nextCursor });

let queryClient: QueryClient;
const unsubscribe: (() => void)[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } } });
});
afterEach(() => {
  for (const stop of unsubscribe.splice(0)) stop();
  queryClient.clear();
  vi.useRealTimers();
});

describe('a push while the first answer of a list is on its way', () => {
  it('a row of the answer is shown as the push has it, when the answer is older', async () => {
    const collection = newCollection();
    const list = showList(collection);
    collection.receive(queryClient, row('b', 3));
    await list.requests[0]!.answer(page(null, row('b', 2), row('a', 1)));
    expect(list.versions()).toEqual(['b3', 'a1']);
  });

  it('a row that the answer does not know yet is shown in its place', async () => {
    const collection = newCollection();
    const list = showList(collection);
    collection.receive(queryClient, row('b'));
    await list.requests[0]!.answer(page(null, row('c'), row('a')));
    expect(list.versions()).toEqual(['c1', 'b1', 'a1']);
  });

  it('a row that left the status of the list is not shown', async () => {
    const collection = newCollection();
    const list = showList(collection, { status: 'pending' });
    collection.receive(queryClient, row('b', 3, { status: 'completed' }));
    await list.requests[0]!.answer(page(null, row('b', 2), row('a')));
    expect(list.versions()).toEqual(['a1']);
  });

  it('a list under a search is asked anew, and the first answer is not taken', async () => {
    const collection = newCollection();
    const list = showList(collection, { search: 'rosa' });
    collection.receive(queryClient, row('b'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(list.requests).toHaveLength(2);
    await list.requests[0]!.answer(page(null));
    await list.requests[1]!.answer(page(null, row('b')));
    expect(list.versions()).toEqual(['b1']);
    expect(list.observer.getCurrentResult().isFetching).toBe(false);
  });
});

describe('a push for a list that is loaded', () => {
  it('a newer version takes the place of the row, an older or equal one changes nothing', async () => {
    const collection = newCollection();
    const list = showList(collection);
    await list.requests[0]!.answer(page(null, row('b', 2), row('a', 1)));
    for (const version of [4, 3, 4]) collection.receive(queryClient, row('b', version));
    expect(list.versions()).toEqual(['b4', 'a1']);
  });

  it('a row that is not loaded yet is added where it belongs by its date', async () => {
    const collection = newCollection();
    const list = showList(collection);
    await list.requests[0]!.answer(page('more', row('e'), row('c')));
    collection.receive(queryClient, row('f'));
    collection.receive(queryClient, row('d'));
    expect(list.versions()).toEqual(['f1', 'e1', 'd1', 'c1']);
  });

  it('a row older than all that is loaded waits for its page, and is then shown once, as the push had it', async () => {
    const collection = newCollection();
    const list = showList(collection);
    await list.requests[0]!.answer(page('more', row('e'), row('d')));
    collection.receive(queryClient, row('a', 5));
    expect(list.versions()).toEqual(['e1', 'd1']);
    void list.observer.fetchNextPage();
    await list.requests[1]!.answer(page(null, row('b'), row('a', 4)));
    expect(list.versions()).toEqual(['e1', 'd1', 'b1', 'a5']);
  });

  it('a row older than all others is added when there are no more pages, also to an empty list', async () => {
    const collection = newCollection();
    const list = showList(collection);
    await list.requests[0]!.answer(page(null));
    collection.receive(queryClient, row('b'));
    collection.receive(queryClient, row('a'));
    expect(list.versions()).toEqual(['b1', 'a1']);
  });

  it('a row leaves the list of its old status and enters that of its new one', async () => {
    const collection = newCollection();
    const pending = showList(collection, { status: 'pending' });
    const completed = showList(collection, { status: 'completed' });
    await pending.requests[0]!.answer(page(null, row('b'), row('a')));
    await completed.requests[0]!.answer(page(null));
    collection.receive(queryClient, row('b', 2, { status: 'completed' }));
    expect([pending.versions(), completed.versions()]).toEqual([['a1'], ['b2']]);
  });

  it('a list under a search takes newer versions of its rows at once, and asks the server about others, once a burst', async () => {
    const collection = newCollection();
    const list = showList(collection, { search: 'rosa' });
    await list.requests[0]!.answer(page(null, row('a')));
    for (const changed of [row('a', 2), row('b'), row('c')]) collection.receive(queryClient, changed);
    expect(list.versions()).toEqual(['a2']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(list.requests).toHaveLength(2);
  });

  it('rows of a list that nobody loaded are kept for nobody', () => {
    const collection = newCollection();
    collection.receive(queryClient, row('a'));
    expect(queryClient.getQueryCache().findAll({ queryKey: adminTransferKeys.lists })).toEqual([]);
  });
});

describe('a push while a loaded list is asked for again', () => {
  it('one more page that comes later sets no row back and loses none', async () => {
    const collection = newCollection();
    const list = showList(collection, { status: 'pending' });
    await list.requests[0]!.answer(page('more', row('e'), row('d')));
    void list.observer.fetchNextPage();
    await vi.advanceTimersByTimeAsync(0);
    collection.receive(queryClient, row('e', 2));
    collection.receive(queryClient, row('d', 2, { status: 'completed' }));
    collection.receive(queryClient, row('f'));
    await list.requests[1]!.answer(page(null, row('b'), row('a')));
    expect(list.versions()).toEqual(['f1', 'e2', 'b1', 'a1']);
  });

  it('an older answer sets no row back, and the list is asked once more for what it may have lost', async () => {
    const collection = newCollection();
    const list = showList(collection);
    await list.requests[0]!.answer(page('more', row('d')));
    void list.observer.refetch();
    await vi.advanceTimersByTimeAsync(0);
    collection.receive(queryClient, row('d', 2));
    await list.requests[1]!.answer(page('more', row('d', 1)));
    expect(list.versions()).toEqual(['d2']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(list.requests).toHaveLength(3);
  });

  it('pages that overlap show a row once, in its newest version', async () => {
    const collection = newCollection();
    const list = showList(collection);
    await list.requests[0]!.answer(page('more', row('c'), row('b', 4)));
    void list.observer.fetchNextPage();
    await list.requests[1]!.answer(page(null, row('b', 2), row('a')));
    expect(list.versions()).toEqual(['c1', 'b4', 'a1']);
  });
});

describe('one row', () => {
  it('an answer older than a push that came meanwhile is not shown', async () => {
    const collection = newCollection();
    const options = collection.one('a', () => Promise.resolve(row('a', 1)));
    const fetched = queryClient.fetchQuery(options);
    collection.receive(queryClient, row('a', 2));
    await fetched;
    expect(queryClient.getQueryData(options.queryKey)?.version).toBe(2);
  });

  it('a push keeps what only the row’s own answer has, also when it came before that answer', async () => {
    const collection = newCollection({ withNotes: true });
    const options = collection.one('a', () => Promise.resolve(row('a', 1, { note: 'kept' })));
    const observer = new QueryObserver(queryClient, options);
    unsubscribe.push(observer.subscribe(() => undefined));
    collection.receive(queryClient, row('a', 2));
    expect(observer.getCurrentResult().data).toBeUndefined();
    await vi.advanceTimersByTimeAsync(0);
    expect(observer.getCurrentResult().data).toMatchObject({ version: 2, note: 'kept' });
    collection.receive(queryClient, row('a', 3));
    expect(observer.getCurrentResult().data).toMatchObject({ version: 3, note: 'kept' });
  });
});

describe('a first page that is full', () => {
  const held = (list: ReturnType<typeof showList>) => list.observer.getCurrentResult().data?.pages[0]?.held ?? [];

  it('holds new rows back, updates existing ones, and shows all on demand', async () => {
    const collection = newCollection({ firstPageMax: 3 });
    const list = showList(collection, { status: 'pending' });
    await list.requests[0]!.answer(page('more', row('b'), row('a')));
    for (const id of ['c', 'd', 'e', 'e']) collection.receive(queryClient, row(id));
    collection.receive(queryClient, row('a', 2));
    expect([list.versions(), held(list)]).toEqual([
      ['c1', 'b1', 'a2'],
      ['d', 'e'],
    ]);
    collection.receive(queryClient, row('d', 2, { status: 'completed' }));
    expect(held(list)).toEqual(['e']);
    void list.observer.fetchNextPage();
    await list.requests[1]!.answer(page(null, row('a', 1)));
    expect(held(list)).toEqual(['e']);
    void collection.showHeld(queryClient, { status: 'pending' });
    await vi.advanceTimersByTimeAsync(0);
    expect(list.requests).toHaveLength(3);
    await list.requests[2]!.answer(page('more', row('e'), row('c')));
    expect([list.versions(), held(list)]).toEqual([['e1', 'c1'], []]);
  });
});

it('a list ends with the highest version of each row, once, whatever the order of pushes and answers', async () => {
  const change = fc.record({ id: fc.constantFrom('a', 'b', 'c'), version: fc.integer({ min: 1, max: 6 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), fc.nat(12), async (changes, answeredAfter) => {
      queryClient.clear();
      const collection = newCollection();
      const list = showList(collection);
      const first = page(null, row('a', 3), row('b', 3));
      for (const [index, { id, version }] of changes.entries()) {
        if (index === answeredAfter) await list.requests[0]!.answer(first);
        collection.receive(queryClient, row(id, version));
      }
      if (answeredAfter >= changes.length) await list.requests[0]!.answer(first);
      const highest = new Map<string, number>();
      for (const { id, version } of [...first.items, ...changes])
        highest.set(id, Math.max(highest.get(id) ?? 0, version));
      const expected = [...highest].map(([id, version]) => `${id}${version}`).sort();
      expect(list.versions().sort()).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

it('the rows not seen for longest are forgotten, and all of them when another person signs in', async () => {
  const collection = newCollection({ rowsMax: 2 });
  const stored = async (id: string) => {
    const options = collection.one(id, () => Promise.resolve(row(id, 1)));
    return (await queryClient.fetchQuery({ ...options, staleTime: 0 })).version;
  };
  for (const id of ['a', 'b', 'a', 'c']) collection.receive(queryClient, row(id, 5));
  expect([await stored('a'), await stored('b')]).toEqual([5, 1]);
  forgetRows();
  expect(await stored('a')).toBe(1);
});
