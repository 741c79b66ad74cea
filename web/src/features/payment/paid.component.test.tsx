import { expect, test } from 'vitest';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { paidTransfer } from '../../testing/sample-transfer.ts';
import { messageFor, PaidTransfer } from './paid.tsx';

installFakeApi();

const late = { ...paidTransfer, estimatedDelivery: '2026-11-24T04:00:00.000Z' };

test('a paid transfer that is looked at after its day says that it is delayed, and one in time when it arrives', async () => {
  const { screen } = await renderApp([
    {
      path: '/',
      element: (
        <>
          <PaidTransfer transfer={late} />
          <PaidTransfer transfer={paidTransfer} />
          <PaidTransfer transfer={{ ...late, recipientId: null }} />
        </>
      ),
    },
  ]);
  const texts = [
    'Tu envío se retrasa: lo esperábamos para el martes, 24 de noviembre.',
    'Llega a Bolivia hacia el martes',
  ];
  for (const text of texts) await expect.element(screen.getByText(text, { exact: false })).toBeVisible();
});

test('what is said of a late transfer promises no day', () => {
  expect(messageFor('pending', late)).toMatch(/^Tu envío se retrasa/);
  expect(messageFor('pending', paidTransfer)).toMatch(/^El destinatario recibirá los fondos en Bolivia hacia el/);
});

test('what is said of a completed transfer counts what the bank returned of it', async () => {
  const completed = { ...paidTransfer, state: 'completed', status: 'completed', bolivianos: '1291.17' } as const;
  expect(messageFor('completed', completed)).toMatch(/^El dinero ya está en Bolivia/);
  const inPart = { ...completed, payoutReturned: '100.00' };
  expect(messageFor('completed', inPart)).toMatch(
    /^El banco devolvió dinero.*tu familia tiene Bs\s1\.191,17 de los Bs\s1\.291,17/,
  );
  expect(messageFor('completed', { ...inPart, restPaid: '100.00' })).toMatch(/^El dinero ya está en Bolivia/);
  const { screen } = await renderApp([{ path: '/', element: <PaidTransfer transfer={inPart} /> }]);
  await expect.element(screen.getByText(/^Bs\s1\.191,17$/)).toBeVisible();
});
