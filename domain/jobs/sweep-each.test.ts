import { expect, test, vi } from 'vitest';
import { createLogger } from '#platform/logging';
import { sweepEach } from './sweep-each.ts';

test('handles every item although some fail, logs each failure, and throws all of them at the end', async () => {
  const error = vi.fn();
  const log = Object.assign(createLogger('worker', 'silent'), { error });
  const done: string[] = [];
  const items = ['a', 'bad', 'b', 'worse', 'c'].map((id) => ({ id }));
  const swept = sweepEach({ log }, 'letter', items, async ({ id }) => {
    if (id.length > 1) throw new Error(id);
    done.push(id);
  });
  await expect(swept).rejects.toMatchObject({
    message: '2 of 5: letter',
    errors: [new Error('bad'), new Error('worse')],
  });
  expect(done).toEqual(['a', 'b', 'c']);
  expect(error.mock.calls.map(([{ id, item }]) => [id, item])).toEqual([
    ['bad', 'letter'],
    ['worse', 'letter'],
  ]);
});

test('does not throw when nothing failed', async () => {
  await expect(sweepEach({ log: createLogger('worker', 'silent') }, 'letter', [], vi.fn())).resolves.toBeUndefined();
});
