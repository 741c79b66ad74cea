import { setTimeout as pause } from 'node:timers/promises';
import { isOpenDispute } from '#core/operations/dispute';
import { pick, type Random, seededRandom, shuffled, within } from '../../infra/testing/soak.ts';
import type { ProcessName } from '../../infra/testing/stack.ts';
import type { TestApp } from '../test-app.ts';
import { until } from '../until.ts';
import { allowed } from './calls.ts';
import type { Progress } from './load.ts';
import { freeze, slowDown, type Victim } from './processes.ts';
import type { SoakStack } from './stack.ts';

/** How hard the product is disturbed; times in ms. */
export interface Intensity {
  /** Between two disturbances. */
  readonly gapMs: readonly [number, number];
  /** Payments that end between two disturbances: a busy machine is not disturbed more often for the same work. */
  readonly gapPayments: readonly [number, number];
  /** Duration of a pause, a slowdown, or a webhook failure. */
  readonly lastingMs: readonly [number, number];
  /** How often every kind comes at most; it comes once at least. */
  readonly rounds: number;
}

/** Between two looks at how far the payments are, in ms. */
const lookMs = 200;
/** How long a disturbance may take, in ms: a product under load takes long to start, and is started again if it did not. */
const disturbanceMsMax = 10 * 60_000;
/** How long the simulators may take to deliver all that was held back, in ms. */
const idleMsMax = 10 * 60_000;

/** Maximum webhooks that the simulators resend per flush. */
const maxFlushed = 10_000;

interface Moment {
  readonly stack: SoakStack;
  readonly random: Random;
  readonly intensity: Intensity;
}

/** Each is done to a running product, and leaves it running; faults of the simulators last until they are used up. */
type Disturbance = (moment: Moment) => Promise<void>;

const killed =
  (name: ProcessName): Disturbance =>
  async ({ stack: { app } }) => {
    await app.stack.kill(name);
    await app.stack.start(name);
  };

const paused =
  (victim: Victim): Disturbance =>
  ({ stack, random, intensity }) =>
    freeze(stack, victim, within(random, intensity.lastingMs));

const slowed =
  (victim: Victim): Disturbance =>
  ({ stack, random, intensity }) =>
    slowDown(stack, victim, within(random, intensity.lastingMs));

const stripePaths = ['/capture$', '/cancel$', '^/v1/refunds$', '^/v1/payment_intents/[^/]+$'];
const faultKinds = ['error', 'stored_error', 'drop', 'do_then_error', 'do_then_drop', 'slow'];
const accountRefusals = ['account_not_found', 'account_closed', 'name_mismatch'];

const fault =
  (paths: readonly string[]): Disturbance =>
  async ({ stack: { app }, random }) => {
    const status = pick(random, [500, 503, 429]);
    const kind = pick(random, faultKinds);
    const times = 1 + Math.floor(random() * 2);
    await app.sandbox.fault({ kind, path: pick(random, paths), times, status, delayMs: 700 });
  };

const refusing =
  (codes: readonly string[]): Disturbance =>
  async ({ stack: { app }, random }) => {
    const rejection = { code: pick(random, codes), message: 'El banco no puede pagar.' };
    await app.sandbox.bank({ rejectNext: 1 + Math.floor(random() * 3), rejection, slowMs: pick(random, [0, 0, 400]) });
  };

/** Webhooks come several times, late, in another order or not at all for a while. */
const webhooks: Disturbance = async ({ stack: { app }, random, intensity }) => {
  const retryDelaysMs = [300, 1000, 3000];
  const modes = [
    { duplicate: 3 },
    { simultaneous: 3 },
    { shuffle: true },
    { delayMs: 1500 },
    { mode: 'drop' as const },
    { mode: 'hold' as const },
  ];
  await app.sandbox.deliver({ ...pick(random, modes), retryDelaysMs });
  await pause(within(random, intensity.lastingMs));
  await app.sandbox.deliver({ retryDelaysMs });
  await app.sandbox.flush('random');
};

/** The cards' banks decide some of the disputes, or all that are left. */
async function decideDisputes({ sandbox }: TestApp, random: Random, share: number): Promise<void> {
  for (const { id, status } of (await sandbox.disputes()).reverse()) {
    if (!isOpenDispute(status) || random() >= share) continue;
    await allowed(() => sandbox.decideDispute(id, random() < 0.5 ? 'won' : 'lost'));
  }
}

const everywhere: Readonly<Record<string, Disturbance>> = {
  'kill the api': killed('api'),
  'kill the worker': killed('worker'),
  'kill the simulators': killed('sandbox'),
  'pause the api': paused('api'),
  'pause the worker': paused('worker'),
  'pause the simulators': paused('sandbox'),
  'pause PostgreSQL': paused('postgres'),
  'slow the api down': slowed('api'),
  'slow the worker down': slowed('worker'),
  'slow the simulators down': slowed('sandbox'),
  'slow PostgreSQL down': slowed('postgres'),
  'crash PostgreSQL': async ({ stack: { server } }) => {
    await server.crash();
    await server.resume();
  },
  'restart PostgreSQL': async ({ stack: { server } }) => {
    await server.stop();
    await server.resume();
  },
  'a failure of Stripe': fault(stripePaths),
  'a failure of the bank': fault(['^/bank/']),
  'the bank refuses accounts': refusing(accountRefusals),
  'the bank refuses for another reason': refusing(['limit_exceeded']),
  'the bank calls a payout wrong': ({ stack: { app } }) =>
    app.sandbox.fault({ kind: 'error', path: '^/bank/v1/payouts$', method: 'POST', status: 400 }),
  webhooks,
  'the cards’ banks decide disputes': ({ stack: { app }, random }) => decideDisputes(app, random, 0.5),
};

const ofRedis: Readonly<Record<string, Disturbance>> = {
  'kill Redis': async ({ stack: { redis } }) => {
    await redis?.kill();
    await redis?.resume();
  },
  'empty Redis': async ({ stack: { redis } }) => redis?.empty(),
  'pause Redis': paused('redis'),
  'slow Redis down': slowed('redis'),
};

function disturbancesOf(stack: SoakStack): Readonly<Record<string, Disturbance>> {
  return stack.redis ? { ...everywhere, ...ofRedis } : everywhere;
}

/** Names of all kinds of disturbances of a product. */
export const kindsOf = (stack: SoakStack): string[] => Object.keys(disturbancesOf(stack));

/**
 * Disturbs the product at random moments: every kind once, in a random order, and again and again until all is paid. Writes down the name
 * of each.
 */
export async function disturbRandomly(
  stack: SoakStack,
  { seed, intensity }: { seed: number; intensity: Intensity },
  progress: Progress,
): Promise<void> {
  const order = seededRandom(seed, 'disturbances');
  const disturbances = disturbancesOf(stack);
  for (let round = 0; round < intensity.rounds && (progress.paying || round === 0); round += 1) {
    for (const name of shuffled(order, kindsOf(stack))) {
      if (!progress.paying && round > 0) break;
      // Some draw as many numbers as there are targets; a separate sequence keeps each disturbance reproducible.
      const random = seededRandom(seed, `disturbance-${round}-${name}`);
      const disturb = async () => {
        await disturbances[name]?.({ stack, random, intensity });
        return true;
      };
      progress.disturbances.push(name);
      await until(`${name} is done`, disturb, disturbanceMsMax);
      await pause(within(order, intensity.gapMs));
      await untilDone(progress, progress.done + within(order, intensity.gapPayments));
    }
  }
}

/** Waits until `done` payments have ended, or all. */
async function untilDone(progress: Progress, done: number): Promise<void> {
  while (progress.paying && progress.done < done) await pause(lookMs);
}

/**
 * Lets the simulators answer normally again, decides every dispute, and lets Stripe resend undelivered events, as it
 * does for three days.
 */
export async function endDisturbances(app: TestApp, seed: number): Promise<void> {
  const { sandbox } = app;
  await sandbox.clearFaults();
  await sandbox.bank({});
  await sandbox.deliver({});
  for (let sent = maxFlushed; sent === maxFlushed; ) {
    sent = (await sandbox.flush('random', ['held', 'dropped', 'failed'])).deliveries.length;
    await until('the simulators are idle', () => sandbox.idle(), idleMsMax);
  }
  await decideDisputes(app, seededRandom(seed, 'disputes'), 1);
}
