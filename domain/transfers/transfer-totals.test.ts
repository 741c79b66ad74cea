import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayMs, hourMs, laPazZone } from '#core/time/time';
import { type MoveName, paidStates, statesOf, type TransferState, transferMoves } from '#core/transfers/states';
import { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase } from '../../testing/database.ts';
import { makeMove, openTestTransfer, testMoment, transferIn } from '../../testing/transfers.ts';
import { User } from '../accounts/account.entity.ts';
import { Transfer } from './transfer.entity.ts';
import { foldTotals, readFigures, sumSent } from './transfer-figures.repository.ts';

let testDatabase: TestDatabase;
let database: Database;
let senders: string[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url);
  senders = [(await createTestUser(database)).id, (await createTestUser(database)).id];
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

interface DayTotal {
  day: string;
  paid: bigint;
  completed: number;
  rejected: number;
}
interface SenderTotal {
  sender: string;
  paid: bigint;
  count: number;
  lastPaidAt: Date;
}

interface SenderDay {
  sender: string;
  day: string;
  sent: bigint;
  held: number;
}
interface Totals {
  days: DayTotal[];
  senders: SenderTotal[];
  senderDays: SenderDay[];
  /** Senders by the day of their last payment. */
  active: Record<string, number>;
  accounts: number;
}

/** The totals as stored, without rows of zeros. */
async function keptTotals(of: Database): Promise<Totals> {
  const em = of.fork();
  const days = await em.execute<{ day: string; paid: string; completed: number; rejected: number }[]>(
    `select day::text, sum(paid_usd_minor)::text as paid, sum(completed)::int as completed, sum(rejected)::int as rejected
     from transfer_day_total group by day having (sum(paid_usd_minor), sum(completed), sum(rejected)) <> (0, 0, 0) order by day`,
  );
  const ofSenders = await em.execute<{ sender: string; paid: string; count: number; at: string }[]>(
    `select user_id as sender, paid_usd_minor::text as paid, paid_count as count, last_paid_at as at
     from sender_total order by user_id`,
  );
  const senderDays = await em.execute<{ sender: string; day: string; sent: string; held: number }[]>(
    `select user_id as sender, day::text, sent_usd_minor::text as sent, held from sender_day_total
     where (sent_usd_minor, held) <> (0, 0) order by user_id, day`,
  );
  const active = await em.execute<{ day: string; senders: number }[]>(
    'select day::text, sum(senders)::int as senders from active_total group by day having sum(senders) <> 0 order by day',
  );
  const [{ accounts }] = await em.execute<[{ accounts: number }]>(
    'select sum(accounts)::int as accounts from account_total',
  );
  return {
    accounts,
    active: Object.fromEntries(active.map(({ day, senders }) => [day, senders])),
    senderDays: senderDays.map(({ sent, ...day }) => ({ ...day, sent: BigInt(sent) })),
    days: days.map(({ paid, ...day }) => ({ ...day, paid: BigInt(paid) })),
    senders: ofSenders.map(({ paid, at, ...sender }) => ({ ...sender, paid: BigInt(paid), lastPaidAt: new Date(at) })),
  };
}

/** The same totals, computed from the transfers by the states of core/transfers/states.ts. */
async function addedTotals(of: Database): Promise<Totals> {
  const transfers = await of.fork().find(Transfer, {});
  const sum = (of: Transfer[]) => of.filter(isPaid).reduce((total, { usdMinor }) => total + usdMinor, 0n);
  const within = (of: Transfer[], states: readonly TransferState[]) =>
    of.filter(({ state }) => states.includes(state)).length;
  const isPaid = ({ state }: Transfer) => paidStates.includes(state);
  const days = [...Map.groupBy(transfers, ({ paidAt, createdAt }) => dayThere(paidAt ?? createdAt))]
    .map(([day, its]) => ({
      day,
      paid: sum(its),
      completed: within(its, statesOf('completed')),
      rejected: within(its, statesOf('rejected')),
    }))
    .filter(({ paid, completed, rejected }) => paid > 0n || completed > 0 || rejected > 0);
  const ofSenders = [...Map.groupBy(transfers, ({ userId }) => userId)].flatMap(([sender, its]) => {
    const moments = its.flatMap(({ paidAt }) => paidAt?.getTime() ?? []);
    const lastPaidAt = new Date(Math.max(...moments));
    return moments.length > 0 ? [{ sender, paid: sum(its), count: within(its, paidStates), lastPaidAt }] : [];
  });
  const by =
    <Row>(key: (row: Row) => string) =>
    (one: Row, other: Row) =>
      key(one) < key(other) ? -1 : 1;
  const held = transfers.filter(({ paidAt }) => paidAt != null);
  const keys = held.flatMap(({ userId, paidAt, createdAt }) =>
    [paidAt ?? createdAt, createdAt].map((at) => `${userId} ${dayThere(at)}`),
  );
  const senderDays = [...new Set(keys)].map((key) => {
    const [sender = '', day = ''] = key.split(' ');
    const its = held.filter(({ userId }) => userId === sender);
    const paidThen = its.filter(({ paidAt }) => paidAt && dayThere(paidAt) === day);
    return { sender, day, sent: sum(paidThen), held: its.filter((one) => dayThere(one.createdAt) === day).length };
  });
  const lastDays = Map.groupBy(ofSenders, ({ lastPaidAt }) => dayThere(lastPaidAt));
  return {
    days: days.sort(by(({ day }) => day)),
    senders: ofSenders.sort(by(({ sender }) => sender)),
    senderDays: senderDays
      .filter(({ sent, held }) => sent > 0n || held > 0)
      .sort(by(({ sender, day }) => `${sender} ${day}`)),
    active: Object.fromEntries([...lastDays].map(([day, its]) => [day, its.length] as const).sort(by(([day]) => day))),
    accounts: await of.fork().count(User, {}),
  };
}

const afterAllDays = new Date(testMoment.getTime() + 30 * dayMs);
const dayThere = (at: Date) => at.toLocaleDateString('sv-SE', { timeZone: laPazZone });

const names = Object.keys(transferMoves) as MoveName[];
/** Moves that change totals, or lead there. */
const frequent: MoveName[] = ['hold', 'approve', 'capture', 'pay_out', 'reject'];

/** A new transfer, or a move of an existing one, paid some hours earlier or later. */
const action = fc.record({
  sender: fc.nat(1),
  amountMinor: fc.bigInt(1_000n, 300_000n),
  opens: fc.nat(3).map((number) => number === 0),
  which: fc.nat(1_000),
  move: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...names) },
    { weight: 2, arbitrary: fc.constantFrom(...frequent) },
  ),
  paidHours: fc.integer({ min: -60, max: 60 }),
});

test('every move from each of its states keeps the totals equal to the sums over the transfers', async () => {
  const userId = senders[0] as string;
  for (const name of names) {
    for (const from of transferMoves[name].from)
      await makeMove(database, (await transferIn(database, from, { userId })).id, name);
    expect(await keptTotals(database), name).toEqual(await addedTotals(database));
  }
});

test('after any moves the totals are the sums over the transfers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 60, size: 'max' }), async (actions) => {
      const ids: string[] = [];
      for (const { sender, amountMinor, opens, which, move, paidHours } of actions) {
        if (opens || ids.length === 0) {
          const userId = senders[sender] as string;
          const opened = await database.transaction(async (em) => openTestTransfer(em, { userId, amountMinor }));
          ids.push(opened.id);
          continue;
        }
        const changes = move === 'hold' ? { paidAt: new Date(testMoment.getTime() + paidHours * hourMs) } : {};
        const two = [ids[which % ids.length], ids[(which + 1) % ids.length]] as [string, string];
        await Promise.all(two.map((id) => makeMove(database, id, move, changes)));
      }
      expect(await keptTotals(database)).toEqual(await addedTotals(database));
    }),
    // Reports a counterexample before the test times out, however long shrinking takes.
    { numRuns: 6, plugins: [fc.interruptAfterTimeLimit(50_000, { failOnInterrupt: true })] },
  );
  const all = await addedTotals(database);
  await foldTotals(database.fork(), afterAllDays);
  expect(await keptTotals(database)).toEqual(all);
  const split = await database.fork().execute(
    `select day from transfer_day_total group by day having count(*) > 1
       union all select day from active_total group by day having count(*) > 1`,
  );
  expect(split).toEqual([]);
  for (const at of [-70, -30.5, 0, 30.25, 700, 720.5, 760].map(
    (hours) => new Date(testMoment.getTime() + hours * hourMs),
  )) {
    for (const userId of senders) {
      const counted = (await database.fork().find(Transfer, { userId, state: { $in: [...paidStates] } })).filter(
        ({ paidAt }) => paidAt != null,
      );
      const since = (ms: number) =>
        counted.reduce(
          (sum, { paidAt, usdMinor }) => (paidAt && paidAt.getTime() > at.getTime() - ms ? sum + usdMinor : sum),
          0n,
        );
      expect(await sumSent(database.fork(), userId, at)).toEqual({
        dayUsdMinor: since(dayMs),
        monthUsdMinor: since(30 * dayMs),
      });
    }
    const since = at.getTime() - 30 * dayMs;
    const { active, users } = await readFigures(database.fork(), at);
    expect(active).toBe(all.senders.filter(({ lastPaidAt }) => lastPaidAt.getTime() > since).length);
    expect(users).toBe(all.accounts);
  }
}, 60_000);

test('merging the rows of past days does not wait for a commit that changes one of them, and skips it', async () => {
  await testDatabase.asOwner(`
    truncate transfer_day_total, active_total;
    insert into transfer_day_total (day, shard, paid_usd_minor, completed, rejected)
      select date '2026-01-01' + d, s, 100, 1, 0 from generate_series(0, 1) as d, generate_series(0, 3) as s;
    insert into active_total (day, shard, senders) select date '2026-01-01', s, 1 from generate_series(0, 3) as s;`);
  const rows = async (table: string) => {
    const found = await database
      .fork()
      .execute<{ shard: number }[]>(`select shard from ${table} where day = '2026-01-01' order by shard`);
    return found.map(({ shard }) => shard);
  };
  const before = await keptTotals(database);
  const [changed, folded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const owner = await openDatabase(testDatabase.ownerUrl, { poolMax: 1 });
  const committing = owner.transaction(async (em) => {
    await em.execute(
      `update transfer_day_total set completed = completed + 1 where day = '2026-01-01' and shard in (0, 2)`,
    );
    await em.execute('update active_total set senders = senders + 1 where shard = 3');
    changed.resolve();
    await folded.promise;
  });
  await changed.promise;
  await database
    .transaction(async (em) => {
      await em.execute(`set local lock_timeout = '1s'`);
      await foldTotals(em, afterAllDays);
    })
    .finally(folded.resolve);
  await committing.finally(() => owner.close());
  expect([await rows('transfer_day_total'), await rows('active_total')]).toEqual([
    [0, 1, 2],
    [0, 3],
  ]);
  await foldTotals(database.fork(), afterAllDays);
  expect([await rows('transfer_day_total'), await rows('active_total')]).toEqual([[0], [0]]);
  const days = before.days.map((day) => ({
    ...day,
    completed: day.day === '2026-01-01' ? day.completed + 2 : day.completed,
  }));
  expect(await keptTotals(database)).toMatchObject({ days, active: { '2026-01-01': 5 } });
});
