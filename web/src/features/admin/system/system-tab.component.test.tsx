import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { OperatingFigures } from '#core/contracts/http/monitoring';
import { expectAccessibleAtAnyWidth } from '../../../testing/accessibility.ts';
import { openAsAdmin } from '../../../testing/admin-panel.tsx';
import { expectEnglishOnly, showEnglish } from '../../../testing/english.ts';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { SystemTab } from './system-tab.tsx';

const api = installFakeApi();
const at = '2026-11-20T14:00:00.000Z';
const calm: OperatingFigures = {
  at,
  due: [
    { kind: 'outbox', rows: 0, since: null },
    { kind: 'bank_operations', rows: 1, since: '2026-11-20T13:59:30.000Z' },
  ],
  pausedProviders: [],
  oldestTransfers: [
    { state: 'awaiting_payment', since: null },
    { state: 'in_review', since: '2026-11-19T14:00:00.000Z' },
    { state: 'captured', since: '2026-11-19T14:00:00.000Z' },
  ],
  pausedQueues: [],
  holds: { waiting: 2, withinDay: 0, next: '2026-11-24T14:00:00.000Z' },
  rates: [{ currency: 'USD', updatedAt: '2026-11-20T13:00:00.000Z', paused: false }],
  reconciliation: { stripe: 0, bank: 0, since: null, comparedAt: '2026-11-20T13:30:00.000Z' },
  cases: { open: 0, since: null },
  owedToFamilies: { transfers: 0, minor: '0', since: null },
  overdueComplaints: 0,
  ledger: [{ account: 'payout_due', currency: 'BOB', booksMinor: '129117', expectedMinor: '129117' }],
};
const part = (name: string) => page.getByTestId(`system-${name}`);
const statesOf = (name: string) =>
  [...part(name).element().querySelectorAll('[data-status]')].map((badge) => badge.getAttribute('data-status'));

test('figures of a product in which everything moves are all well', async () => {
  await openAsAdmin(api, <SystemTab />, { operatingFigures: () => calm });
  await expect.element(part('due')).toMatchTextContent(/Nada espera.*1, lo más antiguo hace un momento/);
  await expect.element(part('holds')).toMatchTextContent(/Esperan una decisión2.*Próximo vencimiento4 d/);
  await expect.element(part('ledger')).toMatchTextContent(/Por pagar a familias \(BOB\)Bs 1\.291,17/);
  await expect.element(part('ledger')).toMatchTextContent(/debido a familiasNada/);
  await expect
    .element(part('transfers'))
    .toMatchTextContent(/Por pagar su remitenteNinguno.*Por decidirhace 24 h.*Por pagar a la familiahace 24 h/);
  for (const name of ['due', 'transfers', 'holds', 'rates', 'ledger', 'reconciliation', 'people'])
    expect(statesOf(name).every((state) => state === 'good')).toBe(true);
  await expectAccessibleAtAnyWidth();
});

test('what needs somebody is said in words, also in English', async () => {
  await showEnglish();
  const busy: OperatingFigures = {
    ...calm,
    due: [{ kind: 'bank_operations', rows: 10_000, since: '2026-11-20T13:50:00.000Z' }],
    pausedProviders: ['bank'],
    oldestTransfers: [
      { state: 'approved', since: '2026-11-20T11:00:00.000Z' },
      { state: 'captured', since: '2026-11-19T12:00:00.000Z' },
      { state: 'payout_failed', since: '2026-11-14T12:00:00.000Z' },
      { state: 'refunding', since: null },
    ],
    pausedQueues: ['emails', 'payouts'],
    holds: { waiting: 3, withinDay: 1, next: '2026-11-20T17:00:00.000Z' },
    rates: [{ currency: 'EUR', updatedAt: '2026-11-18T13:00:00.000Z', paused: true }],
    reconciliation: { stripe: 2, bank: 0, since: at, comparedAt: null },
    cases: { open: 1, since: '2026-11-20T08:00:00.000Z' },
    owedToFamilies: { transfers: 2, minor: '15050', since: '2026-11-18T08:00:00.000Z' },
    overdueComplaints: 1,
    ledger: [{ account: 'payout_due', currency: 'BOB', booksMinor: '129124', expectedMinor: '129117' }],
  };
  await openAsAdmin(api, <SystemTab />, { operatingFigures: () => busy });
  await expect.element(part('ledger')).toMatchTextContent(/0\.07/);
  expect(statesOf('due')).toEqual(['bad', 'wait', 'bad', 'bad']);
  expect(statesOf('transfers')).toEqual(['wait', 'wait', 'good', 'good']);
  expect(statesOf('holds')).toEqual(['good', 'wait', 'bad']);
  expect(statesOf('rates')).toEqual(['bad']);
  expect(statesOf('ledger')).toEqual(['bad', 'bad']);
  await expect.element(part('ledger')).toMatchTextContent(/BOB 150\.50 of 2 transfers, the oldest/);
  expect(statesOf('reconciliation')).toEqual(['wait', 'good', 'good']);
  expect(statesOf('people')).toEqual(['wait', 'bad']);
  await expectAccessibleAtAnyWidth();
  expectEnglishOnly();
});

test('figures that cannot be read say so and can be asked for again', async () => {
  await openAsAdmin(api, <SystemTab />, { operatingFigures: () => 'no connection' });
  api.answer({ operatingFigures: () => calm });
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect.element(part('due')).toBeVisible();
});
