import { expect, test } from 'vitest';
import type { TrackingView } from '#core/contracts/http/tracking';
import TrackingPage from '../../routes/tracking.tsx';
import { expectAccessible, expectAccessibleAtAnyWidth } from '../../testing/accessibility.ts';
import { expectEnglishOnly, showEnglish } from '../../testing/english.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { paidTransfer } from '../../testing/sample-transfer.ts';
import { ShareTransfer } from '../shared/share-transfer.tsx';

const api = installFakeApi();
const token = 'a'.repeat(40);
const at = (minute: number) => `2026-11-20T14:0${minute}:00.000Z`;
const onTheWay: TrackingView = {
  ...{ sender: 'Lucía', bolivianos: '1291.17', bankName: 'Banco Unión', accountEnding: '3311', status: 'on_the_way' },
  arrived: '0.00',
  gained: null,
  steps: [{ step: 'received', at: at(1) }],
  // On time, whenever the tests run.
  estimatedDelivery: '2099-11-24T14:00:00.000Z',
  receivedAt: null,
};
const deposited: TrackingView = {
  ...onTheWay,
  status: 'deposited',
  arrived: '1291.17',
  steps: (['received', 'approved', 'sent', 'deposited'] as const).map((step, index) => ({ step, at: at(index) })),
};
const open = async (address = `/seguimiento#${token}`) =>
  // Both addresses: '/seguimiento', '/seguimiento/:token'.
  (
    await renderApp(
      ['/seguimiento', '/seguimiento/:token'].map((path) => ({ path, element: <TrackingPage /> })),
      address,
    )
  ).screen;

test('a family follows the money by its link and says once that they have it', async () => {
  api.answer({ readTracking: () => deposited, confirmReceived: () => ({ ...deposited, receivedAt: at(9) }) });
  const screen = await open();
  await expect.element(screen.getByTestId('tracking-amount')).toHaveTextContent('Bs 1.291,17');
  await expect.element(screen.getByText('Banco Unión, cuenta terminada en 3311')).toBeVisible();
  await expect.element(screen.getByTestId('tracking-gained')).not.toBeInTheDocument();
  expect(screen.getByTestId('tracking-step').elements()).toHaveLength(4);
  await expectAccessibleAtAnyWidth();
  await screen.getByTestId('tracking-confirm').click();
  await expect.element(screen.getByTestId('tracking-received')).toBeVisible();
  await expect.element(screen.getByTestId('tracking-confirm')).not.toBeInTheDocument();
  expect(api.calls.filter(({ name }) => name === 'confirmReceived').map(({ body }) => body)).toEqual([{ token }]);
});

test('a family sees what is left of a deposit of which the bank took a part back, and cannot confirm it', async () => {
  await showEnglish();
  api.answer({ readTracking: () => ({ ...deposited, status: 'deposited_in_part', arrived: '291.17' }) });
  const screen = await open(`/seguimiento/${'d'.repeat(40)}`);
  await expect.element(screen.getByTestId('tracking-amount')).toHaveTextContent('BOB 291.17');
  await expect
    .element(screen.getByTestId('tracking-standing'))
    .toHaveTextContent('Of the BOB 1,291.17 that were sent to you, the bank took a part back. The sender knows.');
  await expect.element(screen.getByTestId('tracking-confirm')).not.toBeInTheDocument();
  expectEnglishOnly('Lucía');
  await expectAccessibleAtAnyWidth();
});

test('a transfer on its way shows what is still to come, and nothing to confirm, in English too', async () => {
  await showEnglish();
  api.answer({ readTracking: () => ({ ...onTheWay, gained: '11.58' }) });
  const screen = await open(`/seguimiento/${'c'.repeat(40)}`);
  await expect.element(screen.getByText('The money is on its way.', { exact: false })).toBeVisible();
  expect(screen.getByTestId('tracking-expected').elements()).toHaveLength(3);
  await expect
    .element(screen.getByTestId('tracking-gained'))
    .toHaveTextContent('The rate improved: that is BOB 11.58 more.');
  await expect.element(screen.getByTestId('tracking-confirm')).not.toBeInTheDocument();
  expect(api.calls.find(({ name }) => name === 'readTracking')?.body).toEqual({ token: 'c'.repeat(40) });
  expectEnglishOnly('Lucía');
  await expectAccessibleAtAnyWidth();
});

test('a transfer that is past its day says that it is delayed and promises no other day', async () => {
  api.answer({ readTracking: () => ({ ...onTheWay, estimatedDelivery: '2026-11-24T14:00:00.000Z' }) });
  const screen = await open();
  await expect
    .element(screen.getByTestId('tracking-standing'))
    .toHaveTextContent('El dinero está en camino y se retrasa: lo esperábamos para el martes, 24 de noviembre.');
});

test('a sender shares the link of a transfer, which is made when they want it', async () => {
  api.answer({ createTrackingLink: () => ({ token }) });
  const { screen } = await renderApp([{ path: '/', element: <ShareTransfer transfer={paidTransfer} /> }]);
  expect(api.calls).toEqual([]);
  await screen.getByTestId('share-transfer').click();
  const url = `${window.location.origin}/seguimiento#${token}`;
  await expect.element(screen.getByTestId('share-copy')).toHaveAttribute('data-url', url);
  const link = screen.getByTestId('share-whatsapp').element() as HTMLAnchorElement;
  const message = new URL(link.href).searchParams.get('text')?.replaceAll('\u00a0', ' ');
  expect(message).toMatch(/^Te envié Bs 1\.291,17 con Chasqui\..*: http/);
  expect(message?.endsWith(url)).toBe(true);
  expect(link.rel).toBe('noreferrer');
  await expectAccessible();
});

test('an unknown link says so, and whom to ask', async () => {
  api.answer({ readTracking: () => ({ failure: 'not_found', status: 404 }) });
  const screen = await open(`/seguimiento#${'b'.repeat(40)}`);
  await expect.element(screen.getByText('Pide a quien te lo mandó', { exact: false })).toBeVisible();
});
