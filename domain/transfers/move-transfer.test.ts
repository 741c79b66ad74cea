import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { estimateDelivery } from '#core/transfers/delivery';
import {
  type Move,
  type MoveName,
  reopeningMoves,
  type TransferState,
  transferMoves,
  transferStateNames,
} from '#core/transfers/states';
import { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import type { User } from '../accounts/account.entity.ts';
import { openDatabase } from '../database.ts';
import { Operation } from '../operations/operation.entity.ts';
import { createTestUser } from '../testing/accounts.ts';
import {
  makeMove,
  meetConditions,
  openTestTransfer,
  testMoment,
  testTarget,
  transferIn,
} from '../testing/transfers.ts';
import { attachPaymentIntent, markAuthorizationVoided, moveTransfer } from './move-transfer.ts';
import { Posting } from './posting.entity.ts';
import { Transfer, TransferStep } from './transfer.entity.ts';

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

const moves = Object.entries(transferMoves) as [MoveName, Move][];

/** What each move begins and books besides its push: said again here, so that a change of the table is a decision. */
const expected: Record<MoveName, { opens?: string[]; entry?: string; lines?: number }> = {
  hold: {},
  expire_quote: {},
  stop_declined: { opens: ['void'] },
  refuse_over_limit: { opens: ['void'] },
  withdraw: { opens: ['void'] },
  approve: { opens: ['capture'] },
  reject: { opens: ['void'] },
  expire_authorization: { opens: ['void'] },
  lose_authorization: { opens: ['void'] },
  cancel_authorization: { opens: ['void'] },
  fail_capture: { opens: ['void'] },
  capture: { opens: ['payout'], entry: 'charge', lines: 4 },
  pay_out: { entry: 'payout', lines: 1 },
  pay_by_hand: { entry: 'payout', lines: 1 },
  reject_payout: {},
  return_payout: { entry: 'payout_return', lines: 1 },
  pay_again: { opens: ['payout'] },
  return: { opens: ['refund'], entry: 'unwind', lines: 4 },
  cancel_charge: { opens: ['refund'], entry: 'unwind', lines: 4 },
  give_up_payout: { opens: ['refund'], entry: 'unwind', lines: 4 },
  ask_money_back: { opens: ['refund'], entry: 'unwind', lines: 4 },
  expire_correction: { opens: ['refund'], entry: 'unwind', lines: 4 },
  refund_outside: { entry: 'unwind', lines: 4 },
  refund: { entry: 'refund', lines: 1 },
  bounce_refund: { entry: 'refund_reversal', lines: 1 },
};

/** Everything the database says about a transfer. */
async function everythingOf(id: string) {
  const em = database.fork();
  const transfer = await em.findOneOrFail(Transfer, { id });
  const steps = await em.find(TransferStep, { transferId: id }, { orderBy: { version: 'asc' } });
  const postings = await em.find(Posting, { transferId: id }, { orderBy: { entry: 'asc', line: 'asc' } });
  const outbox = await em.find(OutboxRow, { data: { transferId: id } }, { orderBy: { id: 'asc' } });
  const operations = await em.find(
    Operation,
    { transferId: id },
    { orderBy: { createdAt: 'asc', kind: 'asc', sequence: 'asc' } },
  );
  return { transfer, steps, postings, outbox, operations };
}

describe.each(transferStateNames)('a transfer that is %s', (state) => {
  const allowed = moves.filter(([, move]) => move.from.includes(state));
  const forbidden = moves.filter(([, move]) => !move.from.includes(state)).map(([name]) => name);

  test(`is refused ${forbidden.length} moves, which write nothing`, async () => {
    const { id } = await transferIn(database, state, { userId });
    const before = await everythingOf(id);
    for (const name of forbidden) expect(await makeMove(database, id, name), name).toBeNull();
    expect(await everythingOf(id)).toEqual(before);
  });

  test.each(allowed)('takes the move %s with its history, ledger entry and outbox rows', async (name, move) => {
    const { id } = await transferIn(database, state, { userId });
    await database.fork().nativeUpdate(Transfer, { id }, { paymentIntentId: `pi_${id}` });
    // What is returned, and the move by it, are one commit: the database refuses one without the other.
    const together = name === 'refund' || reopeningMoves.has(name);
    if (!together) await database.transaction((em) => meetConditions(em, id, name));
    const before = await everythingOf(id);
    const actorId = randomUUID();
    const at = new Date(testMoment.getTime() + 60_000);
    const moved = await database.transaction(async (em) => {
      if (together) await meetConditions(em, id, name);
      return moveTransfer(em, id, name, { at, actorId });
    });
    const after = await everythingOf(id);
    const { opens = [], entry, lines = 0 } = expected[name];

    expect({ ...moved }).toEqual({ ...after.transfer });
    expect(after.transfer).toEqual({
      ...before.transfer,
      state: move.to,
      version: before.transfer.version + 1,
      changedAt: at,
      ...(['hold', 'approve'].includes(name) ? { estimatedDelivery: estimateDelivery(at, 'bank') } : {}),
    });
    expect(after.steps.slice(0, -1)).toEqual(before.steps);
    expect(after.steps.at(-1)).toMatchObject({
      version: after.transfer.version,
      state: move.to,
      move: name,
      owner: move.owner,
      actorId,
      at,
    });
    const booked = after.postings.filter((posting) => !before.postings.some((old) => old.entry === posting.entry));
    expect(booked.map((posting) => posting.entry.replace(/:\d+$/, ''))).toEqual(
      Array.from({ length: lines }, () => entry),
    );
    const asked = after.outbox.slice(before.outbox.length);
    expect(asked.map((row) => row.name)).toEqual(['transfer-changed']);
    const begun = after.operations.filter((one) => !before.operations.some((old) => old.id === one.id));
    expect(begun.filter(({ status }) => status === 'pending').map(({ kind }) => kind)).toEqual(opens);
    expect(asked.every((row) => row.runAt === null && row.jobKey === null)).toBe(true);
  });
});

describe('opening a transfer', () => {
  test('writes the frozen quote, the first step and the expiry', async () => {
    const recipient = null;
    const { id } = await database.transaction(async (em) => openTestTransfer(em, { userId, recipient }));
    const { transfer, steps, postings, outbox } = await everythingOf(id);
    expect(transfer).toMatchObject({
      state: 'awaiting_payment',
      version: 1,
      feeMinor: 350n,
      bolivianosMinor: 129_117n,
    });
    expect(steps).toMatchObject([
      { version: 1, state: 'awaiting_payment', move: null, owner: 'sender', actorId: userId },
    ]);
    expect(postings).toEqual([]);
    // The sweep finds it when its quote has run out.
    expect(outbox).toEqual([]);
  });

  test('without a recipient keeps no payout target at all, with one a copy', async () => {
    const recipientId = randomUUID();
    const { id } = await database.transaction(async (em) => {
      await em.execute(
        `insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship,
           created_at) values (?, ?, 'Rosa', '', '', '', '', '', '', '', '', now())`,
        [recipientId, userId],
      );
      openTestTransfer(em, { userId });
      return openTestTransfer(em, { userId, recipient: { id: recipientId, target: testTarget } });
    });
    expect((await everythingOf(id)).transfer).toMatchObject({ recipientId, payoutTarget: testTarget });
    const [{ missing }] = await database
      .fork()
      .execute<[{ missing: string }]>(
        `select count(*) as missing from transfer where recipient_id is null and payout_target is not null`,
      );
    expect(Number(missing)).toBe(0);
  });

  test('of a quote that does not add up is refused by the database', async () => {
    const wrong = database.transaction(async (em) => {
      openTestTransfer(em, { userId }).netMinor += 1n;
    });
    await expect(wrong).rejects.toThrow(/transfer_(amount_adds_up|never_above_exact)/);
    const generous = database.transaction(async (em) => {
      openTestTransfer(em, { userId }).bolivianosMinor += 1n;
    });
    await expect(generous).rejects.toThrow('transfer_never_above_exact');
  });
});

describe('holding the card of a transfer', () => {
  test('keeps Stripe’s deadline, by which a sweep finds it, and asks for no job', async () => {
    const { id } = await transferIn(database, 'awaiting_payment', { userId });
    const captureBefore = new Date('2026-11-27T15:00:00.000Z');
    const moved = await makeMove(database, id, 'hold', { captureBefore });
    expect(moved).toMatchObject({ captureBefore, paidAt: testMoment, cardBrand: 'visa', cardLast4: '4242' });
    const { outbox } = await everythingOf(id);
    expect(outbox.filter(({ kind }) => kind === 'job')).toEqual([]);
  });
});

test('the delivery estimate counts from the payment, then from the approval, by the business days of La Paz', async () => {
  const { id } = await transferIn(database, 'awaiting_payment', { userId });
  const move = (name: MoveName, at: string) =>
    database.transaction((em) => moveTransfer(em, id, name, { at: new Date(at) }));
  // A Friday: the next business day is Monday.
  expect((await move('hold', '2026-11-27T15:00:00Z'))?.estimatedDelivery).toEqual(new Date('2026-11-30T15:00:00Z'));
  // Approved on Christmas Eve: Christmas is a Friday.
  expect((await move('approve', '2026-12-24T15:00:00Z'))?.estimatedDelivery).toEqual(new Date('2026-12-28T15:00:00Z'));
});

describe('concurrent moves of a transfer', () => {
  test('exactly one of a concurrent approval and rejection decides, in each of 20 rounds', async () => {
    const admins = await Promise.all([1, 2].map(() => createTestUser(database, { role: 'admin' })));
    const round = async () => {
      const { id } = await transferIn(database, 'in_review', { userId });
      await database.fork().nativeUpdate(Transfer, { id }, { paymentIntentId: `pi_${id}` });
      const decide = (name: MoveName, index: number) =>
        makeMove(database, id, name, { decidedAt: testMoment, decidedById: admins[index]?.id });
      const decisions = await Promise.all([decide('approve', 0), decide('reject', 1)]);
      const winner = decisions.findIndex((decision) => decision !== null);
      expect(decisions.filter((decision) => decision !== null)).toHaveLength(1);
      const { transfer, steps, operations } = await everythingOf(id);
      expect(transfer).toMatchObject({
        state: winner === 0 ? 'approved' : 'rejected',
        decidedById: admins[winner]?.id,
        version: 3,
      });
      expect(steps.map((step) => step.version)).toEqual([1, 2, 3]);
      const begun = operations.filter(({ kind }) => kind !== 'authorization');
      expect(begun.map(({ kind }) => kind)).toEqual([winner === 0 ? 'capture' : 'void']);
    };
    await Promise.all(Array.from({ length: 20 }, round));
  });

  test('the same move requested ten times at once happens once', async () => {
    const { id } = await transferIn(database, 'approved', { userId });
    const captures = await Promise.all(Array.from({ length: 10 }, () => makeMove(database, id, 'capture')));
    expect(captures.filter((moved) => moved !== null)).toHaveLength(1);
    expect((await everythingOf(id)).postings).toHaveLength(4);
  });

  test('every move requested at once passes through states along a path of the table', async () => {
    const { id } = await transferIn(database, 'awaiting_payment', { userId });
    const made = await Promise.all(moves.flatMap(([name]) => [name, name]).map((name) => makeMove(database, id, name)));
    const { transfer, steps } = await everythingOf(id);
    expect(steps.length - 1).toBe(made.filter((moved) => moved !== null).length);
    let state: TransferState = 'awaiting_payment';
    for (const step of steps.slice(1)) {
      const move: Move = transferMoves[step.move as MoveName];
      expect(move.from).toContain(state);
      expect(step.state).toBe(move.to);
      state = step.state;
    }
    expect(transfer.state).toBe(state);
  });
});

describe("an admin's decision about a transfer of their own", () => {
  test.each(['approve', 'reject'] as const)('to %s it moves nothing, while a colleague can', async (name) => {
    const own = await createTestUser(database, { role: 'admin' });
    const colleague = await createTestUser(database, { role: 'admin' });
    const { id } = await transferIn(database, 'in_review', { userId: own.id });
    const before = await everythingOf(id);
    const decide = (admin: User) =>
      database.transaction((em) =>
        moveTransfer(em, id, name, {
          at: testMoment,
          actorId: admin.id,
          changes: { decidedAt: testMoment, decidedById: admin.id },
        }),
      );
    expect(await decide(own)).toBeNull();
    expect(await everythingOf(id)).toEqual(before);
    expect(await decide(colleague)).toMatchObject({ decidedById: colleague.id });
  });

  test('is refused by the database whoever writes it', async () => {
    const { id } = await transferIn(database, 'in_review', { userId });
    const forced = database.fork().nativeUpdate(Transfer, { id }, { decidedById: userId, decidedAt: testMoment });
    await expect(forced).rejects.toThrow('transfer_not_decided_by_its_sender');
  });
});

describe('a move of a transfer', () => {
  test('belongs to its transaction: thrown away with it, whole', async () => {
    const { id } = await transferIn(database, 'approved', { userId });
    const before = await everythingOf(id);
    const failing = database.transaction(async (em) => {
      await moveTransfer(em, id, 'capture', { at: testMoment });
      throw new Error('something later went wrong');
    });
    await expect(failing).rejects.toThrow('something later went wrong');
    expect(await everythingOf(id)).toEqual(before);
  });

  test('that is refused leaves the transaction usable', async () => {
    const { id } = await transferIn(database, 'in_review', { userId });
    const second = await database.transaction(async (em) => {
      expect(await moveTransfer(em, id, 'capture', { at: testMoment })).toBeNull();
      return moveTransfer(em, id, 'approve', { at: testMoment });
    });
    expect(second?.state).toBe('approved');
  });

  test('sees the state as it is, not as this entity manager read it before', async () => {
    const { id } = await transferIn(database, 'in_review', { userId });
    const moved = await database.transaction(async (em) => {
      await em.findOneOrFail(Transfer, { id });
      await makeMove(database, id, 'reject');
      return moveTransfer(em, id, 'approve', { at: testMoment });
    });
    expect(moved).toBeNull();
    expect((await everythingOf(id)).transfer.state).toBe('rejected');
  });

  test('without a transaction is refused', async () => {
    const { id } = await transferIn(database, 'in_review', { userId });
    await expect(moveTransfer(database.fork(), id, 'approve', { at: testMoment })).rejects.toThrow(/transaction/);
  });

  test('of a transfer that is not there moves nothing', async () => {
    expect(await makeMove(database, randomUUID(), 'approve')).toBeNull();
  });

  test('asked for with the id in upper case asks for its jobs in lower case: ids are keys elsewhere', async () => {
    const { id } = await transferIn(database, 'in_review', { userId });
    await makeMove(database, id.toUpperCase(), 'approve');
    const { outbox, operations } = await everythingOf(id);
    expect(outbox.map((row) => row.name)).toContain('transfer-changed');
    expect(operations.map(({ kind }) => kind)).toContain('capture');
  });
});

describe('the payment intent of a transfer', () => {
  test('that is attached to a transfer raises its version and is pushed', async () => {
    const { id, version } = await transferIn(database, 'awaiting_payment', { userId });
    const at = new Date(testMoment.getTime() + 1000);
    const attach = () => database.transaction((em) => attachPaymentIntent(em, id, `pi_${randomUUID()}`, at));
    await attach();
    await attach();
    const { transfer, outbox } = await everythingOf(id);
    expect(transfer).toMatchObject({ version: version + 1, changedAt: at });
    expect(outbox.filter((row) => row.name === 'transfer-changed')).toHaveLength(1);
  });

  test('is remembered once and never replaced', async () => {
    const { id } = await transferIn(database, 'awaiting_payment', { userId });
    const intents = [`pi_${randomUUID()}`, `pi_${randomUUID()}`];
    for (const intent of [intents[0], intents[0], intents[1]]) {
      await database.transaction((em) => attachPaymentIntent(em, id, intent as string, testMoment));
    }
    expect((await everythingOf(id)).transfer.paymentIntentId).toBe(intents[0]);
  });

  test('belongs to one transfer', async () => {
    const [a, b] = await Promise.all([1, 2].map(() => transferIn(database, 'awaiting_payment', { userId })));
    const intent = `pi_${randomUUID()}`;
    await database.transaction((em) => attachPaymentIntent(em, a?.id as string, intent, testMoment));
    const second = database.transaction((em) => attachPaymentIntent(em, b?.id as string, intent, testMoment));
    await expect(second).rejects.toThrow('transfer_payment_intent_id_unique');
  });
});

test('a voided authorization is pushed with a new version, and keeps the moment of its first voiding', async () => {
  const { id, version } = await transferIn(database, 'rejected', { userId });
  const pushed = async () => (await everythingOf(id)).outbox.filter((row) => row.name === 'transfer-changed').length;
  const before = await pushed();
  const later = new Date(testMoment.getTime() + 1000);
  for (const at of [testMoment, later]) await database.transaction((em) => markAuthorizationVoided(em, id, at));
  const { transfer } = await everythingOf(id);
  expect(transfer).toMatchObject({ authorizationVoidedAt: testMoment, version: version + 1 });
  expect(await pushed()).toBe(before + 1);
});

test.each([
  'update transfer_step set owner = $$x$$',
  'delete from transfer_step',
  'update transfer_step set at = now()',
])('the history of a transfer cannot be rewritten, not even by the database owner: %s', async (statement) => {
  await transferIn(database, 'in_review', { userId });
  await expect(testDatabase.asOwner(statement)).rejects.toThrow('transfer_step is append-only');
});
