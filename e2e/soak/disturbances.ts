import { setTimeout as pause } from 'node:timers/promises';
import { isOpenDispute } from '#core/operations/dispute';
import type { TestDatabaseServer } from '../../infra/testing/database-server.ts';
import { seededRandom } from '../../infra/testing/soak.ts';
import type { ProcessName } from '../../infra/testing/stack.ts';
import type { TestApp } from '../test-app.ts';
import { until } from '../until.ts';
import type { Progress } from './load.ts';

type Random = () => number;

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

/** Each is done to a running product, and leaves it running; faults of the simulators last until they are used up. */
type Disturbance = (app: TestApp, random: Random, server: TestDatabaseServer) => Promise<void>;

const killed =
  (name: ProcessName): Disturbance =>
  async ({ stack }) => {
    await stack.kill(name);
    await stack.start(name);
  };

const paused =
  (name: ProcessName): Disturbance =>
  async ({ stack }, random) => {
    const pid = stack.pid(name);
    if (!pid) return;
    process.kill(pid, 'SIGSTOP');
    await pause(500 + random() * 3000);
    process.kill(pid, 'SIGCONT');
  };

const stripePaths = ['/capture$', '/cancel$', '^/v1/refunds$', '^/v1/payment_intents/[^/]+$'];
const faultKinds = ['error', 'stored_error', 'drop', 'do_then_error', 'do_then_drop', 'slow'];
const accountRefusals = ['account_not_found', 'account_closed', 'name_mismatch'];

const fault =
  (paths: readonly string[]): Disturbance =>
  async ({ sandbox }, random) => {
    const status = pick(random, [500, 503, 429]);
    const kind = pick(random, faultKinds);
    await sandbox.fault({ kind, path: pick(random, paths), times: 1 + Math.floor(random() * 2), status, delayMs: 700 });
  };

const refusing =
  (codes: readonly string[]): Disturbance =>
  async ({ sandbox }, random) => {
    const rejection = { code: pick(random, codes), message: 'El banco no puede pagar.' };
    await sandbox.bank({ rejectNext: 1 + Math.floor(random() * 3), rejection, slowMs: pick(random, [0, 0, 400]) });
  };

/** Webhooks come several times, late, in another order or not at all for a while. */
const webhooks: Disturbance = async ({ sandbox }, random) => {
  const retryDelaysMs = [300, 1000, 3000];
  const modes = [
    { duplicate: 3 },
    { simultaneous: 3 },
    { shuffle: true },
    { delayMs: 1500 },
    { mode: 'drop' as const },
    { mode: 'hold' as const },
  ];
  await sandbox.deliver({ ...pick(random, modes), retryDelaysMs });
  await pause(500 + random() * 2500);
  await sandbox.deliver({ retryDelaysMs });
  await sandbox.flush('random');
};

const disturbances: Readonly<Record<string, Disturbance>> = {
  'kill the api': killed('api'),
  'kill the worker': killed('worker'),
  'kill the simulators': killed('sandbox'),
  'pause the api': paused('api'),
  'pause the worker': paused('worker'),
  'pause the simulators': paused('sandbox'),
  'crash PostgreSQL': async (_, __, server) => {
    await server.crash();
    await server.resume();
  },
  'restart PostgreSQL': async (_, __, server) => {
    await server.stop();
    await server.resume();
  },
  'a failure of Stripe': fault(stripePaths),
  'a failure of the bank': fault(['^/bank/']),
  'the bank refuses accounts': refusing(accountRefusals),
  'the bank refuses for another reason': refusing(['limit_exceeded']),
  'the bank calls a payout wrong': ({ sandbox }) =>
    sandbox.fault({ kind: 'error', path: '^/bank/v1/payouts$', method: 'POST', status: 400 }),
  webhooks,
};

/** Disturbs the product at random moments until all is paid. Every kind comes once before any comes again. Returns how often each came. */
export async function disturbRandomly(
  app: TestApp,
  server: TestDatabaseServer,
  progress: Progress,
): Promise<Map<string, number>> {
  const random = seededRandom('disturbances');
  const counts = new Map(Object.keys(disturbances).map((name) => [name, 0]));
  let bag: string[] = [];
  while (progress.paying) {
    if (bag.length === 0) bag = shuffled(Object.keys(disturbances), random);
    const name = bag.pop() as string;
    await until(`${name} is done`, async () => {
      await (disturbances[name] as Disturbance)(app, random, server);
      return true;
    });
    counts.set(name, (counts.get(name) ?? 0) + 1);
    await pause(300 + random() * 1500);
  }
  return counts;
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** Lets the simulators answer normally again, has every dispute decided, and has Stripe send what it could not deliver, as it does for three days. */
export async function endDisturbances({ sandbox }: TestApp): Promise<void> {
  const random = seededRandom('disputes');
  await sandbox.clearFaults();
  await sandbox.bank({});
  await sandbox.deliver({});
  await sandbox.flush('random', ['held', 'dropped', 'failed']);
  await until('the simulators are idle', () => sandbox.idle(), 60_000);
  for (const { id, status } of (await sandbox.disputes()).reverse()) {
    if (isOpenDispute(status)) await sandbox.decideDispute(id, random() < 0.5 ? 'won' : 'lost');
  }
}
