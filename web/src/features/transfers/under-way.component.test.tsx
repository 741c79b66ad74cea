import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { TransferView } from '#core/contracts/http/transfers';
import { localStore, underWayEntry } from '../../lib/storage.ts';
import { expectAccessibleAtAnyWidth } from '../../testing/accessibility.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeLive } from '../../testing/fake-live.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { paidTransfer } from '../../testing/sample-transfer.ts';
import { UnderWay } from './under-way.tsx';

const api = installFakeApi();
const live = installFakeLive();

const section = page.getByTestId('under-way');
const rows = page.getByTestId('under-way-row');

let samples = 0;
const underWay = (changes: Partial<TransferView> = {}): TransferView => ({
  ...paidTransfer,
  id: `6d9a2b0e-54a1-4a1c-8f66-${String(++samples).padStart(12, '0')}`,
  date: `2026-11-20T14:00:${String(59 - samples).padStart(2, '0')}.000Z`,
  estimatedDelivery: '2099-11-24T04:00:00.000Z',
  ...changes,
});

beforeEach(() => localStore.removeItem(underWayEntry));

function Panel() {
  const [opened, setOpened] = useState('');
  return (
    <>
      <UnderWay onOpen={setOpened} />
      <output>{opened}</output>
    </>
  );
}

async function open(items: TransferView[]) {
  api.answer({ listTransfers: ({ query }) => ({ items: query.progress ? items : [], nextCursor: null }) });
  await renderApp([{ path: '/', element: <Panel /> }]);
}

test.each([
  [390, 844, 2],
  [1280, 900, 4],
])(
  'what is under way says its next step, what waits for the sender first, %s px wide',
  async (width, height, first) => {
    await page.viewport(width, height);
    const atBank = underWay({ state: 'captured', payoutReturned: '0.00' });
    const returning = underWay({ state: 'refunding', status: 'refunded', returned: '25.00' });
    const refused = underWay({
      ...{ state: 'payout_failed', recipient: 'Pedro Mamani', correctAccountBy: '2026-11-28T15:30:00.000Z' },
    });
    await open([atBank, returning, underWay(), underWay(), refused]);
    await expect.element(rows.first()).toMatchTextContent(/^Bs 1\.291,17 Pedro MamaniCorrige la cuenta · hasta el /);
    await expect.element(rows.nth(1)).toMatchTextContent(/^Bs 1\.291,17 Juana MamaniEl banco lo paga hacia el/);
    expect(rows.elements()).toHaveLength(first);
    for (const row of rows.elements()) expect(row.getBoundingClientRect().height).toBeGreaterThanOrEqual(48);
    await page.getByTestId('under-way-all').click();
    expect(rows.elements()).toHaveLength(5);
    await expect.element(rows.nth(2)).toMatchTextContent(/^75,00 EUR Juana MamaniVuelve a tu tarjeta · tu banco/);
    await rows.first().click();
    await expect.element(page.getByRole('status').last()).toHaveTextContent(refused.id);
    await expectAccessibleAtAnyWidth();
  },
);

test('what is under way follows every push, comes with a payment and goes when it ends', async () => {
  await open([]);
  await expect.poll(() => api.calls.some(({ name }) => name === 'listTransfers')).toBe(true);
  await expect.element(section).not.toBeInTheDocument();
  const paid = underWay();
  live.push('transfer:changed', paid);
  await expect.element(rows).toMatchTextContent(/Lo estamos revisando · llega hacia el/);
  live.push('transfer:changed', { ...paid, version: 3, questions: 'waiting' });
  await expect.element(rows).toMatchTextContent(/Responde nuestra pregunta · hasta el/);
  live.push('transfer:changed', { ...paid, version: 4, state: 'completed', status: 'completed' });
  await expect.element(section).not.toBeInTheDocument();
});

test('the place of what was under way is kept while it is on its way, and a failure says so', async () => {
  localStore.setItem(underWayEntry, '1');
  const answer = Promise.withResolvers<'no connection'>();
  api.answer({ listTransfers: () => answer.promise });
  await renderApp([{ path: '/', element: <Panel /> }]);
  await expect.element(section.getByLabelText('Cargando')).toBeVisible();
  answer.resolve('no connection');
  await expect.element(section.getByText('No hay conexión con Chasqui.', { exact: false })).toBeVisible();
  const paid = underWay();
  api.answer({ listTransfers: () => ({ items: [paid], nextCursor: null }) });
  await section.getByRole('button', { name: 'Reintentar' }).click();
  await expect.element(rows).toBeVisible();
});
