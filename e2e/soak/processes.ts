import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessName } from '../../infra/testing/stack.ts';
import { standingStill } from '../../infra/testing/standing-still.ts';
import type { SoakStack } from './stack.ts';

/** Processes that can be paused. */
export type Victim = ProcessName | 'postgres' | 'redis';

/** A slowed process alternately runs for the first and pauses for the second, in ms. */
const slowTurnMs = [8, 40] as const;

/** Numbers of the processes that make up a part of the product. */
async function pidsOf({ app, server, redis }: SoakStack, victim: Victim): Promise<number[]> {
  if (victim === 'postgres') return server.pids();
  const pid = victim === 'redis' ? redis?.pid : app.stack.pid(victim);
  return pid ? [pid] : [];
}

/** Pauses a part of the product without closing its connections. */
export async function freeze(stack: SoakStack, victim: Victim, ms: number): Promise<void> {
  await standingStill(await pidsOf(stack, victim), (still) => still(ms));
}

/** Has a part of the product run at a fraction of its speed for a while. */
export async function slowDown(stack: SoakStack, victim: Victim, ms: number): Promise<void> {
  const [runMs, stillMs] = slowTurnMs;
  await standingStill(await pidsOf(stack, victim), async (still) => {
    for (const end = Date.now() + ms; Date.now() < end; ) {
      await still(stillMs);
      await pause(runMs);
    }
  });
}
