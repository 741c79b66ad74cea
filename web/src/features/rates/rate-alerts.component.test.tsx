import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { RateAlertView } from '#core/contracts/http/rate-alerts';
import { expectAccessibleAtAnyWidth } from '../../testing/accessibility.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeLive } from '../../testing/fake-live.ts';
import { pressTwice } from '../../testing/keyboard-dialog.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { sampleBoard } from '../../testing/sample-rates.ts';
import { RateAlerts } from './rate-alerts.tsx';

const api = installFakeApi();
const live = installFakeLive();
const field = (testid: string) => page.getByTestId(testid);

const waiting: RateAlertView = {
  id: '0199b2d0-0000-4000-8000-00000000aaaa',
  currency: 'EUR',
  rate: '13.40',
  createdAt: '2026-11-20T14:00:00.000Z',
  firedAt: null,
  firedRate: null,
};
const fired: RateAlertView = { ...waiting, firedAt: '2026-11-21T14:00:00.000Z', firedRate: '13.41' };

const answerWith = (...items: RateAlertView[]) => api.answer({ listRateAlerts: () => ({ items, nextCursor: null }) });
const open = () => renderApp([{ path: '/', element: <RateAlerts /> }]);

beforeEach(() => api.answer({ getRates: () => sampleBoard() }));

test('a rate alert is asked for once, and a value that is none is named', async () => {
  answerWith();
  await open();
  await expect.element(page.getByText('Todavía no esperas ninguna tasa.', { exact: false })).toBeVisible();
  await expect.element(field('rate-alert-hint')).toMatchTextContent('Ahora: 1 USD = ');
  await field('rate-alert-currency').selectOptions('EUR');
  await expect.element(field('rate-alert-hint')).toHaveTextContent('Ahora: 1 EUR = 13,38 Bs');
  await field('rate-alert-submit').click();
  await expect.element(field('rate-alert-hint')).toMatchTextContent('Escribe una tasa mayor que cero');
  await expect.element(field('rate-alert-rate')).toHaveFocus();
  await expectAccessibleAtAnyWidth();
  await field('rate-alert-rate').fill('13,40');
  api.answer({
    createRateAlert: () => {
      answerWith(waiting);
      return waiting;
    },
  });
  pressTwice('rate-alert-submit');
  await expect.element(field('rate-alert')).toMatchTextContent('1 EUR a 13,40 Bs');
  await expect.element(page.getByText('Alerta creada')).toBeVisible();
  expect(api.calls.filter(({ name }) => name === 'createRateAlert').map(({ body }) => body)).toEqual([
    { currency: 'EUR', rate: '13.40' },
  ]);
});

test('a rate alert that could not be saved keeps what was typed', async () => {
  answerWith();
  api.answer({ createRateAlert: () => 'no connection' });
  await open();
  await field('rate-alert-rate').fill('13,40');
  await field('rate-alert-submit').click();
  await expect.element(field('rate-alert-hint')).toMatchTextContent('No hay conexión con Chasqui.');
  await expect.element(field('rate-alert-rate')).toHaveValue('13,40');
});

test('a rate alert that fires says at which rate', async () => {
  answerWith(waiting);
  await open();
  await expect.element(field('rate-alert')).toHaveAttribute('data-fired', 'false');
  live.push('rate-alert:fired', fired);
  await expect.element(field('rate-alert')).toHaveAttribute('data-fired', 'true');
  await expect.element(field('rate-alert')).toMatchTextContent('a 13,41 Bs');
});

test('a rate alert that fires while the list is on its way is shown as fired', async () => {
  const answer = Promise.withResolvers<{ items: RateAlertView[]; nextCursor: null }>();
  api.answer({ listRateAlerts: () => answer.promise });
  await open();
  await expect.poll(() => api.calls.some(({ name }) => name === 'listRateAlerts')).toBe(true);
  live.push('rate-alert:fired', fired);
  answer.resolve({ items: [waiting], nextCursor: null });
  await expect.element(field('rate-alert')).toHaveAttribute('data-fired', 'true');
});

test('a rate alert is deleted once, and one that could not be deleted stays', async () => {
  answerWith(waiting);
  api.answer({ deleteRateAlert: () => 'no connection' });
  await open();
  await field('rate-alert-delete').click();
  await expect.element(page.getByText('No se pudo borrar')).toBeVisible();
  await expect.element(field('rate-alert')).toBeVisible();
  api.answer({
    deleteRateAlert: () => {
      answerWith();
      return undefined;
    },
  });
  // It reads the list again after the failure.
  await expect.element(field('rate-alert-delete')).toBeEnabled();
  pressTwice('rate-alert-delete');
  await expect.element(field('rate-alert')).not.toBeInTheDocument();
  expect(api.calls.filter(({ name }) => name === 'deleteRateAlert')).toHaveLength(2);
});
