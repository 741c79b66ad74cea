import { afterAll, beforeAll, test } from 'vitest';
import { liveAll } from './random.ts';
import { World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await World.open();
}, 120_000);
afterAll(() => world?.close());

test('no money is lost', { timeout: 600_000 }, () => liveAll(world, [Number(process.env.MODEL_SEED ?? 1)]));
