import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SendCurrency, sendCurrencies } from '#core/money/money';
import { type Rate, rateDigits } from '#core/rates/rate';
import { type Move, type MoveName, type TransferState, transferMoves } from '#core/transfers/states';
import { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase } from '../../testing/database.ts';
import { makeMove, openTestTransfer } from '../../testing/transfers.ts';
import { Transfer } from './transfer.entity.ts';

let testDatabase: TestDatabase;
let database: Database;
let userId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url);
  userId = (await createTestUser(database)).id;
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/**
 * All moves except the one that pays twice (domain/desk-actions/settlement.test.ts): here the money is either paid out or
 * refunded.
 */
const names = (Object.keys(transferMoves) as MoveName[]).filter((name) => name !== 'book_hand_payout');

/** The expected result for a transfer, computed independently of the product. */
interface Expected {
  state: TransferState;
  currency: SendCurrency;
  amount: bigint;
  fee: bigint;
  bolivianos: bigint;
}
type Model = { transfers: Expected[]; seen: Set<TransferState> };
/** Ids of the run's transfers, in the order of the model. */
type Real = { ids: string[] };

const allows = (name: MoveName, state: TransferState) => (transferMoves[name] as Move).from.includes(state);

class Open implements fc.AsyncCommand<Model, Real> {
  readonly overrides: { amountMinor: bigint; currency: SendCurrency; rate: Rate; basisPoints: bigint };
  constructor(overrides: Open['overrides']) {
    this.overrides = overrides;
  }
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    const { amountMinor: amount, currency, rate, basisPoints } = this.overrides;
    const { id } = await database.transaction(async (em) => openTestTransfer(em, { userId, ...this.overrides }));
    const fee = (amount * basisPoints + 9_999n) / 10_000n;
    const bolivianos = ((amount - fee) * rate) / 10n ** BigInt(rateDigits);
    model.transfers.push({ state: 'awaiting_payment', currency, amount, fee, bolivianos });
    real.ids.push(id);
  }
  toString = () => `open ${this.overrides.amountMinor} ${this.overrides.currency} at ${this.overrides.rate}`;
}

/** One move, or two concurrent ones; the second fails unless it may follow. */
class Ask implements fc.AsyncCommand<Model, Real> {
  readonly which: number;
  /** The moves, or a number that picks one of those the state allows. */
  readonly choice: readonly MoveName[] | number;
  constructor(which: number, choice: Ask['choice']) {
    this.which = which;
    this.choice = choice;
  }
  check = (model: Readonly<Model>) => model.transfers.length > 0;
  async run(model: Model, real: Real): Promise<void> {
    const index = this.which % model.transfers.length;
    const transfer = model.transfers[index] as Expected;
    const id = real.ids[index] as string;
    const moves = typeof this.choice === 'number' ? pick(this.choice, transfer.state) : this.choice;
    const moved = await Promise.all(moves.map((name) => makeMove(database, id, name)));
    const made = moves.filter((_, position) => moved[position] !== null);
    // The order is unknown, but the successful moves must be valid in some order.
    const orders = made.length === 2 ? [made, made.toReversed()] : [made];
    const order = orders.find((inTurn) => this.#end(transfer.state, inTurn) !== null);
    expect(order, `${made} out of ${transfer.state}`).toBeDefined();
    const end = this.#end(transfer.state, order ?? []) as TransferState;
    for (const name of moves.filter((one) => !made.includes(one))) {
      expect(allows(name, transfer.state) && allows(name, end), `${name} should have happened`).toBe(false);
    }
    transfer.state = end;
    model.seen.add(end);
    const found = await database.fork().findOneOrFail(Transfer, { id });
    expect(found.state).toBe(end);
  }
  #end(from: TransferState, moves: readonly MoveName[]): TransferState | null {
    let state: TransferState | null = from;
    for (const name of moves) state = state && allows(name, state) ? transferMoves[name].to : null;
    return state;
  }
  toString = () =>
    `ask for ${typeof this.choice === 'number' ? 'the next' : this.choice.join(' and ')} of ${this.which}`;
}

/** The next move of a transfer, twice out of three towards the payout, or few would be charged. */
function pick(choice: number, state: TransferState): MoveName[] {
  const allowed = names.filter((name) => allows(name, state));
  const onward = allowed.find((name) => ['hold', 'approve', 'capture', 'pay_out', 'refund'].includes(name));
  const name = choice % 3 > 0 && onward ? onward : allowed[choice % allowed.length];
  return name ? [name] : ['approve'];
}

/** Sums of all accounts over the transfers of the run, by account and currency. */
function expectedBalances(transfers: readonly Expected[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  const add = (account: string, currency: string, amount: bigint) => {
    const key = `${account} ${currency}`;
    sums[key] = (sums[key] ?? 0n) + amount;
  };
  for (const { state, currency, amount, fee, bolivianos } of transfers) {
    if (!['captured', 'payout_failed', 'refunding', 'completed'].includes(state)) continue;
    add('card_processor', currency, -amount);
    if (state === 'refunding') {
      add('refund_due', currency, amount);
      continue;
    }
    add('fee_income', currency, fee);
    add('exchange', currency, amount - fee);
    add('exchange', 'BOB', -bolivianos);
    add(state === 'completed' ? 'bank' : 'payout_due', 'BOB', bolivianos);
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0n));
}

/** The same sums according to the postings. */
async function bookedBalances(ids: string[]): Promise<Record<string, bigint>> {
  const rows = await database.fork().execute<{ account: string; currency: string; sum: string }[]>(
    `select account, currency, sum(amount)::text as sum from (
       select transfer_id, source as account, currency, -amount_minor as amount from ledger_posting
       union all select transfer_id, destination, currency, amount_minor from ledger_posting
     ) as sides where transfer_id = any (string_to_array(?, ',')::uuid[])
     group by account, currency having sum(amount) <> 0`,
    [ids.join(',')],
  );
  return Object.fromEntries(rows.map(({ account, currency, sum }) => [`${account} ${currency}`, BigInt(sum)]));
}

/** Transfers and currencies whose books do not sum to zero; must be empty. */
const unbalanced = () =>
  database
    .fork()
    .execute(
      `select transfer_id, currency from ledger_balance group by transfer_id, currency having sum(amount_minor) <> 0`,
    );

const opening = fc
  .record({
    amountMinor: fc.bigInt(1_000n, 300_000n),
    currency: fc.constantFrom(...sendCurrencies),
    rate: fc.bigInt(1_000_000n, 20_000_000n).map((rate) => rate as Rate),
    basisPoints: fc.constantFrom(0n, 1n, 350n, 9_999n, 10_000n),
  })
  .map((overrides) => new Open(overrides));
const name = fc.constantFrom(...names);
const which = fc.nat(1_000);
const commands = fc.commands(
  [
    opening,
    fc.tuple(which, fc.nat(1_000)).map(([index, choice]) => new Ask(index, choice)),
    fc.tuple(which, fc.nat(1_000)).map(([index, choice]) => new Ask(index, choice)),
    fc.tuple(which, fc.tuple(name)).map(([index, moves]) => new Ask(index, moves)),
    fc.tuple(which, fc.tuple(name, name)).map(([index, moves]) => new Ask(index, moves)),
  ],
  { maxCommands: 50, size: 'max' },
);

test('for any sequence of moves, every account matches the model', async () => {
  const seen = new Set<TransferState>();
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const model: Model = { transfers: [], seen };
      const real: Real = { ids: [] };
      await fc.asyncModelRun(() => ({ model, real }), sequence);
      expect(await bookedBalances(real.ids)).toEqual(expectedBalances(model.transfers));
      expect(await unbalanced()).toEqual([]);
    }),
    // Reports a counterexample before the test times out, however long shrinking takes.
    { numRuns: 15, plugins: [fc.interruptAfterTimeLimit(50_000, { failOnInterrupt: true })] },
  );
  // A run without a charge would prove little.
  expect([...seen]).toContain('captured');
}, 60_000);
