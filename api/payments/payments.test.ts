import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { disclosureOf, disclosureVersion } from '#core/transfers/disclosure';
import { User } from '#domain/accounts/account.entity';
import { DeclinedAttempt } from '#domain/payments/declined-attempt.entity';
import type { Recipient } from '#domain/recipients/recipient.entity';
import { Session } from '#domain/sign-in/session.entity';
import { findDisclosure } from '#domain/transfers/disclosure.repository';
import { moveTransfer } from '#domain/transfers/move-transfer';
import { Transfer } from '#domain/transfers/transfer.entity';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { observeMarket } from '../../testing/market.ts';
import { openTestReminder } from '../../testing/transfers.ts';
import { FakeStripe } from '../testing/fake-stripe.ts';
import { sampleRecipient } from '../testing/request-fixtures.ts';
import { TestApi, testPassword } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import type { Answer, TestBrowser } from '../testing/test-browser.ts';

const open = '/api/new-account/create-payment-intent';
const confirm = '/api/new-account/confirm-transaction';

let api: TestApi;
let stripe: FakeStripe;
let admin: User;
let sender: TestBrowser;
let user: User;
let recipientId: Recipient['id'];

beforeAll(async () => {
  stripe = await FakeStripe.start();
  const { url } = await createTestDatabase();
  const environment = { STRIPE_API_URL: stripe.url, LIMIT_DAY_USD: '1000', LIMIT_MONTH_USD: '1500' };
  api = await TestApi.start(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url, ...environment }));
  expectFailure(
    await api.visitor().send('POST', '/api/quote', { amount: '100', currency: 'EUR' }),
    503,
    'rate_unavailable',
  );
  expectFailure(await api.visitor().send('GET', '/api/rate'), 503, 'rate_unavailable');
  admin = (await api.person('admin')).user;
  // The limits of euros are counted with it.
  await observeMarket(api.database, { rate: 1_100_000n, at: new Date(), pair: 'EUR/USD' });
});

afterAll(async () => {
  await api?.close();
  await stripe?.close();
});

beforeEach(async () => {
  await api.setRates(admin, 13_380_000n);
  ({ browser: sender, user } = await api.person());
  recipientId = (await sender.send('POST', '/api/recipients', sampleRecipient)).body.id;
});

const transfers = () => api.database.fork().find(Transfer, { userId: user.id });
const pay = (more: object = {}, key: string = randomUUID()) =>
  sender.send('POST', open, { amount: '100', currency: 'eur', recipientId, ...more }, { 'idempotency-key': key });

/** Acts as the worker once the card is authorized. */
const hold = (id: string) =>
  api.database.transaction((em) => moveTransfer(em, id, 'hold', { at: new Date(), changes: { paidAt: new Date() } }));

describe('preparing a payment', () => {
  it('a quote states what to pay for a wanted amount of bolivianos, and takes only one of the two amounts', async () => {
    const quote = (body: object) => api.visitor().send('POST', '/api/quote', body);
    const { body } = await quote({ receive: '2000', currency: 'eur' });
    expect(body).toMatchObject({ amount: '154.91', bs: '2000.04' });
    expect((await quote({ amount: body.amount, currency: 'eur' })).body.bs).toBe(body.bs);
    for (const wrong of [{}, { amount: '100', receive: '2000' }, { receive: '0' }]) {
      expectFailure(await quote({ ...wrong, currency: 'eur' }), 400, 'invalid_input');
    }
  });

  it('creating a payment freezes the quote, opens the transfer and creates an intent with manual capture', async () => {
    const { status, body } = await pay({ exchangeRate: '13.38', userDetails: { name: 'x' } });
    expect(status).toBe(201);
    expect(body.quote).toMatchObject({
      amount: '100.00',
      fee: '3.50',
      netAmount: '96.50',
      rate: '13.38',
      bs: '1291.17',
    });
    const [transfer] = await transfers();
    expect(transfer).toMatchObject({
      id: body.transferId,
      state: 'awaiting_payment',
      amountMinor: 10_000n,
      bolivianosMinor: 129_117n,
      usdMinor: 11_000n,
      paymentIntentId: body.paymentIntentId,
      payoutTarget: { name: sampleRecipient.name, bankAccount: '•••5678' },
    });
    const disclosure = await findDisclosure(api.database.fork(), body.transferId);
    expect(disclosure).toMatchObject({ version: disclosureVersion, texts: disclosureOf(body.quote) });
    expect(stripe.intents.get(`authorization:${body.transferId}:1`)).toMatchObject({
      amount: '10000',
      currency: 'eur',
      capture_method: 'manual',
      'allowed_payment_method_types[0]': 'card',
      'metadata[transfer_id]': body.transferId,
    });
    const { clientSecret } = body;
    const [{ found }] = (await api.database
      .fork()
      .execute(`select exists (select from transfer where transfer::text like ?) as found`, [`%${clientSecret}%`])) as [
      { found: boolean },
    ];
    expect(found).toBe(false);
  });

  it('a repeated or concurrent request with the same key creates one payment', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => pay({}, 'one-click')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.clientSecret)).size).toBe(1);
    // Later the rate has moved, was set to the same again, and the euro has risen: the frozen quote stays.
    await api.setRates(admin, 14_000_000n);
    await api.setRates(admin, 13_380_000n);
    await observeMarket(api.database, { rate: 1_250_000n, pair: 'EUR/USD', at: new Date() });
    expect((await pay({}, 'one-click')).body).toEqual(answers[0]?.body);
    expect(await transfers()).toHaveLength(1);
    expectFailure(await pay({ amount: '50' }, 'one-click'), 409, 'idempotency_key_reused');
  });

  it('an idempotency key belongs to one person', async () => {
    await pay({}, 'mine');
    const other = await api.person();
    const answer = await other.browser.send(
      'POST',
      open,
      { amount: '50', currency: 'usd' },
      { 'idempotency-key': 'mine' },
    );
    expect(answer.status).toBe(201);
  });

  it('a rate that changed is answered as a new quote instead of being applied', async () => {
    const answer = await pay({ exchangeRate: '13.20' });
    expectFailure(answer, 409, 'rate_changed');
    expect(answer.body.quote).toMatchObject({ rate: '13.38', bs: '1291.17' });
    expect(await transfers()).toEqual([]);
  });

  it('a payment below the minimum or above the maximum is refused', async () => {
    const small = await pay({ amount: '9.99' });
    expectFailure(small, 422, 'amount_too_small');
    expect(small.body).toMatchObject({ minimum: '10.00', currency: 'EUR' });
    expectFailure(await pay({ amount: '3000.01', currency: 'usd' }), 422, 'amount_too_large');
    const large = await pay({ amount: '2400.01' });
    expectFailure(large, 422, 'amount_too_large');
    expect(large.body).toMatchObject({ maximumUsd: '3000.00', maximum: '2400.00', currency: 'EUR' });
    expect((await pay({ amount: '10' })).status).toBe(201);
  });

  it('a payment is refused while 10 transfers wait for theirs, also for concurrent requests; expired ones do not count', async () => {
    const key = randomUUID();
    const first = await pay({ amount: '10' }, key);
    const answers = await Promise.all(Array.from({ length: 11 }, (_, more) => pay({ amount: `${11 + more}` })));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(2);
    expectFailure(refused[0] as Answer, 422, 'too_many_unpaid_transfers');
    expect(refused[0]?.body.most).toBe(10);
    expect((await pay({ amount: '10' }, key)).body.transferId).toBe(first.body.transferId);
    const past = new Date(Date.now() - 1000);
    await api.database.fork().nativeUpdate(Transfer, { id: first.body.transferId }, { quoteExpiresAt: past });
    expect((await pay({ amount: '30' })).status).toBe(201);
    expectFailure(await pay({ amount: '31' }), 422, 'too_many_unpaid_transfers');
  });

  it('after 20 declined cards in a day no payment can be opened or resumed until the first is a day old', async () => {
    const { body } = await pay({ amount: '10' });
    const hour = 3_600_000;
    const [origin] = await api.database.fork().execute(
      `select o.network, o.device_since = d.first_sign_in_at as is_known from payment_origin as o, known_device as d
       where o.transfer_id = ? and d.user_id = ?`,
      [body.transferId, user.id],
    );
    expect(origin).toEqual({ network: '127.0.0.0/24', is_known: true });
    const first = new Date(Date.now() - 5 * hour);
    const declined = { transferId: body.transferId, userId: user.id, network: null, card: 'card' };
    const em = api.database.fork();
    for (let n = 0; n < 20; n += 1) {
      const at = new Date(first.getTime() + n * 60_000);
      await em.insert(DeclinedAttempt, { chargeId: `ch_${n}`, ...declined, at });
    }
    const resume = `/api/transactions/${body.transferId}/payment`;
    for (const refused of [await pay({ amount: '20' }), await sender.send('POST', resume)]) {
      expectFailure(refused, 422, 'too_many_declines');
      expect(refused.body.availableAt).toBe(new Date(first.getTime() + 24 * hour).toISOString());
    }
    await em.nativeDelete(DeclinedAttempt, { chargeId: 'ch_0' });
    expect((await sender.send('POST', resume)).status).toBe(200);
    await em.nativeDelete(DeclinedAttempt, {});
  });

  it('the limits of a day and of 30 days count paid transfers, not unpaid ones', async () => {
    const dollars = (amount: string) => pay({ amount, currency: 'usd' });
    const balance = async () => (await sender.send('GET', '/api/dashboard')).body;
    expect((await Promise.all(['399', '401', '400'].map(dollars))).map(({ status }) => status)).toEqual([
      201, 201, 201,
    ]);
    expect(await balance()).toMatchObject({
      balance: '1500.00',
      totalSent: '0.00',
      monthLimit: '1500.00',
      dayLeft: '1000.00',
    });

    for (const { id, amountMinor } of await transfers()) if (amountMinor !== 40_000n) await hold(id);
    const overDay = await dollars('200.01');
    expectFailure(overDay, 422, 'day_limit_reached');
    expect(overDay.body).toMatchObject({ limitUsd: '1000.00', leftUsd: '200.00', left: '200.00', currency: 'USD' });
    const [oldest] = await api.database
      .fork()
      .find(Transfer, { userId: user.id, state: 'in_review' }, { orderBy: { paidAt: 'asc' } });
    expect(Date.parse(overDay.body.availableAt) - (oldest?.paidAt?.getTime() ?? 0)).toBe(24 * 3_600_000);
    const inEuros = await pay({ amount: '160.01' });
    expectFailure(inEuros, 422, 'day_limit_reached');
    expect(inEuros.body).toMatchObject({ leftUsd: '200.00', left: '160.00', currency: 'EUR' });
    expect(await balance()).toMatchObject({
      ...{ balance: '700.00', totalSent: '800.00', dayLeft: '200.00', dayLimit: '1000.00' },
    });
    const paidBefore = (hours: number) =>
      api.database
        .fork()
        .nativeUpdate(
          Transfer,
          { userId: user.id, state: 'in_review' },
          { paidAt: new Date(Date.now() - hours * 3_600_000) },
        );
    await paidBefore(25);
    const overMonth = await dollars('701');
    expectFailure(overMonth, 422, 'month_limit_reached');
    expect(overMonth.body).toMatchObject({ limitUsd: '1500.00', leftUsd: '700.00' });
    // Both were paid 25 hours ago: the older of them leaves the 30 days in 29 days less one hour.
    expect(Date.parse(overMonth.body.availableAt) - Date.now()).toBeLessThan((29 * 24 - 1) * 3_600_000);
    expectFailure(await dollars('1000.01'), 422, 'day_limit_reached');
    expect((await dollars('1000.01')).body.availableAt).toBeNull();
    await paidBefore(31 * 24);
    expect((await dollars('701')).status).toBe(201);
  });

  it('the birth date is required once, and must be an adult’s', async () => {
    await api.database.fork().nativeUpdate(User, { id: user.id }, { birthDate: null });
    expectFailure(await pay(), 422, 'birth_date_required');
    const young = new Date(Date.now() - 17 * 365 * 24 * 3_600_000).toISOString().slice(0, 10);
    expectFailure(await pay({ birthDate: young }), 422, 'under_age');
    expectFailure(await pay({ birthDate: '2999-01-01' }), 422, 'under_age');
    expectFailure(await pay({ birthDate: '0000-01-01' }), 400, 'invalid_input');
    expect((await pay({ birthDate: '1990-05-17' })).status).toBe(201);
    expect((await pay({ birthDate: young })).status).toBe(201);
    expect((await api.database.fork().findOneOrFail(User, { id: user.id })).birthDate).toBe('1990-05-17');
  });

  it('a larger payment to a new account waits for the password where the sign-in was a while ago, then is opened under the same key', async () => {
    const before = new Date(Date.now() - 660_000);
    const forget = () =>
      api.database.fork().nativeUpdate(Session, { userId: user.id }, { createdAt: before, passwordAt: null });
    const prove = () => sender.send('POST', '/api/account/second-factor/prove', { password: testPassword });
    await forget();
    const large = { amount: '500', currency: 'usd' };
    const refused = await pay(large, 'large');
    expectFailure(refused, 403, 'second_factor_stale');
    expect(refused.body).toMatchObject({ app: false, passkey: false });
    expect(await transfers()).toEqual([]);
    expect((await pay({ ...large, amount: '499' })).status).toBe(201);
    // In parts it is as large.
    expectFailure(await pay({ ...large, amount: '10' }), 403, 'second_factor_stale');
    await prove();
    expect((await pay(large, 'large')).status).toBe(201);
    await forget();
    // An existing payment is returned without a fresh proof; choosing the recipient of another one requires it.
    expect((await pay(large, 'large')).status).toBe(201);
    const { transferId } = (await pay({ amount: '501', currency: 'usd', recipientId: '' })).body;
    const choose = () => sender.send('PUT', `/api/transactions/${transferId}/recipient`, { recipientId });
    expectFailure(await choose(), 403, 'second_factor_stale');
    await prove();
    expect((await choose()).status).toBe(200);
  });

  it('a payment to a removed recipient is refused, and one without a recipient is accepted', async () => {
    expect((await pay({ recipientId: '' })).status).toBe(201);
    await sender.send('DELETE', `/api/recipients/${recipientId}`);
    expectFailure(await pay(), 404, 'not_found');
  });

  it('a payment that failed while Stripe was down can be repeated with the same key', async () => {
    stripe.setDown(true);
    expectFailure(await pay({}, 'again'), 502, 'payment_not_started');
    stripe.setDown(false);
    const answer = await pay({}, 'again');
    expect(answer.status).toBe(201);
    expect(await transfers()).toHaveLength(1);
  });

  it('an expired quote cannot be paid', async () => {
    stripe.setDown(true);
    await pay({}, 'late');
    stripe.setDown(false);
    const [transfer] = await transfers();
    await api.database.transaction((em) => moveTransfer(em, transfer?.id ?? '', 'expire_quote', { at: new Date() }));
    expectFailure(await pay({}, 'late'), 502, 'payment_not_started');
  });
});

describe('a payment that was left unpaid', () => {
  const resume = (id: string, by = sender) => by.send('POST', `/api/transactions/${id}/payment`);

  it('resuming a payment answers the very same payment and frozen quote, also when the rate has moved since', async () => {
    const opened = (await pay()).body;
    await api.setRates(admin, 14_000_000n);
    const answer = await resume(opened.transferId);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(opened);
    expect(await transfers()).toHaveLength(1);
  });

  it('a payment cannot be resumed by anybody else, nor once it is paid, cancelled or out of date', async () => {
    const [paid, cancelled, late] = (await Promise.all(['100', '101', '102'].map((amount) => pay({ amount })))).map(
      ({ body }) => body.transferId,
    );
    expectFailure(await resume(paid, (await api.person()).browser), 404, 'not_found');
    await hold(paid);
    expectFailure(await resume(paid), 409, 'transfer_not_payable');
    await sender.send('POST', `/api/transactions/${cancelled}/cancel`);
    expectFailure(await resume(cancelled), 409, 'transfer_not_payable');
    await api.database.fork().nativeUpdate(Transfer, { id: late }, { quoteExpiresAt: new Date() });
    expectFailure(await resume(late), 409, 'transfer_not_payable');
  });

  it('a payment that other transfers left no room for is refused when it is resumed', async () => {
    const [first, second] = (await Promise.all(['600', '601'].map((amount) => pay({ amount, currency: 'usd' })))).map(
      ({ body }) => body.transferId,
    );
    await hold(first);
    expectFailure(await resume(second), 422, 'day_limit_reached');
  });

  it('a payment whose reminder was paid by another transfer is refused when it is resumed', async () => {
    const reminderId = await api.database.transaction((em) => openTestReminder(em, { userId: user.id, recipientId }));
    const [first, second] = [await pay({ reminderId }), await pay({ reminderId, amount: '101' })].map(
      ({ body }) => body.transferId,
    );
    expect((await resume(second)).status).toBe(200);
    await hold(first);
    expectFailure(await resume(second), 409, 'reminder_closed');
  });
});

describe('a payment that is opened again', () => {
  it('an unpaid payment is resumed, however often it is opened, with an unchanged quote', async () => {
    const opened = (await pay()).body;
    expect((await pay()).body).toEqual(opened);
    expect((await pay({ exchangeRate: '13.38' }, 'third')).body).toEqual(opened);
    expect((await pay({ exchangeRate: '13.38' }, 'third')).body).toEqual(opened);
    expect(await transfers()).toHaveLength(1);
  });

  it('two tabs open a single payment at the same moment, even with one for a reminder in parallel', async () => {
    const reminderId = await api.database.transaction((em) => openTestReminder(em, { userId: user.id, recipientId }));
    const answers = await Promise.all([pay(), pay(), pay({ reminderId }), pay()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await transfers()).toHaveLength(2);
    await pay({ reminderId });
    await pay();
    expect(await transfers()).toHaveLength(2);
  });

  it('another transfer is opened for anything else, and where Stripe holds the card already', async () => {
    const opened = (await pay()).body;
    const reminderId = await api.database.transaction((em) => openTestReminder(em, { userId: user.id, recipientId }));
    for (const other of [{ amount: '100.01' }, { currency: 'usd' }, { recipientId: '' }, { reminderId }])
      await pay(other);
    expect(await transfers()).toHaveLength(5);
    await pay({ reminderId });
    expect(await transfers()).toHaveLength(5);
    stripe.setStatus(opened.paymentIntentId, 'requires_capture');
    expect((await pay()).body.transferId).not.toBe(opened.transferId);
    expect(await transfers()).toHaveLength(6);
  });

  it.each([
    ['its rate has moved', () => api.setRates(admin, 13_390_000n)],
    [
      'its account was corrected',
      () => sender.send('PUT', `/api/recipients/${recipientId}`, { ...sampleRecipient, bankAccount: '99998888' }),
    ],
    [
      'its quote is about to run out',
      () =>
        api.database
          .fork()
          .nativeUpdate(Transfer, { userId: user.id }, { quoteExpiresAt: new Date(Date.now() + 100_000) }),
    ],
  ])('it is not reused when %s', async (_why, happen) => {
    const { transferId } = (await pay()).body;
    await happen();
    const again = await pay();
    expect(again.status).toBe(201);
    expect(again.body.transferId).not.toBe(transferId);
  });
});

describe('after the card', () => {
  it('a confirmation answers the status at Stripe, and holds the transfer only when Stripe holds the card', async () => {
    const { paymentIntentId, transferId } = (await pay()).body;
    const status = () => sender.send('GET', `/api/new-account/payment-status/${paymentIntentId}`);
    expect((await status()).body).toEqual({
      status: 'requires_payment_method',
      providerStatus: 'requires_payment_method',
    });
    expectFailure(await sender.send('POST', confirm, { paymentIntentId }), 409, 'payment_not_completed');
    stripe.setStatus(paymentIntentId, 'requires_capture');
    expect((await status()).body).toEqual({ status: 'succeeded', providerStatus: 'requires_capture' });
    const answer = await sender.send('POST', confirm, { paymentIntentId, amount: '1', exchangeRate: 15 });
    expect(answer.body).toMatchObject({
      success: true,
      message: 'Pago recibido',
      transaction: { id: transferId, amount: '100.00' },
    });
  });

  it('a confirmation fails while Stripe does not answer, unless the payment was just found to be held', async () => {
    const { paymentIntentId } = (await pay()).body;
    const status = () => sender.send('GET', `/api/new-account/payment-status/${paymentIntentId}`);
    const confirmed = () => sender.send('POST', confirm, { paymentIntentId });
    stripe.setDown(true);
    expectFailure(await status(), 502, 'payment_provider_unavailable');
    expectFailure(await confirmed(), 502, 'payment_provider_unavailable');
    stripe.setDown(false);
    stripe.setStatus(paymentIntentId, 'requires_capture');
    expect((await status()).status).toBe(200);
    stripe.setDown(true);
    expect((await confirmed()).status).toBe(200);
    stripe.setDown(false);
  });
});
