import { afterAll, beforeAll, expect, test } from 'vitest';
import { play } from './play.ts';
import { liveAll } from './random.ts';
import { scenarios } from './scenarios.ts';
import { World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await World.open();
}, 120_000);
afterAll(() => world?.close());

test.each(Object.entries(scenarios))('%s', { timeout: 120_000 }, async (_, { start, commands, wrong = () => [] }) => {
  const ending = await play(world, start, commands);
  expect([...ending.problems, ...wrong(ending)], `answers: ${ending.answers}`).toEqual([]);
});

// `npm run soak` runs hundreds of others.
test('a few random lives of a transfer lose no money', { timeout: 120_000 }, () => liveAll(world, [1, 2, 3, 4]));
