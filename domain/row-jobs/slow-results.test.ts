import { afterEach, describe, expect, it } from 'vitest';
import { slowResultMs } from '#core/operations/operation';
import { useDeskFixture } from '../../testing/desk-fixture.ts';
import { viewCase } from '../desk-actions/desk.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { syncPayment } from '../payments/sync-payment.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;
afterEach(() => fixture.bank.setMode({}));

/** A context in which Stripe lists every refund as pending. */
function pendingAtStripe(): JobContext {
  const { stripe } = fixture.context;
  const list = async (query: never) => {
    const page = await stripe.refunds.list(query);
    return { ...page, data: page.data.map((one) => ({ ...one, status: 'pending' })) };
  };
  const refunds = { list, create: stripe.refunds.create.bind(stripe.refunds) };
  return { ...fixture.context, stripe: Object.assign(Object.create(stripe), { refunds }) };
}

const providers = [
  [
    'payout',
    'the bank',
    async () => {
      const id = await fixture.create({ state: 'captured' });
      fixture.bank.setMode({ pendNext: 1 });
      await fixture.run(id, 'payout');
      return { id, context: fixture.context, finish: async () => fixture.bank.settle(id) };
    },
    'completed',
  ],
  [
    'refund',
    'Stripe',
    async () => {
      const id = await fixture.createRefunding();
      const context = pendingAtStripe();
      await fixture.run(id, 'refund', context);
      return { id, context, finish: () => syncPayment(fixture.context, id) };
    },
    'refunded',
  ],
] as const;

describe.each(providers)('a %s that %s accepted but does not finish', (kind, provider, begin, end) => {
  it('opens a case after a day, and another one a day after a person closed the last one', async () => {
    const { id, context, finish } = await begin();
    const pollAfter = async (ms: number) => {
      fixture.later(ms);
      await fixture.run(id, kind, context);
      return fixture.openCases(id);
    };
    expect(await pollAfter(slowResultMs - 1)).toEqual([]);
    expect(await pollAfter(slowResultMs)).toEqual(['operation_slow']);
    expect((await fixture.cases(id)).at(-1)?.details).toContain(`accepted by ${provider} on `);
    expect(await pollAfter(slowResultMs)).toEqual(['operation_slow']);
    const slow = (await fixture.cases(id)).filter((one) => one.reason === 'operation_slow');
    expect(slow.map(({ version }) => version)).toEqual([1]);
    // Its outcome is unknown, so no other action on the money is possible.
    const view = await viewCase(fixture.database.fork(), slow[0]?.id ?? '', { viewerId: desk.ana, at: fixture.now });
    expect(view.actions).toEqual(['resolve']);
    await desk.act(id, 'resolve');
    expect(await pollAfter(slowResultMs - 1)).toEqual([]);
    expect(await pollAfter(slowResultMs)).toEqual(['operation_slow']);
    await finish();
    fixture.later(slowResultMs);
    await fixture.run(id, kind);
    expect((await fixture.see(id)).state).toBe(end);
    expect(await fixture.openCases(id)).toEqual([]);
  });
});
