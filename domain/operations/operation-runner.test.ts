import { expect, test } from 'vitest';
import type { JobContext } from '../job-context.ts';
import { usePaymentFixture } from '../testing/payment-fixture.ts';
import { OperationRunner } from './operation-runner.ts';

const fixture = usePaymentFixture();

/** A context in which the capture of one payment waits until it is released. */
function whileCapturing(intentId: string, released: Promise<void>): JobContext {
  const { stripe } = fixture.context;
  const paymentIntents = Object.create(stripe.paymentIntents);
  paymentIntents.capture = async (...args: Parameters<typeof stripe.paymentIntents.capture>) => {
    if (args[0] === intentId) await released;
    return stripe.paymentIntents.capture(...args);
  };
  return { ...fixture.context, stripe: Object.assign(Object.create(stripe), { paymentIntents }) } as JobContext;
}

const stateOf = async (id: string) => (await fixture.see(id)).state;

test('an attempt whose provider is slow holds up no other attempt', async () => {
  const [slow, quick] = [await fixture.create(), await fixture.create()];
  const released = Promise.withResolvers<void>();
  const runner = new OperationRunner(whileCapturing(await fixture.intentId(slow), released.promise), 'stripe');
  await runner.take();
  await expect.poll(() => stateOf(quick), { timeout: 15_000, interval: 5 }).toBe('captured');
  const late = await fixture.create();
  await runner.take();
  await expect.poll(() => stateOf(late), { timeout: 15_000, interval: 5 }).toBe('captured');
  expect(await stateOf(slow)).toBe('approved');
  released.resolve();
  await runner.idle();
  expect(await stateOf(slow)).toBe('captured');
});

test('operations beyond the width of a runner follow, each attempted once, also with two runners', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => fixture.create()));
  const runners = [new OperationRunner(fixture.context, 'stripe'), new OperationRunner(fixture.context, 'stripe')];
  await Promise.all(runners.map((runner) => runner.take()));
  await Promise.all(runners.map((runner) => runner.idle()));
  for (const id of ids) {
    expect(await fixture.operations(id, 'capture')).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(await fixture.dueKinds(id)).toEqual(['payout']);
  }
});

test('a runner leaves the operations of the other provider, and those that are not due', async () => {
  const id = await fixture.create({ state: 'captured' });
  const runner = new OperationRunner(fixture.context, 'stripe');
  await runner.take();
  await runner.idle();
  expect(await stateOf(id)).toBe('captured');
  fixture.now = new Date(fixture.now.getTime() - 1_000);
  const early = new OperationRunner(fixture.context, 'bank');
  await early.take();
  await early.idle();
  expect(await stateOf(id)).toBe('captured');
});
