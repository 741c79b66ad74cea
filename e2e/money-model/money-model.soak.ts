import { test } from 'vitest';
import { soakSeed } from '../../infra/testing/soak.ts';
import { liveAll } from './random.ts';
import { World } from './world.ts';

/** Random lives of one transfer each: `MODEL_LIVES`, or 400. */
const count = Number(process.env.MODEL_LIVES || 400);
/** Lives in one world: cases and transfers that earlier ones left open make it slower. */
const perWorld = 40;

test(`${count} random lives of a transfer lose no money`, { timeout: 60 * 60_000 }, async () => {
  for (let from = 0; from < count; from += perWorld) {
    const world = await World.open();
    try {
      const lives = Math.min(perWorld, count - from);
      await liveAll(
        world,
        Array.from({ length: lives }, (_, index) => soakSeed + from + index),
      );
    } finally {
      await world.close();
    }
  }
});
