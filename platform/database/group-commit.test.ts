import { expect, test } from 'vitest';
import { GroupCommit } from './group-commit.ts';

test('items that come at one moment are written together, those that come meanwhile after them, each with its result', async () => {
  const groups: string[][] = [];
  const started = Promise.withResolvers<void>();
  const first = Promise.withResolvers<void>();
  const group = new GroupCommit<string, string>(async (items) => {
    groups.push([...items]);
    started.resolve();
    if (groups.length === 1) await first.promise;
    return items.map((item) => item.toUpperCase());
  });
  const earlier = ['a', 'b'].map((item) => group.add(item));
  await started.promise;
  const later = ['c', 'd'].map((item) => group.add(item));
  first.resolve();
  expect(await Promise.all([...earlier, ...later])).toEqual(['A', 'B', 'C', 'D']);
  expect(groups).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('an item that cannot be written fails alone', async () => {
  const group = new GroupCommit<string>(async (items) => {
    await Promise.resolve();
    if (items.includes('bad')) throw new Error('bad');
    return [];
  });
  const outcomes = await Promise.allSettled(['first', 'good', 'bad', 'better'].map((item) => group.add(item)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
});
