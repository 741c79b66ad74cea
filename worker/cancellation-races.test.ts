import { describe, expect, test } from 'vitest';
import type { PayoutRequest } from '#core/contracts/bank';
import { cancelWindowMs } from '#core/transfers/cancellation';
import type { JobContext } from '#domain/jobs/job-context';
import { sweepLostJobs } from '#domain/row-jobs/lost-jobs';
import { useTransferFixture } from './testing/transfer-fixture.ts';

const fixture = useTransferFixture();

const rounds = (count: number, round: () => Promise<void>) => Promise.all(Array.from({ length: count }, round));

/** A context in which something happens just before or after Stripe captures. */
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

/** A context in which something happens just before the bank gets a payout. */
function whenPaying(context: JobContext, before: (request: PayoutRequest) => Promise<unknown>): JobContext {
  return {
    ...context,
    bank: {
      ...context.bank,
      pay: async (request, key) => {
        await before(request);
        return context.bank.pay(request, key);
      },
    },
  };
}

describe('a cancellation by the sender', () => {
  test('a cancellation in review ends the transfer at once and voids the authorization', async () => {
    const id = await fixture.create({ state: 'in_review' });
    expect((await fixture.cancel(id)).outcome).toEqual({ kind: 'withdraw' });
    await fixture.expectEnd(id, 'cancelled');
  });

  test('a cancellation after the approval and before the capture charges nothing', async () => {
    const id = await fixture.create();
    expect((await fixture.cancel(id)).outcome.kind).toBe('request');
    await fixture.expectEnd(id, 'cancelled');
    expect(await fixture.steps(id)).toEqual([
      ...[null, 'attach_intent', 'hold', 'approve'],
      ...['request_cancel', 'cancel_authorization', 'void_authorization'],
    ]);
    expect((await fixture.see(id)).reason).toBe('El remitente lo canceló');
  });

  test('a cancellation after the capture and before the payout refunds everything, fee included', async () => {
    const id = await fixture.create();
    await fixture.run(id, 'capture');
    await fixture.cancel(id);
    await fixture.expectEnd(id, 'refunded');
    expect(await fixture.steps(id)).toEqual([
      ...[null, 'attach_intent', 'hold', 'approve', 'capture'],
      ...['request_cancel', 'cancel_charge', 'refund'],
    ]);
  });

  test('a second cancellation of the same transfer changes nothing', async () => {
    const id = await fixture.create();
    await fixture.cancel(id);
    expect((await fixture.cancel(id)).outcome).toEqual({ kind: 'done' });
    await fixture.expectEnd(id, 'cancelled');
    expect((await fixture.cancel(id)).outcome).toEqual({ kind: 'done' });
  });

  test('a cancellation is refused once the money is deposited', async () => {
    const id = await fixture.create();
    await fixture.run(id, 'capture');
    await fixture.run(id, 'payout');
    await fixture.expectEnd(id, 'completed');
    expect((await fixture.cancel(id)).outcome).toEqual({ kind: 'refused', code: 'already_deposited' });
  });

  test('a cancellation is possible until 30 minutes after paying, to the millisecond', async () => {
    const [last, late] = [await fixture.create(), await fixture.create()];
    const paidAt = async (id: string) => (await fixture.see(id)).paidAt?.getTime() ?? 0;
    fixture.now = new Date((await paidAt(late)) + cancelWindowMs + 1);
    expect((await fixture.cancel(late)).outcome).toEqual({ kind: 'refused', code: 'cancel_too_late' });
    fixture.now = new Date((await paidAt(last)) + cancelWindowMs);
    expect((await fixture.cancel(last)).outcome.kind).toBe('request');
    await fixture.expectEnd(last, 'cancelled');
    await fixture.expectEnd(late, 'completed');
  });
});

describe('a cancellation that races', () => {
  test('a cancellation that races the approval always gives the money back', async () => {
    await rounds(10, async () => {
      const id = await fixture.create({ state: 'in_review' });
      const [cancelled] = await Promise.all([fixture.cancel(id), fixture.approve(id)]);
      expect(['withdraw', 'request']).toContain(cancelled.outcome.kind);
      await fixture.expectEnd(id, 'cancelled', 'refunded');
    });
  });

  test('a cancellation that races the capture voids or refunds, and never pays out', async () => {
    await rounds(10, async () => {
      const id = await fixture.create();
      await Promise.all([fixture.cancel(id), fixture.run(id, 'capture')]);
      await fixture.expectEnd(id, 'cancelled', 'refunded');
    });
  });

  test('when capture and void race, the ledger follows what Stripe did', async () => {
    await rounds(10, async () => {
      const id = await fixture.create();
      const capturing = whenCapturing(fixture.context, { before: () => fixture.cancel(id) });
      await Promise.all([fixture.run(id, 'capture', capturing), fixture.runAll(id)]);
      await fixture.expectEnd(id, 'cancelled', 'refunded');
    });
  });

  test('a cancellation between reading the intent and its capture is refunded', async () => {
    const id = await fixture.create();
    await fixture.run(id, 'capture', whenCapturing(fixture.context, { before: () => fixture.cancel(id) }));
    expect((await fixture.see(id)).state).toBe('refunding');
    await fixture.expectEnd(id, 'refunded');
  });

  test('a cancellation that voids the authorization first leaves nothing to capture', async () => {
    const id = await fixture.create();
    const undo = async () => {
      await fixture.cancel(id);
      await fixture.run(id, 'void');
    };
    await fixture.run(id, 'capture', whenCapturing(fixture.context, { before: undo }));
    await fixture.expectEnd(id, 'cancelled');
  });

  test('a cancellation after an unrecorded capture is refunded and never paid out', async () => {
    const id = await fixture.create();
    const undo = async () => {
      await fixture.cancel(id);
      await fixture.run(id, 'void');
    };
    await fixture.run(id, 'capture', whenCapturing(fixture.context, { after: undo }));
    await fixture.expectEnd(id, 'refunded');
  });

  test('a cancellation that races the payout ends paid out or refunded, never both', async () => {
    await rounds(20, async () => {
      const id = await fixture.create();
      await fixture.run(id, 'capture');
      const [cancelled] = await Promise.all([fixture.cancel(id), fixture.run(id, 'payout'), fixture.run(id, 'payout')]);
      if (cancelled.outcome.kind === 'request') await fixture.expectEnd(id, 'refunded', 'completed');
      else await fixture.expectEnd(id, 'completed');
    });
  });

  test('a cancellation before the payout is claimed keeps it from the bank', async () => {
    const id = await fixture.create();
    await fixture.run(id, 'capture');
    await fixture.cancel(id);
    const forbidden = whenPaying(fixture.context, () => Promise.reject(new Error('the bank was called')));
    await fixture.run(id, 'payout', forbidden);
    await fixture.expectEnd(id, 'refunded');
  });

  test('a cancellation during the bank call is recorded, and is too late once the bank has paid', async () => {
    const id = await fixture.create();
    await fixture.run(id, 'capture');
    const outcomes: unknown[] = [];
    const paying = whenPaying(fixture.context, async () => outcomes.push((await fixture.cancel(id)).outcome));
    await fixture.run(id, 'payout', paying);
    expect(outcomes).toMatchObject([{ kind: 'request' }]);
    await fixture.expectEnd(id, 'completed');
    expect((await fixture.see(id)).cancelRequestedAt).not.toBeNull();
  });

  test('ten concurrent cancellations make one request', async () => {
    const id = await fixture.create();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => fixture.cancel(id)));
    const kinds = outcomes.map(({ outcome }) => outcome.kind);
    expect(kinds.filter((kind) => kind === 'request')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'done')).toHaveLength(9);
    await fixture.expectEnd(id, 'cancelled');
  });
});

describe('a worker that crashes', () => {
  test('a crash between claim and bank call repeats the same payout', async () => {
    const id = await fixture.create();
    await fixture.run(id, 'capture');
    const calls: string[] = [];
    const crashing = whenPaying(fixture.context, ({ externalId }) => {
      calls.push(externalId);
      return Promise.reject(new Error('the worker crashed'));
    });
    await fixture.run(id, 'payout', crashing);
    await fixture.loseJobs(id);
    fixture.now = new Date(fixture.now.getTime() + 2 * fixture.context.sweepEveryMs);
    await sweepLostJobs(fixture.context);
    await fixture.runAll(id);
    expect(calls).toEqual([id]);
    await fixture.expectEnd(id, 'completed');
    expect((await fixture.steps(id)).filter((step) => step === 'start_payout')).toHaveLength(1);
  });

  test('a crash between claim and bank call gives a cancelled transfer back once the bank confirms that it has no order', async () => {
    const id = await fixture.create();
    await fixture.run(id, 'capture');
    await fixture.run(
      id,
      'payout',
      whenPaying(fixture.context, () => Promise.reject(new Error('the worker crashed'))),
    );
    expect((await fixture.cancel(id)).outcome.kind).toBe('request');
    const forbidden = whenPaying(fixture.context, () => Promise.reject(new Error('the bank was ordered to pay')));
    await fixture.run(id, 'payout', forbidden);
    expect((await fixture.see(id)).state).toBe('captured');
    fixture.now = new Date(fixture.now.getTime() + fixture.context.bank.completionWindowMs);
    await fixture.run(id, 'payout', forbidden);
    await fixture.expectEnd(id, 'refunded');
  });

  test.each(['approved', 'captured'] as const)(
    'the sweep requeues a lost job about the cancellation of a transfer that is %s',
    async (state) => {
      const id = await fixture.create();
      if (state === 'captured') await fixture.run(id, 'capture');
      await fixture.cancel(id);
      await fixture.loseJobs(id);
      fixture.now = new Date(fixture.now.getTime() + 2 * fixture.context.sweepEveryMs);
      await sweepLostJobs(fixture.context);
      await fixture.expectEnd(id, state === 'approved' ? 'cancelled' : 'refunded');
    },
  );
});
