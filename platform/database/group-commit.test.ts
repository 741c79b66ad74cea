import { expect, test } from 'vitest';
import { GroupCommit } from './group-commit.ts';

test('items that come while a group is written are written together after it', async () => {
  const groups: string[][] = [];
  const first = Promise.withResolvers<void>();
  const group = new GroupCommit<string>(async (items) => {
    groups.push([...items]);
    if (groups.length === 1) await first.promise;
  });
  const written = ['a', 'b', 'c'].map((item) => group.add(item));
  first.resolve();
  await Promise.all(written);
  expect(groups).toEqual([['a'], ['b', 'c']]);
});

test('an item that cannot be written fails alone', async () => {
  const group = new GroupCommit<string>(async (items) => {
    await Promise.resolve();
    if (items.includes('bad')) throw new Error('bad');
  });
  const outcomes = await Promise.allSettled(['first', 'good', 'bad', 'better'].map((item) => group.add(item)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
});
