import { expect, inject, onTestFinished, test } from 'vitest';
import { findPlainValues } from '../../infra/testing/plain-values.ts';
import { sampleRecipient } from '../api-client.ts';
import { disturbRandomly, type Intensity, kindsOf } from './disturbances.ts';
import { soak } from './run.ts';
import { soakEnvironment, startSoakStack } from './stack.ts';

// `npm run soak` in short, with the same choices every time. The queues are in Redis, where this machine has one, so that it is killed
// beside PostgreSQL; `worker/queue-crashes.test.ts` and `worker/start.test.ts` show what a queue does in a crash on both.
const queues = inject('services').redis.kind === 'program' ? 'redis' : 'postgres';
const count = 12;
const intensity: Intensity = { gapMs: [50, 200], gapPayments: [0, 0], lastingMs: [300, 800], rounds: 1 };

test('payments keep product, Stripe and bank agreed while everything is killed, paused, slowed and refused once', async () => {
  const stack = await startSoakStack(queues, { env: { ...soakEnvironment, SWEEP_SECONDS: '1' } });
  onTestFinished(() => stack.close());
  stack.app.stack.showLogOnFailure();
  const seed = 1;
  const { disturbances } = await soak(stack, { count, width: count, seed }, (progress) =>
    disturbRandomly(stack, { seed, intensity }, progress),
  );
  expect(disturbances).toEqual(new Map(kindsOf(stack).map((name) => [name, 1])));
  // All that jobs and live events of whole transfers leave in Redis says nothing of anybody.
  if (!stack.redis) return;
  const places = { redisUrl: stack.redis.url };
  const { name, phone, ci, bankAccount, address } = sampleRecipient;
  const people = [name, phone.slice(-8), ci, bankAccount, address, 'Carmen Rojas', '@example.com'];
  expect(await findPlainValues(places, people)).toEqual([]);
  expect(await findPlainValues(places, ['"nsp"'])).toEqual(['socket.io']);
  expect(await findPlainValues(places, ['sweep-all'])).not.toEqual([]);
}, 240_000);
