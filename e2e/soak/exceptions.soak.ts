import { expect, onTestFinished, test } from 'vitest';
import { findPlainValues } from '../../infra/testing/plain-values.ts';
import { soakPayments, soakQueues, soakSeed } from '../../infra/testing/soak.ts';
import { sampleRecipient } from '../api-client.ts';
import { disturbRandomly, kindsOf } from './disturbances.ts';
import type { Progress } from './load.ts';
import { soak } from './run.ts';
import { soakEnvironment, startSoakStack } from './stack.ts';

/** Concurrency: most payments only wait for something, but with many more they would wait for each other. */
const width = 128;
const reportMs = 60_000;

/** Prints how far a long run is. */
function printProgress(progress: Progress): void {
  const startedAt = Date.now();
  const timer = setInterval(() => {
    if (!progress.paying) return clearInterval(timer);
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    console.log(`${progress.done} of ${soakPayments} payments brought to their end in ${seconds} s`);
  }, reportMs);
  onTestFinished(() => clearInterval(timer));
}

test(
  'many random payments keep product, Stripe and bank agreed while everything is killed, paused, slowed and refused',
  async () => {
    const stack = await startSoakStack(soakQueues, { env: { ...soakEnvironment, SWEEP_SECONDS: '15' } });
    onTestFinished(() => stack.close());
    stack.app.stack.showLogOnFailure();
    const load = { count: soakPayments, width, seed: soakSeed };
    const lasting = { lastingMs: [500, 3500], rounds: Number.POSITIVE_INFINITY } as const;
    const intensity = { gapMs: [300, 3000], gapPayments: [0, 40], ...lasting } as const;
    const disturb = (progress: Progress) => disturbRandomly(stack, { seed: soakSeed, intensity }, progress);
    const { disturbances, records, payingMs } = await soak(stack, load, disturb, printProgress);
    const states = Map.groupBy(records, ({ state }) => state);
    console.log(Object.fromEntries([...states].map(([state, those]) => [state, those.length])));
    console.log(Object.fromEntries(disturbances));
    console.log(`${soakPayments} payments in ${Math.round(payingMs / 1000)} s, queues in ${soakQueues}`);
    expect(records.some(({ cases }) => cases.length > 0)).toBe(true);
    expect([...disturbances.keys()].toSorted()).toEqual(kindsOf(stack).toSorted());
    if (!stack.redis) return;
    // Jobs and live events of whole transfers leave no personal data in Redis.
    const { name, phone, ci, bankAccount, address } = sampleRecipient;
    const people = [name, phone.slice(-8), ci, bankAccount, address, 'Carmen Rojas', '@example.com'];
    expect(await findPlainValues({ redisUrl: stack.redis.url }, people)).toEqual([]);
  },
  48 * 3_600_000,
);
