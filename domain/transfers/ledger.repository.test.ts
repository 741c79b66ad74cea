import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TransferState, transferStateNames } from '#core/transfers/states';
import { Database, type EntityManager } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase } from '../../testing/database.ts';
import { makeMove, openTestTransfer, testMoment, transferIn } from '../../testing/transfers.ts';
import type { Operation } from '../provider-calls/operation.entity.ts';
import { postCharge, postPayout, postRefund, postUnwind } from './ledger.repository.ts';
import { Posting } from './posting.entity.ts';
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

const booksRefuse = /but its books say|without a (capture|payout)|was paid out|all of it was returned/;

async function linesOf(transferId: string) {
  const postings = await database
    .fork()
    .find(Posting, { transferId }, { orderBy: { at: 'asc', entry: 'asc', line: 'asc' } });
  return postings.map(({ entry, source, destination, amountMinor, currency }) =>
    [entry, source, destination, amountMinor, currency].join(' '),
  );
}

/** Books entries as for an operation that was not recorded. */
const entries = {
  charge: async (em: EntityManager, transfer: Transfer) => postCharge(em, transfer, testMoment),
  unwind: async (em: EntityManager, transfer: Transfer) => void (await postUnwind(em, transfer, testMoment)),
  payout: async (em: EntityManager, transfer: Transfer) =>
    postPayout(em, transfer, { sequence: 7, amountMinor: transfer.bolivianosMinor } as Operation, testMoment),
  refund: async (em: EntityManager, transfer: Transfer) => postRefund(em, transfer, refundOf(transfer), testMoment),
};

const refundOf = ({ amountMinor }: Transfer) => ({ sequence: 7, provider: 'bank', amountMinor }) as Operation;

/** Books an entry without moving the transfer. */
const postAlone = (id: string, entry: keyof typeof entries) =>
  database.transaction(async (em) => entries[entry](em, await em.findOneOrFail(Transfer, { id })));

/** Writes a line as from a database prompt. */
const insertLine = (transferId: string, line: Partial<Record<keyof Posting, unknown>>) =>
  database.transaction(async (em) => {
    const { entry = 'charge', source = 'exchange', destination = 'bank', amountMinor = 100, currency = 'BOB' } = line;
    await em.execute(
      `insert into ledger_posting (transfer_id, entry, line, source, destination, amount_minor, currency, at)
       values (?, ?, ?, ?, ?, ?, ?, now())`,
      [transferId, entry, line.line ?? 90, source, destination, amountMinor, currency],
    );
  });

describe('the lines', () => {
  const charge = [
    'charge card_processor sender_funds 10000 EUR',
    'charge sender_funds fee_income 350 EUR',
    'charge sender_funds exchange 9650 EUR',
    'charge exchange payout_due 129117 BOB',
  ];

  test('of a capture: charge, fee on a separate line, and an exchange in two legs', async () => {
    const { id } = await transferIn(database, 'captured', { userId });
    expect(await linesOf(id)).toEqual(charge);
  });

  test('of a payout', async () => {
    const { id } = await transferIn(database, 'completed', { userId });
    expect(await linesOf(id)).toEqual([...charge, 'payout payout_due bank 129117 BOB']);
  });

  test('of a refund: exchange and fee reversed, then the refund to the card', async () => {
    const { id } = await transferIn(database, 'refunded', { userId });
    expect(await linesOf(id)).toEqual([
      ...charge,
      'refund refund_due card_processor 10000 EUR',
      'unwind payout_due exchange 129117 BOB',
      'unwind exchange sender_funds 9650 EUR',
      'unwind fee_income sender_funds 350 EUR',
      'unwind sender_funds refund_due 10000 EUR',
    ]);
  });

  test('of zero are omitted: no fee, or no net amount', async () => {
    const free = await transferIn(database, 'completed', { userId, basisPoints: 0n });
    expect(await linesOf(free.id)).toHaveLength(4);
    const allFee = await transferIn(database, 'completed', { userId, basisPoints: 10_000n });
    expect(await linesOf(allFee.id)).toEqual([
      'charge card_processor sender_funds 10000 EUR',
      'charge sender_funds fee_income 10000 EUR',
    ]);
  });
});

describe('the database refuses', () => {
  // One transfer per state is enough, because rejected writes leave no trace.
  const inState = {} as Record<TransferState, string>;
  beforeAll(async () => {
    for (const state of transferStateNames) inState[state] = (await transferIn(database, state, { userId })).id;
  });

  test.each(transferStateNames.filter((state) => !['captured', 'payout_failed', 'refunding'].includes(state)))(
    'a charge of a transfer that is %s',
    async (state) => {
      const id = inState[state];
      await expect(postAlone(id, 'charge')).rejects.toThrow();
    },
  );

  test.each([
    ['captured', 'charge'],
    ['captured', 'payout'],
    ['captured', 'refund'],
    ['refunding', 'refund'],
    ['refunding', 'payout'],
    ['completed', 'payout'],
    ['completed', 'refund'],
    ['refunded', 'refund'],
    ['refunded', 'payout'],
  ] as const)('of a transfer that is %s another entry: %s', async (state, entry) => {
    const id = inState[state];
    const before = await linesOf(id);
    await expect(postAlone(id, entry)).rejects.toThrow();
    expect(await linesOf(id)).toEqual(before);
  });

  test('the same entry twice in one transaction', async () => {
    const id = inState.approved;
    const twice = database.transaction(async (em) => {
      const transfer = await em.findOneOrFail(Transfer, { id });
      postCharge(em, transfer, testMoment);
      await em.flush();
      em.clear();
      postCharge(em, transfer, testMoment);
    });
    await expect(twice).rejects.toThrow('ledger_posting_pkey');
  });

  test.each(
    transferStateNames.filter((state) => !['approved', 'captured', 'payout_failed', 'refunding'].includes(state)),
  )('a state of charged money without postings, from %s', async (state) => {
    const id = inState[state];
    for (const next of ['captured', 'completed', 'refunding']) {
      if (next === state) continue;
      const jump = database.transaction((em) => em.execute(`update transfer set state = ? where id = ?`, [next, id]));
      await expect(jump, next).rejects.toThrow(booksRefuse);
    }
  });

  test('to open a transfer as already paid', async () => {
    const opened = database.transaction(async (em) => {
      openTestTransfer(em, { userId }).state = 'completed';
    });
    await expect(opened).rejects.toThrow(booksRefuse);
  });

  test.each(['captured', 'completed', 'refunding'] as const)(
    'to leave %s without reversing the entries',
    async (state) => {
      const id = inState[state];
      for (const next of ['in_review', 'approved', 'rejected', 'refunded']) {
        const back = database.transaction((em) => em.execute(`update transfer set state = ? where id = ?`, [next, id]));
        await expect(back, next).rejects.toThrow(booksRefuse);
      }
    },
  );

  test.each([
    'amount_minor = amount_minor + 100, net_minor = net_minor + 100',
    'amount_minor = amount_minor - 100, fee_minor = fee_minor - 100',
    'fee_minor = fee_minor - 1, net_minor = net_minor + 1',
    'bolivianos_minor = bolivianos_minor - 1',
    `currency = 'USD'`,
  ])('to change what was booked: %s', async (change) => {
    const id = inState.captured;
    const changed = () => database.transaction((em) => em.execute(`update transfer set ${change} where id = ?`, [id]));
    await expect(changed()).rejects.toThrow('are frozen');
    // Without frozen terms, the books still cannot be changed.
    await testDatabase.asOwner('alter table transfer disable trigger transfer_frozen_terms');
    await expect(changed()).rejects.toThrow(booksRefuse);
    await testDatabase.asOwner('alter table transfer enable trigger transfer_frozen_terms');
  });

  test.each([
    ['more bolivianos for the bank out of nowhere', {}],
    ['a fee moved to the exchange', { source: 'fee_income', destination: 'exchange', currency: 'EUR' }],
    ['money of another currency', { source: 'card_processor', destination: 'bank', currency: 'USD' }],
    ['dollars for the exchange', { source: 'card_processor', destination: 'exchange', currency: 'USD' }],
    ['euros that stay with the sender', { source: 'card_processor', destination: 'sender_funds', currency: 'EUR' }],
    ['an unknown account', { source: 'exchange', destination: 'pocket', currency: 'EUR' }],
    ['a negative amount', { amountMinor: -100 }],
    ['an amount of zero', { amountMinor: 0 }],
    ['a line from an account to itself', { source: 'bank', destination: 'bank' }],
    ['an unknown entry', { entry: 'gift' }],
    ['an unknown currency', { currency: 'ARS' }],
  ])('%s', async (_, line) => {
    for (const state of ['captured', 'completed', 'refunded'] as const) {
      const id = inState[state];
      await expect(insertLine(id, line)).rejects.toThrow();
    }
  });

  test('a line without a transfer', async () => {
    await expect(insertLine(randomUUID(), {})).rejects.toThrow();
  });

  test.each(['update ledger_posting set amount_minor = 1', 'delete from ledger_posting', 'truncate ledger_posting'])(
    'to rewrite the books: %s',
    async (statement) => {
      await expect(testDatabase.asOwner(statement)).rejects.toThrow('ledger_posting is append-only');
    },
  );

  test('to delete a transfer that has books or history', async () => {
    const id = inState.captured;
    await expect(testDatabase.asOwner(`delete from transfer where id = '${id}'`)).rejects.toThrow('foreign key');
  });
});

test('booking and moving in two steps of one transaction is allowed: the books are checked at commit', async () => {
  const { id } = await transferIn(database, 'approved', { userId });
  await database.transaction(async (em) => {
    postCharge(em, await em.findOneOrFail(Transfer, { id }), testMoment);
    await em.flush();
    await em.execute(
      `update operation set status = 'succeeded', next_attempt_at = null where transfer_id = ? and kind = 'capture'`,
      [id],
    );
    await em.execute(`update transfer set state = 'captured' where id = ?`, [id]);
  });
  expect(await linesOf(id)).toHaveLength(4);
  expect(await makeMove(database, id, 'pay_out')).toMatchObject({ state: 'completed' });
});
