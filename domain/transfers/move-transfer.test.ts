import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { OperationKind } from '#core/operations/operation';
import { estimateDelivery } from '#core/transfers/delivery';
import {
  type Move,
  type MoveName,
  reopeningMoves,
  type TransferState,
  transferMoves,
  transferStateNames,
} from '#core/transfers/states';
import { createTestUser } from '../../testing/accounts.ts';
import { useTransferFixture } from '../../testing/transfer-fixture.ts';
import { makeMove, meetConditions, testMoment, transferIn } from '../../testing/transfers.ts';
import type { User } from '../accounts/account.entity.ts';
import { jobOf } from '../provider-calls/operation.repository.ts';
import { markAuthorizationVoided, moveTransfer } from './move-transfer.ts';
import { Transfer } from './transfer.entity.ts';

const fixture = useTransferFixture();
const moves = Object.entries(transferMoves) as [MoveName, Move][];

/**
 * The operations, entries and e-mails of each move besides its push: repeated here, so that a change of the table is
 * deliberate.
 */
const expected: Record<MoveName, { opens?: string[]; entry?: string; lines?: number; email?: string }> = {
  // Without a recipient.
  hold: { email: 'transfer_without_recipient' },
  expire_quote: {},
  stop_declined: { opens: ['void'] },
  refuse_over_limit: { opens: ['void'], email: 'transfer_ended' },
  refuse_repeated: { opens: ['void'], email: 'transfer_ended' },
  withdraw: { opens: ['void'], email: 'transfer_cancelled' },
  approve: { opens: ['capture'], email: 'transfer_approved' },
  reject: { opens: ['void'], email: 'transfer_rejected' },
  expire_authorization: { opens: ['void'], email: 'transfer_ended' },
  lose_authorization: { opens: ['void'], email: 'transfer_ended' },
  cancel_authorization: { opens: ['void'], email: 'transfer_cancelled' },
  revoke_approval: { opens: ['void'], email: 'transfer_rejected' },
  fail_capture: { opens: ['void'], email: 'transfer_ended' },
  capture: { opens: ['payout'], entry: 'charge', lines: 4 },
  pay_out: { entry: 'payout', lines: 1, email: 'transfer_paid' },
  pay_by_hand: { entry: 'payout', lines: 1, email: 'transfer_paid' },
  // Two entries: the payout, and the reversal of the unwinding.
  book_hand_payout: { email: 'transfer_paid' },
  reject_payout: {},
  return_payout: { entry: 'payout_return', lines: 1 },
  pay_again: { opens: ['payout'] },
  cancel_charge: { opens: ['refund'], entry: 'unwind', lines: 4 },
  give_up_payout: { opens: ['refund'], entry: 'unwind', lines: 4 },
  ask_money_back: { opens: ['refund'], entry: 'unwind', lines: 4 },
  expire_correction: { opens: ['refund'], entry: 'unwind', lines: 4 },
  refund_outside: { entry: 'unwind', lines: 4 },
  refund: { entry: 'refund', lines: 1, email: 'transfer_refunded' },
  bounce_refund: { entry: 'refund_reversal', lines: 1 },
};

describe.each(transferStateNames)('a transfer that is %s', (state) => {
  const allowed = moves.filter(([, move]) => move.from.includes(state));
  const forbidden = moves.filter(([, move]) => !move.from.includes(state)).map(([name]) => name);

  test(`rejects ${forbidden.length} moves, which write nothing`, async () => {
    const { id } = await transferIn(fixture.database, state, { userId: fixture.userId });
    const before = await fixture.everythingOf(id);
    for (const name of forbidden) expect(await makeMove(fixture.database, id, name), name).toBeNull();
    expect(await fixture.everythingOf(id)).toEqual(before);
  });

  test.each(allowed)('makes the move %s with its history, ledger entry, outbox rows and e-mail', async (name, move) => {
    const { id } = await transferIn(fixture.database, state, { userId: fixture.userId });
    await fixture.database.fork().nativeUpdate(Transfer, { id }, { paymentIntentId: `pi_${id}` });
    // The refund and its move are one commit: the database rejects one without the other.
    const together = name === 'refund' || reopeningMoves.has(name);
    if (!together) await fixture.database.transaction((em) => meetConditions(em, id, name));
    const before = await fixture.everythingOf(id);
    const actorId = randomUUID();
    const at = new Date(testMoment.getTime() + 60_000);
    const moved = await fixture.database.transaction(async (em) => {
      if (together) await meetConditions(em, id, name);
      return moveTransfer(em, id, name, { at, actorId });
    });
    const after = await fixture.everythingOf(id);
    const { opens = [], entry, lines = 0, email } = expected[name];

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
    const rewound = ['payout', ...Array(state === 'refunded' ? 5 : 4).fill('rewind')];
    expect(booked.map((posting) => posting.entry.replace(/:\d+$/, ''))).toEqual(
      name === 'book_hand_payout' ? rewound : Array.from({ length: lines }, () => entry),
    );
    const added = after.outbox.slice(before.outbox.length);
    const begun = after.operations.filter((one) => !before.operations.some((old) => old.id === one.id));
    expect(begun.filter(({ status }) => status === 'pending').map(({ kind }) => kind)).toEqual(opens);
    const written = after.emails.filter((one) => !before.emails.some((old) => old.id === one.id));
    // Before the authorization there is nothing to e-mail about.
    const isHeld = name !== 'withdraw' || before.transfer.paidAt != null;
    expect(written.map(({ kind }) => kind)).toEqual(email && isHeld ? [email] : []);
    const jobs = [...opens.map((kind) => jobOf[kind as OperationKind]), ...written.map(() => 'send-email')];
    const screened = move.to === 'in_review' ? ['screen-names'] : [];
    expect(added.map((row) => row.name).sort()).toEqual(['transfer-changed', ...jobs, ...screened].sort());
    expect(added.every((row) => row.runAt === null)).toBe(true);
  });
});

describe('holding the card of a transfer', () => {
  test('stores Stripe’s deadline for the sweep, without a job for it', async () => {
    const { id } = await transferIn(fixture.database, 'awaiting_payment', { userId: fixture.userId });
    const captureBefore = new Date('2026-11-27T15:00:00.000Z');
    const moved = await makeMove(fixture.database, id, 'hold', { captureBefore });
    expect(moved).toMatchObject({ captureBefore, paidAt: testMoment, cardBrand: 'visa', cardLast4: '4242' });
    const { outbox } = await fixture.everythingOf(id);
    expect(outbox.map(({ name }) => name)).not.toContain('expire-authorization');
  });
});

test('the delivery estimate counts from the payment, then from the approval, in business days of La Paz', async () => {
  const { id } = await transferIn(fixture.database, 'awaiting_payment', { userId: fixture.userId });
  const move = (name: MoveName, at: string) =>
    fixture.database.transaction((em) => moveTransfer(em, id, name, { at: new Date(at) }));
  // A Friday: the next business day is Monday.
  expect((await move('hold', '2026-11-27T15:00:00Z'))?.estimatedDelivery).toEqual(new Date('2026-11-30T15:00:00Z'));
  // Approved on Christmas Eve: Christmas is a Friday.
  expect((await move('approve', '2026-12-24T15:00:00Z'))?.estimatedDelivery).toEqual(new Date('2026-12-28T15:00:00Z'));
});

describe('concurrent moves of a transfer', () => {
  test('exactly one of a concurrent approval and rejection decides, in each of 20 rounds', async () => {
    const admins = await Promise.all([1, 2].map(() => createTestUser(fixture.database, { role: 'admin' })));
    const round = async () => {
      const { id } = await transferIn(fixture.database, 'in_review', { userId: fixture.userId });
      await fixture.database.fork().nativeUpdate(Transfer, { id }, { paymentIntentId: `pi_${id}` });
      const decide = (name: MoveName, index: number) =>
        makeMove(fixture.database, id, name, { decidedAt: testMoment, decidedById: admins[index]?.id });
      const decisions = await Promise.all([decide('approve', 0), decide('reject', 1)]);
      const winner = decisions.findIndex((decision) => decision !== null);
      expect(decisions.filter((decision) => decision !== null)).toHaveLength(1);
      const { transfer, steps, operations } = await fixture.everythingOf(id);
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
    const { id } = await transferIn(fixture.database, 'approved', { userId: fixture.userId });
    const captures = await Promise.all(Array.from({ length: 10 }, () => makeMove(fixture.database, id, 'capture')));
    expect(captures.filter((moved) => moved !== null)).toHaveLength(1);
    expect((await fixture.everythingOf(id)).postings).toHaveLength(4);
  });

  test('every move requested at once passes through states along a path of the table', async () => {
    const { id } = await transferIn(fixture.database, 'awaiting_payment', { userId: fixture.userId });
    const made = await Promise.all(
      moves.flatMap(([name]) => [name, name]).map((name) => makeMove(fixture.database, id, name)),
    );
    const { transfer, steps } = await fixture.everythingOf(id);
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

describe("an admin's decision about their own transfer", () => {
  test.each(['approve', 'reject'] as const)('to %s it has no effect, while a colleague can', async (name) => {
    const own = await createTestUser(fixture.database, { role: 'admin' });
    const colleague = await createTestUser(fixture.database, { role: 'admin' });
    const { id } = await transferIn(fixture.database, 'in_review', { userId: own.id });
    const before = await fixture.everythingOf(id);
    const decide = (admin: User) =>
      fixture.database.transaction((em) =>
        moveTransfer(em, id, name, {
          at: testMoment,
          actorId: admin.id,
          changes: { decidedAt: testMoment, decidedById: admin.id },
        }),
      );
    expect(await decide(own)).toBeNull();
    expect(await fixture.everythingOf(id)).toEqual(before);
    expect(await decide(colleague)).toMatchObject({ decidedById: colleague.id });
  });

  test('is rejected by the database, whoever writes it', async () => {
    const { id } = await transferIn(fixture.database, 'in_review', { userId: fixture.userId });
    const forced = fixture.database
      .fork()
      .nativeUpdate(Transfer, { id }, { decidedById: fixture.userId, decidedAt: testMoment });
    await expect(forced).rejects.toThrow('transfer_not_decided_by_its_sender');
  });
});

describe('a move of a transfer', () => {
  test('is rolled back completely with its transaction', async () => {
    const { id } = await transferIn(fixture.database, 'approved', { userId: fixture.userId });
    const before = await fixture.everythingOf(id);
    const failing = fixture.database.transaction(async (em) => {
      await moveTransfer(em, id, 'capture', { at: testMoment });
      throw new Error('something later went wrong');
    });
    await expect(failing).rejects.toThrow('something later went wrong');
    expect(await fixture.everythingOf(id)).toEqual(before);
  });

  test('that is rejected leaves the transaction usable', async () => {
    const { id } = await transferIn(fixture.database, 'in_review', { userId: fixture.userId });
    const second = await fixture.database.transaction(async (em) => {
      expect(await moveTransfer(em, id, 'capture', { at: testMoment })).toBeNull();
      return moveTransfer(em, id, 'approve', { at: testMoment });
    });
    expect(second?.state).toBe('approved');
  });

  test('sees the current state, not the one that this entity manager read before', async () => {
    const { id } = await transferIn(fixture.database, 'in_review', { userId: fixture.userId });
    const moved = await fixture.database.transaction(async (em) => {
      await em.findOneOrFail(Transfer, { id });
      await makeMove(fixture.database, id, 'reject');
      return moveTransfer(em, id, 'approve', { at: testMoment });
    });
    expect(moved).toBeNull();
    expect((await fixture.everythingOf(id)).transfer.state).toBe('rejected');
  });

  test('without a transaction is rejected', async () => {
    const { id } = await transferIn(fixture.database, 'in_review', { userId: fixture.userId });
    await expect(moveTransfer(fixture.database.fork(), id, 'approve', { at: testMoment })).rejects.toThrow(
      /transaction/,
    );
  });

  test('of an unknown transfer does nothing', async () => {
    expect(await makeMove(fixture.database, randomUUID(), 'approve')).toBeNull();
  });

  test('with an upper-case id adds its jobs in lower case, because ids are keys elsewhere', async () => {
    const { id } = await transferIn(fixture.database, 'in_review', { userId: fixture.userId });
    await makeMove(fixture.database, id.toUpperCase(), 'approve');
    const { outbox, operations } = await fixture.everythingOf(id);
    expect(outbox.map((row) => row.name)).toContain('transfer-changed');
    expect(operations.map(({ kind }) => kind)).toContain('capture');
  });
});

test('a voided authorization is pushed with a new version, and keeps the time of its first voiding', async () => {
  const { id, version } = await transferIn(fixture.database, 'rejected', { userId: fixture.userId });
  const pushed = async () =>
    (await fixture.everythingOf(id)).outbox.filter((row) => row.name === 'transfer-changed').length;
  const before = await pushed();
  const later = new Date(testMoment.getTime() + 1000);
  for (const at of [testMoment, later]) await fixture.database.transaction((em) => markAuthorizationVoided(em, id, at));
  const { transfer } = await fixture.everythingOf(id);
  expect(transfer).toMatchObject({ authorizationVoidedAt: testMoment, version: version + 1 });
  expect(await pushed()).toBe(before + 1);
});

test.each([
  'update transfer_step set owner = $$x$$',
  'delete from transfer_step',
  'update transfer_step set at = now()',
])('the history of a transfer cannot be rewritten, not even by the database owner: %s', async (statement) => {
  await transferIn(fixture.database, 'in_review', { userId: fixture.userId });
  await expect(fixture.asOwner(statement)).rejects.toThrow('transfer_step is append-only');
});
