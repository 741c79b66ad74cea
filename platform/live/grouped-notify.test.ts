import { expect, test, vi } from 'vitest';
import { groupNotify } from './grouped-notify.ts';

const single = 'SELECT pg_notify($1, $2)';

/** A pool whose statements end when the test says so. */
function openPool() {
  const statements: { values: unknown[]; end: PromiseWithResolvers<unknown> }[] = [];
  const query = vi.fn(({ values }: { values: unknown[] }) => {
    const end = Promise.withResolvers<unknown>();
    statements.push({ values, end });
    return end.promise;
  });
  return { pool: { query } as never, query, statements };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('groups simultaneous live messages into one statement and later ones into the next, in order', async () => {
  const { pool, statements } = openPool();
  const notify = groupNotify(pool);
  const first = [notify(single, ['c', '1']), notify(single, ['c', '2'])];
  await turn();
  expect(statements.map(({ values }) => values)).toEqual([
    [
      ['c', 'c'],
      ['1', '2'],
    ],
  ]);
  const later = [notify(single, ['c', '3']), notify(single, ['d', '4'])];
  await turn();
  expect(statements).toHaveLength(1);
  statements[0]?.end.resolve(undefined);
  await Promise.all(first);
  await turn();
  expect(statements[1]?.values).toEqual([
    ['c', 'd'],
    ['3', '4'],
  ]);
  statements[1]?.end.resolve(undefined);
  await Promise.all(later);
});

test('live messages whose statement fails are all reported as failed, and later ones are sent', async () => {
  const { pool, statements } = openPool();
  const notify = groupNotify(pool);
  const lost = [notify(single, ['c', '1']), notify(single, ['c', '2'])];
  await turn();
  statements[0]?.end.reject(new Error('connection lost'));
  expect((await Promise.allSettled(lost)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const later = notify(single, ['c', '3']);
  await turn();
  statements[1]?.end.resolve(undefined);
  await later;
});

test('passes other statements of the live adapter on unchanged', async () => {
  const query = vi.fn(async () => ({ rows: [] }));
  await groupNotify({ query } as never)('delete from socket_io_attachments');
  expect(query).toHaveBeenCalledExactlyOnceWith('delete from socket_io_attachments', []);
});
