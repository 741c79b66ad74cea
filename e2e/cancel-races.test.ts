import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PayoutRequest } from '#core/contracts/bank';
import { cancelWindowMs } from '#core/transfers/cancellation';
import { openDatabase } from '#domain/database';
import type { JobContext } from '#domain/job-context';
import { sweepTransfers } from '#domain/payments/sweep-transfers';
import { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../infra/testing/database.ts';
import { TransferFixture } from './transfer-fixture.ts';

let testDatabase: TestDatabase;
let database: Database;
let fixture: TransferFixture;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url);
  fixture = await TransferFixture.open(database, testDatabase.url);
});
afterAll(async () => {
  await fixture?.close();
  await database?.close();
  await testDatabase?.drop();
});

const rounds = (count: number, round: () => Promise<void>) => Promise.all(Array.from({ length: count }, round));

/** Stripe, with something that happens around its capture. */
function whenCapturing(
  context: JobContext,
  around: { before?: () => Promise<unknown>; after?: () => Promise<unknown> },
) {
  const paymentIntents = Object.create(context.stripe.paymentIntents);
  paymentIntents.capture = async (...args: Parameters<JobContext['stripe']['paymentIntents']['capture']>) => {
    await around.before?.();
    const intent = await context.stripe.paymentIntents.capture(...args);
    await around.after?.();
    return intent;
  };
  return { ...context, stripe: Object.assign(Object.create(context.stripe), { paymentIntents }) } as JobContext;
}

/** The bank, with something that happens before it hears of a payout. */
function whenPaying(context: JobContext, before: (request: PayoutRequest) => Promise<unknown>): JobContext {
  return {
    ...context,
    bank: {
      pay: async (request) => {
        await before(request);
        return context.bank.pay(request);
      },
    },
  };
}

describe('without a race', () => {
  test('in review: cancelled at once, the hold is let go', async () => {
    const id = await fixture.paid('in_review');
    expect((await fixture.cancel(id)).outcome).toEqual({ kind: 'withdraw' });
    await fixture.expectEnd(id, 'cancelled');
  });

  test('approved and not captured yet: cancelled, nothing is ever charged', async () => {
    const id = await fixture.paid();
    expect((await fixture.cancel(id)).outcome.kind).toBe('request');
    await fixture.expectEnd(id, 'cancelled');
    expect(await fixture.steps(id)).toEqual([null, 'hold', 'approve', 'request_cancel', 'cancel_hold']);
    expect((await fixture.see(id)).reason).toBe('El remitente lo canceló');
  });

  test('captured and no payout begun: everything goes back, the fee too', async () => {
    const id = await fixture.paid();
    await fixture.run('capture-payment', id);
    await fixture.cancel(id);
    await fixture.expectEnd(id, 'refunded');
    expect(await fixture.steps(id)).toEqual([
      ...[null, 'hold', 'approve', 'capture'],
      ...['request_cancel', 'cancel_charge', 'refund'],
    ]);
  });

  test('cancelled twice it is cancelled once', async () => {
    const id = await fixture.paid();
    await fixture.cancel(id);
    expect((await fixture.cancel(id)).outcome).toEqual({ kind: 'done' });
    await fixture.expectEnd(id, 'cancelled');
    expect((await fixture.cancel(id)).outcome).toEqual({ kind: 'done' });
  });

  test('after the payout began, and once it is done, it cannot be cancelled', async () => {
    const id = await fixture.paid();
    await fixture.run('capture-payment', id);
    const dead = whenPaying(fixture.context, () => Promise.reject(new Error('the worker died')));
    await expect(fixture.run('pay-out', id, dead)).rejects.toThrow('the worker died');
    expect((await fixture.cancel(id)).outcome).toEqual({ kind: 'refused', code: 'payout_started' });
    await fixture.expectEnd(id, 'completed');
    expect((await fixture.cancel(id)).outcome).toEqual({ kind: 'refused', code: 'already_deposited' });
  });

  test('30 minutes after paying to the millisecond, and not one later', async () => {
    const [last, late] = [await fixture.paid(), await fixture.paid()];
    const paidAt = async (id: string) => (await fixture.see(id)).paidAt?.getTime() ?? 0;
    const before = fixture.now;
    fixture.now = new Date((await paidAt(late)) + cancelWindowMs + 1);
    expect((await fixture.cancel(late)).outcome).toEqual({ kind: 'refused', code: 'cancel_too_late' });
    fixture.now = new Date((await paidAt(last)) + cancelWindowMs);
    expect((await fixture.cancel(last)).outcome.kind).toBe('request');
    fixture.now = before;
    await fixture.expectEnd(last, 'cancelled');
    await fixture.expectEnd(late, 'completed');
  });
});

describe('at the same moment', () => {
  test('cancel and approve: the sender gets the money back whoever is first', async () => {
    await rounds(10, async () => {
      const id = await fixture.paid('in_review');
      const [cancelled] = await Promise.all([fixture.cancel(id), fixture.approve(id)]);
      expect(['withdraw', 'request']).toContain(cancelled.outcome.kind);
      await fixture.expectEnd(id, 'cancelled', 'refunded');
    });
  });

  test('cancel and capture: the hold is let go or the charge goes back, nobody is paid', async () => {
    await rounds(10, async () => {
      const id = await fixture.paid();
      await Promise.all([fixture.cancel(id), fixture.run('capture-payment', id)]);
      await fixture.expectEnd(id, 'cancelled', 'refunded');
    });
  });

  test('capture and undoing: Stripe decides which, and the books follow', async () => {
    await rounds(10, async () => {
      const id = await fixture.paid();
      const capturing = whenCapturing(fixture.context, { before: () => fixture.cancel(id) });
      await Promise.all([fixture.run('capture-payment', id, capturing), fixture.runAll(id)]);
      await fixture.expectEnd(id, 'cancelled', 'refunded');
    });
  });

  test('cancelled after our look and before Stripe captures: charged, and given back', async () => {
    const id = await fixture.paid();
    await fixture.run('capture-payment', id, whenCapturing(fixture.context, { before: () => fixture.cancel(id) }));
    expect((await fixture.see(id)).state).toBe('refunding');
    await fixture.expectEnd(id, 'refunded');
  });

  test('cancelled and undone before Stripe captures: the capture finds nothing', async () => {
    const id = await fixture.paid();
    const undo = async () => {
      await fixture.cancel(id);
      await fixture.run('cancel-transfer', id);
    };
    await fixture.run('capture-payment', id, whenCapturing(fixture.context, { before: undo }));
    await fixture.expectEnd(id, 'cancelled');
  });

  test('cancelled after Stripe captured and before we know: given back, never paid out', async () => {
    const id = await fixture.paid();
    const undo = async () => {
      await fixture.cancel(id);
      await fixture.run('cancel-transfer', id);
    };
    await fixture.run('capture-payment', id, whenCapturing(fixture.context, { after: undo }));
    await fixture.expectEnd(id, 'refunded');
  });

  test('cancel and payout: paid out or given back, never both', async () => {
    await rounds(20, async () => {
      const id = await fixture.paid();
      await fixture.run('capture-payment', id);
      const [cancelled] = await Promise.all([
        fixture.cancel(id),
        fixture.run('pay-out', id),
        fixture.run('pay-out', id),
      ]);
      const accepted = cancelled.outcome.kind === 'request';
      await fixture.expectEnd(id, accepted ? 'refunded' : 'completed');
    });
  });

  test('cancel between the payout’s look and its claim: the bank never hears of it', async () => {
    const id = await fixture.paid();
    await fixture.run('capture-payment', id);
    await fixture.cancel(id);
    const deaf = whenPaying(fixture.context, () => Promise.reject(new Error('the bank was asked')));
    await fixture.run('pay-out', id, deaf);
    await fixture.expectEnd(id, 'refunded');
  });

  test('cancel while the bank is being asked: refused, and the family is paid', async () => {
    const id = await fixture.paid();
    await fixture.run('capture-payment', id);
    const outcomes: unknown[] = [];
    const paying = whenPaying(fixture.context, async () => outcomes.push((await fixture.cancel(id)).outcome));
    await fixture.run('pay-out', id, paying);
    expect(outcomes).toEqual([{ kind: 'refused', code: 'payout_started' }]);
    await fixture.expectEnd(id, 'completed');
  });

  test('ten cancels: one wish, one job', async () => {
    const id = await fixture.paid();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => fixture.cancel(id)));
    const kinds = outcomes.map(({ outcome }) => outcome.kind);
    expect(kinds.filter((kind) => kind === 'request')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'done')).toHaveLength(9);
    await fixture.expectEnd(id, 'cancelled');
  });
});

describe('a worker that dies', () => {
  test('between its claim and the bank: the same payout is asked for again, and nobody cancels it', async () => {
    const id = await fixture.paid();
    await fixture.run('capture-payment', id);
    const asked: string[] = [];
    const dying = whenPaying(fixture.context, ({ externalId }) => {
      asked.push(externalId);
      return Promise.reject(new Error('the worker died'));
    });
    await expect(fixture.run('pay-out', id, dying)).rejects.toThrow('the worker died');
    await fixture.loseJobs(id);
    expect((await fixture.cancel(id)).outcome).toEqual({ kind: 'refused', code: 'payout_started' });
    fixture.now = new Date(Date.now() + 2 * fixture.context.sweepEveryMs);
    await sweepTransfers(fixture.context);
    await fixture.run('pay-out', id);
    expect(asked).toEqual([id]);
    await fixture.expectEnd(id, 'completed');
    expect((await fixture.steps(id)).filter((step) => step === 'start_payout')).toHaveLength(1);
  });

  test.each(['approved', 'captured'] as const)(
    'before it undoes a transfer that is %s: the sweep asks again',
    async (state) => {
      const id = await fixture.paid();
      if (state === 'captured') await fixture.run('capture-payment', id);
      fixture.now = new Date();
      await fixture.cancel(id);
      await fixture.loseJobs(id);
      fixture.now = new Date(Date.now() + 2 * fixture.context.sweepEveryMs);
      await sweepTransfers(fixture.context);
      await fixture.expectEnd(id, state === 'approved' ? 'cancelled' : 'refunded');
    },
  );
});

test('the database itself refuses a transfer that is both cancelled and being paid out', async () => {
  const id = await fixture.paid();
  await fixture.cancel(id);
  const both = database.fork().execute('update transfer set payout_started_at = now() where id = ?', [id]);
  await expect(both).rejects.toThrow('transfer_cancelled_or_paid_out');
  await fixture.expectEnd(id, 'cancelled');
});
