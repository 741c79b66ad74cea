import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import type { Rate } from '#core/rates/rate';
import type { PriceObservation } from '#core/rates/sources';
import { hourMs } from '#core/time/time';
import { finishRateRun, openRateRun } from '#domain/rate-observations/rate-runs';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { observeMarket, testEveryMs } from '../../testing/market.ts';
import { expectFailure, TestApp } from '../testing/test-app.ts';
import type { Answer, TestBrowser } from '../testing/test-browser.ts';

let app: TestApp;
let ana: TestBrowser;
let luis: TestBrowser;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  app = await TestApp.open(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
  ana = app.admin;
  luis = (await app.api.person('admin', 'Luis Rojas')).browser;
  await observeMarket(app.api.database, { rate: 14_000_000n, at: new Date() });
});

afterAll(() => app?.close());

const ask = (by: TestBrowser, body: Record<string, unknown>) =>
  by.send('POST', endpoints.setRate.path, { currency: 'USD', ...body });
const decide = (by: TestBrowser, id: string, what: 'confirm' | 'decline') =>
  by.send('POST', `/api/admin/exchange-rate/changes/${id}/${what}`);
const expectSentence = (answer: Answer, status: number, code: string, message: string) => {
  expectFailure(answer, status, code);
  expect(answer.body.message).toBe(message);
};
const inOneHour = () => new Date(Date.now() + hourMs).toISOString();

describe('an admin', () => {
  it('an admin sets a rate within the guard-rails at once', async () => {
    const { status, body } = await ask(ana, { rate: '13.40' });
    expect(status).toBe(201);
    expect(body.change).toMatchObject({
      setBy: 'Ana Quispe',
      currency: 'USD',
      rate: '13.40',
      previousRate: '13.38',
      state: 'activated',
      reason: null,
      guardRails: [],
      decidedBy: null,
      expiresAt: null,
    });
    expect(body.inForce).toMatchObject({ currency: 'USD', rate: '13.40', source: 'admin' });
    expect((await app.visitor.send('GET', '/api/rate/usd')).body.rate).toBe('13.40');
    // With a condition the framework answers; without one it is not involved.
    const behind = await app.visitor.send('GET', '/api/rate', undefined, { 'if-none-match': '"another"' });
    const before = await app.visitor.send('GET', '/api/rate');
    expect([before.status, before.body.rate]).toEqual([200, '13.40']);
    expect(before.body).toEqual(endpoints.getRates.response.parse(behind.body));
    const headersOf = ({ headers }: Answer) => [...headers].filter(([name]) => !/^(date|x-request-id)$/.test(name));
    expect(headersOf(before)).toEqual(headersOf(behind));
  });

  it('reports which guard-rails need a reason, and that a scheduled change needs one', async () => {
    const far = await ask(ana, { rate: '14.10' });
    const sentence = 'Este cambio necesita un motivo y la confirmación de otra persona.';
    expectSentence(far, 422, 'rate_reason_required', sentence);
    expect(far.body.guardRails).toEqual(['step_too_large', 'above_reference']);
    expectFailure(await ask(ana, { rate: '14.10', reason: '   ' }), 422, 'rate_reason_required');
    const scheduled = await ask(ana, { rate: '13.41', activateAt: inOneHour() });
    expectSentence(scheduled, 422, 'rate_reason_required', 'Un cambio programado necesita un motivo.');
    expect(scheduled.body.guardRails).toEqual([]);
  });

  it('an admin schedules a rate change within the next 30 days only', async () => {
    for (const days of [-1, 0, 31]) {
      const activateAt = new Date(Date.now() + days * 24 * hourMs).toISOString();
      const answer = await ask(ana, { rate: '13.41', reason: 'Feriado', activateAt });
      expectFailure(answer, 400, 'invalid_input');
      expect(answer.body.fields).toEqual({ activateAt: 'Elige una hora futura, como máximo dentro de 30 días' });
    }
  });
});

describe('two admins', () => {
  it('two admins together change a rate beyond a guard-rail, and later ones see who was first', async () => {
    const { status, body } = await ask(ana, { rate: '13.90', reason: 'El mercado subió' });
    expect(status).toBe(201);
    const { id, date, expiresAt } = body.change;
    expect(body.change).toMatchObject({ state: 'awaiting_confirmation', guardRails: ['step_too_large'] });
    expect(Date.parse(expiresAt) - Date.parse(date)).toBe(24 * hourMs);
    expect(body.inForce.rate).toBe('13.40');

    const second = await ask(luis, { rate: '13.41' });
    const inTheWay = 'Ya hay un cambio de esta moneda en espera. Confírmalo o descártalo antes de pedir otro.';
    expectSentence(second, 409, 'rate_change_open', inTheWay);
    expect(second.body.change.id).toBe(id);

    const own = await decide(ana, id, 'confirm');
    expectSentence(own, 403, 'second_person_needed', 'Este cambio lo tiene que confirmar otra persona.');

    const confirmed = await decide(luis, id, 'confirm');
    expect(confirmed.status).toBe(200);
    expect(confirmed.body.change).toMatchObject({
      state: 'activated',
      reason: 'El mercado subió',
      setBy: 'Ana Quispe',
      decidedBy: 'Luis Rojas',
      expiresAt: null,
    });
    expect(confirmed.body.inForce.rate).toBe('13.90');
    for (const what of ['confirm', 'decline'] as const) {
      const late = await decide(ana, id, what);
      expectSentence(late, 409, 'rate_change_closed', 'Luis Rojas ya confirmó este cambio.');
      expect(late.body.change.state).toBe('activated');
    }
  });

  it('two admins decline or withdraw a rate change before its time', async () => {
    const body = { rate: '13.85', reason: 'Feriado', activateAt: inOneHour() };
    const first = (await ask(ana, body)).body.change;
    expect(first).toMatchObject({ state: 'scheduled', activateAt: body.activateAt, activatedAt: null });
    expect((await decide(luis, first.id, 'decline')).body.change).toMatchObject({
      state: 'declined',
      decidedBy: 'Luis Rojas',
    });
    const declined = await decide(ana, first.id, 'confirm');
    expectSentence(declined, 409, 'rate_change_closed', 'Luis Rojas ya descartó este cambio.');

    const next = (await ask(ana, body)).body.change;
    expect((await decide(ana, next.id, 'decline')).body.change.state).toBe('cancelled');
    const withdrawn = await decide(luis, next.id, 'confirm');
    expectSentence(withdrawn, 409, 'rate_change_closed', 'Ana Quispe ya retiró este cambio.');
    expect((await app.visitor.send('GET', '/api/rate/usd')).body.rate).toBe('13.90');
  });

  it('of two admins who decide on a rate change at the same moment exactly one succeeds', async () => {
    const { id } = (await ask(ana, { rate: '13.20', reason: 'El mercado bajó' })).body.change;
    const answers = await Promise.all([
      decide(luis, id, 'confirm'),
      decide(luis, id, 'decline'),
      decide(ana, id, 'decline'),
      decide(luis, id, 'confirm'),
    ]);
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const late of answers.filter(({ status }) => status !== 200)) expectFailure(late, 409, 'rate_change_closed');
    const board = await app.visitor.send('GET', '/api/rate/usd');
    expect(board.body.rate).toBe(won[0]?.body.change.state === 'activated' ? '13.20' : '13.90');
  });

  it('an admin gets not_found for a rate change that does not exist', async () => {
    for (const what of ['confirm', 'decline'] as const) expectFailure(await decide(ana, '999', what), 404, 'not_found');
  });
});

describe('the rate management', () => {
  it('the rate management shows the market, the proposal, the best competitor and the open change', async () => {
    const at = new Date();
    const price = (competitor: 'ria' | 'remitly', rate: bigint): PriceObservation => ({
      kind: 'price',
      source: competitor,
      competitor,
      currency: 'USD',
      amountMinor: 10_000n,
      rate: rate as Rate,
      feeMinor: 199n,
    });
    await app.api.database.transaction(async (em) => {
      const { runId } = await openRateRun(em, { trigger: 'forced', everyMs: testEveryMs, at });
      const collected = [price('ria', 13_100_000n), price('remitly', 13_250_000n)].map((observation) => ({
        observation,
        rawHash: 'hash',
        observedAt: at,
      }));
      await finishRateRun(em, runId, { collected, results: [], at });
    });
    const { status, body } = await app.call('rateManagement', ana);
    expect(status).toBe(200);
    expect(body).toMatchObject({ marginPercent: '1.00', maxStepPercent: '3.00' });
    expect(body.currencies.USD).toMatchObject({
      inForce: { currency: 'USD', paused: false },
      reference: { rate: '14.00', sources: [{ name: 'DolarApi', rate: '14.00' }] },
      proposal: '13.86',
      bestCompetitor: { name: 'Remitly', rate: '13.25' },
      openChange: null,
    });
    // Luis Rojas's, from the beginning; there is no market for the euro.
    expect(body.currencies.EUR).toMatchObject({
      reference: null,
      proposal: null,
      bestCompetitor: null,
      openChange: { id: app.ids.rateChangeId, guardRails: expect.arrayContaining(['stale_sources']) },
    });
  });

  it('the rate management shows a euro that follows the dollar once an ECB fixing was read', async () => {
    await observeMarket(app.api.database, { rate: 1_170_000n, at: new Date(), pair: 'EUR/USD' });
    const { body } = await app.call('rateManagement', ana);
    expect(body.currencies.EUR).toMatchObject({
      reference: { rate: '16.38', sources: [{ name: 'DolarApi', rate: '16.38' }] },
      proposal: '16.21',
    });
  });

  it('the rate management lists who changed a rate when and why, the first rates included', async () => {
    const { body } = await ana.send('GET', '/api/admin/exchange-rate/history?currency=usd&limit=100');
    const states = body.items.map(({ state }: { state: string }) => state);
    expect(states).toEqual(expect.arrayContaining(['activated', 'declined', 'cancelled']));
    expect(body.items.at(-1)).toMatchObject({
      rate: '13.38',
      previousRate: null,
      state: 'activated',
      setBy: 'Ana Quispe',
    });
    expect(new Set(body.items.map(({ currency }: { currency: string }) => currency))).toEqual(new Set(['USD']));
    const ids = body.items.map(({ id }: { id: string }) => Number(id));
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
  });
});
