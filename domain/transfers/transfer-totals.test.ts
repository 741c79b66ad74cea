import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hourMs, laPazZone } from '#core/time/time';
import { type MoveName, paidStates, statesOf, type TransferState, transferMoves } from '#core/transfers/states';
import { Database } from '#platform/database/database';
import { fillTotals } from '#platform/database/migrations/migration-2026-12-02-transfer-totals';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../testing/accounts.ts';
import { openDatabase } from '../testing/database.ts';
import { makeMove, openTestTransfer, testMoment, transferIn } from '../testing/transfers.ts';
import { Transfer } from './transfer.entity.ts';

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

/** The totals as the tables have them, rows of zeros left out. */
async function keptTotals(of: Database): Promise<{ days: DayTotal[]; senders: SenderTotal[] }> {
  const em = of.fork();
  const days = await em.execute<{ day: string; paid: string; completed: number; rejected: number }[]>(
    `select day::text, sum(paid_usd_minor)::text as paid, sum(completed)::int as completed, sum(rejected)::int as rejected
     from transfer_day_total group by day having (sum(paid_usd_minor), sum(completed), sum(rejected)) <> (0, 0, 0) order by day`,
  );
  const ofSenders = await em.execute<{ sender: string; paid: string; count: number; at: string }[]>(
    `select user_id as sender, paid_usd_minor::text as paid, paid_count as count, last_paid_at as at
     from sender_total order by user_id`,
  );
  return {
    days: days.map(({ paid, ...day }) => ({ ...day, paid: BigInt(paid) })),
    senders: ofSenders.map(({ paid, at, ...sender }) => ({ ...sender, paid: BigInt(paid), lastPaidAt: new Date(at) })),
  };
}

/** The same totals, added up from the transfers by the states of core/transfers/states.ts. */
async function addedTotals(of: Database): Promise<{ days: DayTotal[]; senders: SenderTotal[] }> {
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
  return { days: days.sort(by(({ day }) => day)), senders: ofSenders.sort(by(({ sender }) => sender)) };
}

const dayThere = (at: Date) => at.toLocaleDateString('sv-SE', { timeZone: laPazZone });

const names = Object.keys(transferMoves) as MoveName[];
/** Moves that change totals, or lead there. */
const frequent: MoveName[] = ['hold', 'approve', 'capture', 'pay_out', 'reject'];

/** A new transfer, or a move of one of those there are, paid some hours earlier or later. */
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

test('every move from each of its states leaves the totals as the sums over the transfers', async () => {
  const userId = senders[0] as string;
  for (const name of names) {
    for (const from of transferMoves[name].from)
      await makeMove(database, (await transferIn(database, from, { userId })).id, name);
    expect(await keptTotals(database), name).toEqual(await addedTotals(database));
  }
});

test('after any moves the totals are the sums over the transfers, and so they are when filled for old transfers', async () => {
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
    // A counterexample is reported before the test's time is over, however long making it shorter takes.
    { numRuns: 6, plugins: [fc.interruptAfterTimeLimit(50_000, { failOnInterrupt: true })] },
  );
  await testDatabase.asOwner(`truncate transfer_day_total, sender_total; ${fillTotals}`);
  expect(await keptTotals(database)).toEqual(await addedTotals(database));
}, 60_000);
