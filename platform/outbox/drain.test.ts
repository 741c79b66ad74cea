import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '../logging.ts';
import { currentRequestId, runForRequest } from '../request-id.ts';
import { Drain } from './drain.ts';

const log = createLogger('platform', 'silent');
let drain: Drain;
/** Rounds under way; each ends when it is told to. */
let rounds: PromiseWithResolvers<void>[];
let due: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  due = false;
  rounds = [];
  const take = () => {
    const round = Promise.withResolvers<void>();
    rounds.push(round);
    return round.promise;
  };
  drain = new Drain({ isDue: async () => due, take }, log, { idleMs: 10_000, failureMs: 1_000 });
});
afterEach(async () => {
  for (const round of rounds) round.resolve();
  await drain.stop();
  vi.useRealTimers();
});

const passes = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a drain takes rows when it is woken, not before it is started and not after it is stopped', async () => {
  drain.wake();
  expect(rounds).toHaveLength(0);
  drain.start();
  await passes(1);
  expect(rounds).toHaveLength(0);
  drain.wake();
  expect(rounds).toHaveLength(1);
  rounds[0]?.resolve();
  await drain.stop();
  drain.wake();
  await passes(60_000);
  expect(rounds).toHaveLength(1);
});

test('a round belongs to no request, also not to the one that woke it', async () => {
  const ids: unknown[] = [];
  const noting = { isDue: async () => false, take: async () => void ids.push(currentRequestId()) };
  const other = new Drain(noting, log);
  other.start();
  runForRequest('7K3M9QXD2F4T', () => other.wake());
  await other.stop();
  expect(ids).toEqual([undefined]);
});

test('rows that nobody waits for are taken after a moment, together with those that become due until then', async () => {
  drain.start();
  await passes(1);
  drain.wakeLater(100);
  await passes(60);
  drain.wakeLater(100);
  expect(rounds).toHaveLength(0);
  await passes(40);
  expect(rounds).toHaveLength(1);
  await passes(500);
  expect(rounds).toHaveLength(1);
  drain.wakeLater(100);
  rounds[0]?.resolve();
  await drain.stop();
  await passes(60_000);
  expect(rounds).toHaveLength(1);
});

test('a drain that is stopped waits for what it is at', async () => {
  drain.start();
  await passes(1);
  drain.wake();
  let stopped = false;
  const stopping = drain.stop().then(() => {
    stopped = true;
  });
  await passes(1);
  expect(stopped).toBe(false);
  rounds[0]?.resolve();
  await stopping;
});

test('a signal during a round begins another beside it, and those during two rounds one more', async () => {
  drain.start();
  await passes(1);
  for (let count = 0; count < 10; count += 1) drain.wake();
  expect(rounds).toHaveLength(2);
  rounds[0]?.resolve();
  await passes(1);
  expect(rounds).toHaveLength(3);
  rounds[1]?.resolve();
  rounds[2]?.resolve();
  await passes(1);
  expect(rounds).toHaveLength(3);
});

test('a drain finds rows that were due before its start, and those whose signal got lost', async () => {
  due = true;
  drain.start();
  await passes(1);
  expect(rounds).toHaveLength(1);
  due = false;
  rounds[0]?.resolve();
  await passes(10_001);
  expect(rounds).toHaveLength(1);
  due = true;
  await passes(10_001);
  expect(rounds).toHaveLength(2);
});

test('a drain tries again soon after a failure', async () => {
  drain.start();
  await passes(1);
  due = true;
  drain.wake();
  rounds[0]?.reject(new Error('database down'));
  await passes(999);
  expect(rounds).toHaveLength(1);
  await passes(2);
  expect(rounds).toHaveLength(2);
});
