/** How a test starts Stripe or the bank alone and fails single calls; also the example of their use. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBank, type TestBank } from './start-bank.ts';
import { startStripe, type TestStripe } from './start-stripe.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

const INTENT = {
  ...{ amount: 10_000, currency: 'eur', allowed_payment_method_types: ['card'] },
  capture_method: 'manual' as const,
};
const PAYOUT = {
  ...{ externalId: 'transfer-1', amount: '1291.40', currency: 'BOB' },
  beneficiary: { name: 'María Choque', ci: '4872910 LP', bankName: 'Banco Unión', bankAccount: '10000048213377' },
};

describe('startStripe', () => {
  let stripe: TestStripe;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await new WebhookReceiver().open();
    stripe = await startStripe({ webhookUrl: receiver.url });
  });
  beforeEach(() => stripe.reset());
  afterAll(async () => {
    await stripe.close();
    await receiver.close();
  });

  /** Creates, authorizes and captures a payment with one idempotency key a call. */
  async function pay(): Promise<string> {
    const { id } = await stripe.sdk.paymentIntents.create(INTENT, key('create'));
    await stripe.sdk.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }, key('confirm'));
    await stripe.sdk.paymentIntents.capture(id, {}, key('capture'));
    return id;
  }
  const key = (idempotencyKey: string) => ({ idempotencyKey });

  it('the Stripe test simulator records the calls of the code under test in order', async () => {
    const id = await pay();
    expect(stripe.calls).toEqual([
      { method: 'POST', path: '/v1/payment_intents', idempotencyKey: 'create' },
      { method: 'POST', path: `/v1/payment_intents/${id}/confirm`, idempotencyKey: 'confirm' },
      { method: 'POST', path: `/v1/payment_intents/${id}/capture`, idempotencyKey: 'capture' },
    ]);
  });

  it.each(['create', 'confirm', 'capture'])(
    'the Stripe test simulator fails the call "%s" in every way until the faults are cleared',
    async (name) => {
      for (const kind of ['error', 'do_then_error', 'stored_error'] as const) {
        stripe.reset();
        stripe.failCalls(({ idempotencyKey }) => (idempotencyKey === name ? { kind } : undefined));
        await expect(pay()).rejects.toThrow();
        stripe.clearFaults();
        // Only a failure stored under the idempotency key outlives the fault.
        if (kind === 'stored_error') await expect(pay()).rejects.toMatchObject({ statusCode: 500 });
        else await pay();
        const { data } = await stripe.sdk.charges.list();
        expect(data.filter(({ captured }) => captured)).toHaveLength(kind === 'stored_error' ? 0 : 1);
      }
    },
  );

  it('the Stripe test simulator shows that the SDK repeats a call once when its connection was closed', async () => {
    stripe.failCalls((_, index) => (index === 0 ? { kind: 'do_then_drop' } : undefined));
    await pay();
    expect(stripe.calls.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      'create',
      'create',
      'confirm',
      'capture',
    ]);
  });

  it('the Stripe test simulator fails as many matching requests as failNext says', async () => {
    stripe.failNext({ kind: 'error', status: 503, method: 'POST', path: '/capture$', times: 2 });
    await expect(pay()).rejects.toMatchObject({ statusCode: 503 });
    await expect(pay()).rejects.toMatchObject({ statusCode: 503 });
    await pay();
    stripe.failNext({ kind: 'error', times: 5 });
    stripe.clearFaults();
    await expect(stripe.sdk.paymentIntents.list()).resolves.toMatchObject({ data: [{ status: 'succeeded' }] });
  });

  it('the Stripe test simulator delivers signed webhooks, and none in mode drop', async () => {
    const about = (intent: string) =>
      receiver.received.map(({ event }) => event).filter(({ data }) => (data.object as { id: string }).id === intent);
    stripe.setDeliveryMode({ mode: 'drop' });
    const lost = await stripe.sdk.paymentIntents.create(INTENT);
    await stripe.idle();
    stripe.setDeliveryMode({});
    const delivered = await stripe.sdk.paymentIntents.create(INTENT);
    await stripe.idle();
    expect(about(lost.id)).toEqual([]);
    expect(about(delivered.id)).toMatchObject([{ type: 'payment_intent.created' }]);
  });

  it('the Stripe test simulator lets time pass, expires an authorization and answers a challenge', async () => {
    const authorize = (payment_method: string) =>
      stripe.sdk.paymentIntents.create({ ...INTENT, confirm: true, payment_method });
    const status = async (id: string) => (await stripe.sdk.paymentIntents.retrieve(id)).status;
    const [one, other] = [await authorize('pm_card_visa'), await authorize('pm_card_visa')];
    stripe.expireHold(one.id);
    expect([await status(one.id), await status(other.id)]).toEqual(['canceled', 'requires_capture']);
    stripe.advanceClock(8 * 86_400);
    await stripe.idle();
    expect(await status(other.id)).toBe('canceled');
    const challenged = await authorize('pm_card_authenticationRequired');
    expect(stripe.answerChallenge(challenged.id, 'complete')).toBe('requires_capture');
  });

  it('the Stripe test simulator names the product’s variables', () => {
    expect(stripe.env).toMatchObject({ STRIPE_API_URL: stripe.origin, STRIPE_SECRET_KEY: 'sk_test_sandbox' });
  });
});

describe('startBank', () => {
  let bank: TestBank;

  beforeAll(async () => {
    bank = await startBank();
  });
  beforeEach(() => bank.reset());
  afterAll(() => bank.close());

  async function payOut(): Promise<{ status: number; body: object }> {
    const response = await fetch(`${bank.env.BANK_API_URL}/v1/payouts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bank.env.BANK_API_KEY}`,
        'content-type': 'application/json',
        'idempotency-key': 'payout:transfer-1',
      },
      body: JSON.stringify(PAYOUT),
    });
    return { status: response.status, body: (await response.json()) as object };
  }

  it('the bank test simulator has paid although its response was lost, and pays a repeated payout once', async () => {
    bank.failCalls((_, index) => (index === 0 ? { kind: 'do_then_drop' } : undefined));
    await expect(payOut()).rejects.toThrow();
    expect(bank.payouts()).toMatchObject([{ externalId: 'transfer-1', status: 'paid' }]);
    expect(await payOut()).toMatchObject({ status: 200, body: { status: 'paid' } });
    expect(bank.payouts()).toHaveLength(1);
    expect(bank.calls).toEqual([
      { method: 'POST', path: '/bank/v1/payouts', idempotencyKey: 'payout:transfer-1' },
      { method: 'POST', path: '/bank/v1/payouts', idempotencyKey: 'payout:transfer-1' },
    ]);
  });

  it('the bank test simulator rejects as many payouts as its mode says', async () => {
    bank.setMode({ rejectNext: 1 });
    expect(await payOut()).toMatchObject({ body: { status: 'rejected', rejection: { code: 'account_not_found' } } });
  });

  it('the bank test simulator closes while a request without response is still open', async () => {
    const own = await startBank();
    own.failNext({ kind: 'timeout' });
    const pending = fetch(`${own.env.BANK_API_URL}/v1/payouts/none`).then(
      () => 'answered',
      () => 'closed',
    );
    await expect.poll(() => own.calls.length).toBe(1);
    await own.close();
    expect(await pending).toBe('closed');
  });
});
