import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelWindowMs } from '#core/cancelling';
import type { PayoutRequest } from '#core/contracts/bank';
import { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../infra/testing/database.ts';
import type { Engine } from '../worker/engine.ts';
import { sweepTransfers } from '../worker/sweeps/transfers.ts';
import { TransferRoom } from './transfer-room.ts';

let testDatabase: TestDatabase;
let database: Database;
let room: TransferRoom;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.open(testDatabase.url);
  room = await TransferRoom.open(database, testDatabase.url);
});
afterAll(async () => {
  await room?.close();
  await database?.close();
  await testDatabase?.drop();
});

const rounds = (count: number, round: () => Promise<void>) => Promise.all(Array.from({ length: count }, round));

/** Stripe, with something that happens around its capture. */
function whenCapturing(engine: Engine, around: { before?: () => Promise<unknown>; after?: () => Promise<unknown> }) {
  const paymentIntents = Object.create(engine.stripe.paymentIntents);
  paymentIntents.capture = async (...args: Parameters<Engine['stripe']['paymentIntents']['capture']>) => {
    await around.before?.();
    const intent = await engine.stripe.paymentIntents.capture(...args);
    await around.after?.();
    return intent;
  };
  return { ...engine, stripe: Object.assign(Object.create(engine.stripe), { paymentIntents }) } as Engine;
}

/** The bank, with something that happens before it hears of a payout. */
function whenPaying(engine: Engine, before: (request: PayoutRequest) => Promise<unknown>): Engine {
  return {
    ...engine,
    bank: {
      pay: async (request) => {
        await before(request);
        return engine.bank.pay(request);
      },
    },
  };
}

describe('without a race', () => {
  test('in review: cancelled at once, the hold is let go', async () => {
    const id = await room.paid('in_review');
    expect((await room.cancel(id)).outcome).toEqual({ kind: 'withdraw' });
    await room.expectEnd(id, 'cancelled');
  });

  test('approved and not captured yet: cancelled, nothing is ever charged', async () => {
    const id = await room.paid();
    expect((await room.cancel(id)).outcome.kind).toBe('request');
    await room.expectEnd(id, 'cancelled');
    expect(await room.steps(id)).toEqual([null, 'hold', 'approve', 'request_cancel', 'cancel_hold']);
    expect((await room.see(id)).reason).toBe('El remitente lo canceló');
  });

  test('captured and no payout begun: everything goes back, the fee too', async () => {
    const id = await room.paid();
    await room.run('capture-payment', id);
    await room.cancel(id);
    await room.expectEnd(id, 'refunded');
    expect(await room.steps(id)).toEqual([
      ...[null, 'hold', 'approve', 'capture'],
      ...['request_cancel', 'cancel_charge', 'refund'],
    ]);
  });

  test('cancelled twice it is cancelled once', async () => {
    const id = await room.paid();
    await room.cancel(id);
    expect((await room.cancel(id)).outcome).toEqual({ kind: 'done' });
    await room.expectEnd(id, 'cancelled');
    expect((await room.cancel(id)).outcome).toEqual({ kind: 'done' });
  });

  test('after the payout began, and once it is done, it cannot be cancelled', async () => {
    const id = await room.paid();
    await room.run('capture-payment', id);
    const dead = whenPaying(room.engine, () => Promise.reject(new Error('the worker died')));
    await expect(room.run('pay-out', id, dead)).rejects.toThrow('the worker died');
    expect((await room.cancel(id)).outcome).toEqual({ kind: 'refused', code: 'payout_started' });
    await room.expectEnd(id, 'completed');
    expect((await room.cancel(id)).outcome).toEqual({ kind: 'refused', code: 'already_deposited' });
  });

  test('30 minutes after paying to the millisecond, and not one later', async () => {
    const [last, late] = [await room.paid(), await room.paid()];
    const paidAt = async (id: string) => (await room.see(id)).paidAt?.getTime() ?? 0;
    const before = room.now;
    room.now = new Date((await paidAt(late)) + cancelWindowMs + 1);
    expect((await room.cancel(late)).outcome).toEqual({ kind: 'refused', code: 'cancel_too_late' });
    room.now = new Date((await paidAt(last)) + cancelWindowMs);
    expect((await room.cancel(last)).outcome.kind).toBe('request');
    room.now = before;
    await room.expectEnd(last, 'cancelled');
    await room.expectEnd(late, 'completed');
  });
});

describe('at the same moment', () => {
  test('cancel and approve: the sender gets the money back whoever is first', async () => {
    await rounds(10, async () => {
      const id = await room.paid('in_review');
      const [cancelled] = await Promise.all([room.cancel(id), room.approve(id)]);
      expect(['withdraw', 'request']).toContain(cancelled.outcome.kind);
      await room.expectEnd(id, 'cancelled', 'refunded');
    });
  });

  test('cancel and capture: the hold is let go or the charge goes back, nobody is paid', async () => {
    await rounds(10, async () => {
      const id = await room.paid();
      await Promise.all([room.cancel(id), room.run('capture-payment', id)]);
      await room.expectEnd(id, 'cancelled', 'refunded');
    });
  });

  test('capture and undoing: Stripe decides which, and the books follow', async () => {
    await rounds(10, async () => {
      const id = await room.paid();
      const capturing = whenCapturing(room.engine, { before: () => room.cancel(id) });
      await Promise.all([room.run('capture-payment', id, capturing), room.runAll(id)]);
      await room.expectEnd(id, 'cancelled', 'refunded');
    });
  });

  test('cancelled after our look and before Stripe captures: charged, and given back', async () => {
    const id = await room.paid();
    await room.run('capture-payment', id, whenCapturing(room.engine, { before: () => room.cancel(id) }));
    expect((await room.see(id)).state).toBe('refunding');
    await room.expectEnd(id, 'refunded');
  });

  test('cancelled and undone before Stripe captures: the capture finds nothing', async () => {
    const id = await room.paid();
    const undo = async () => {
      await room.cancel(id);
      await room.run('cancel-transfer', id);
    };
    await room.run('capture-payment', id, whenCapturing(room.engine, { before: undo }));
    await room.expectEnd(id, 'cancelled');
  });

  test('cancelled after Stripe captured and before we know: given back, never paid out', async () => {
    const id = await room.paid();
    const undo = async () => {
      await room.cancel(id);
      await room.run('cancel-transfer', id);
    };
    await room.run('capture-payment', id, whenCapturing(room.engine, { after: undo }));
    await room.expectEnd(id, 'refunded');
  });

  test('cancel and payout: paid out or given back, never both', async () => {
    await rounds(20, async () => {
      const id = await room.paid();
      await room.run('capture-payment', id);
      const [cancelled] = await Promise.all([room.cancel(id), room.run('pay-out', id), room.run('pay-out', id)]);
      const accepted = cancelled.outcome.kind === 'request';
      await room.expectEnd(id, accepted ? 'refunded' : 'completed');
    });
  });

  test('cancel between the payout’s look and its claim: the bank never hears of it', async () => {
    const id = await room.paid();
    await room.run('capture-payment', id);
    await room.cancel(id);
    const deaf = whenPaying(room.engine, () => Promise.reject(new Error('the bank was asked')));
    await room.run('pay-out', id, deaf);
    await room.expectEnd(id, 'refunded');
  });

  test('cancel while the bank is being asked: refused, and the family is paid', async () => {
    const id = await room.paid();
    await room.run('capture-payment', id);
    const outcomes: unknown[] = [];
    const paying = whenPaying(room.engine, async () => outcomes.push((await room.cancel(id)).outcome));
    await room.run('pay-out', id, paying);
    expect(outcomes).toEqual([{ kind: 'refused', code: 'payout_started' }]);
    await room.expectEnd(id, 'completed');
  });

  test('ten cancels: one wish, one job', async () => {
    const id = await room.paid();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => room.cancel(id)));
    const kinds = outcomes.map(({ outcome }) => outcome.kind);
    expect(kinds.filter((kind) => kind === 'request')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'done')).toHaveLength(9);
    await room.expectEnd(id, 'cancelled');
  });
});

describe('a worker that dies', () => {
  test('between its claim and the bank: the same payout is asked for again, and nobody cancels it', async () => {
    const id = await room.paid();
    await room.run('capture-payment', id);
    const asked: string[] = [];
    const dying = whenPaying(room.engine, ({ externalId }) => {
      asked.push(externalId);
      return Promise.reject(new Error('the worker died'));
    });
    await expect(room.run('pay-out', id, dying)).rejects.toThrow('the worker died');
    await room.loseJobs(id);
    expect((await room.cancel(id)).outcome).toEqual({ kind: 'refused', code: 'payout_started' });
    room.now = new Date(Date.now() + 2 * room.engine.sweepEveryMs);
    await sweepTransfers(room.engine);
    await room.run('pay-out', id);
    expect(asked).toEqual([id]);
    await room.expectEnd(id, 'completed');
    expect((await room.steps(id)).filter((step) => step === 'start_payout')).toHaveLength(1);
  });

  test.each(['approved', 'captured'] as const)(
    'before it undoes a transfer that is %s: the sweep asks again',
    async (state) => {
      const id = await room.paid();
      if (state === 'captured') await room.run('capture-payment', id);
      room.now = new Date();
      await room.cancel(id);
      await room.loseJobs(id);
      room.now = new Date(Date.now() + 2 * room.engine.sweepEveryMs);
      await sweepTransfers(room.engine);
      await room.expectEnd(id, state === 'approved' ? 'cancelled' : 'refunded');
    },
  );
});

test('the database itself refuses a transfer that is both cancelled and being paid out', async () => {
  const id = await room.paid();
  await room.cancel(id);
  const both = database.read().execute('update transfer set payout_started_at = now() where id = ?', [id]);
  await expect(both).rejects.toThrow('transfer_cancelled_or_paid_out');
  await room.expectEnd(id, 'cancelled');
});
