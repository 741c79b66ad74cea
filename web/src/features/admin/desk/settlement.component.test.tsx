import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DeskCaseView, DeskRequestView } from '#core/contracts/http/operations';
import { expectAccessible, expectAccessibleAtAnyWidth } from '../../../testing/accessibility.ts';
import { openDesk } from '../../../testing/admin-panel.tsx';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { installFakeLive } from '../../../testing/fake-live.ts';
import { expectKeyboardDialog } from '../../../testing/keyboard-dialog.ts';
import { adminSession } from '../../../testing/render-app.tsx';
import { sampleTransfer } from '../../../testing/sample-admin-transfer.ts';
import { sampleCase, sampleRequest } from '../../../testing/sample-case.ts';

const api = installFakeApi();
const live = installFakeLive();
beforeEach(() => page.viewport(390, 844));

const me = { requested_by: adminSession.user.name, requested_by_id: adminSession.user.id };
const proof = new File(['%PDF-1.7 proof'], 'comprobante.pdf', { type: 'application/pdf' });
const sentProof = { name: 'comprobante.pdf', type: 'application/pdf', data: btoa('%PDF-1.7 proof') };

/** A transfer that is reserved to pay the family by hand. */
const reservation = (changes: Partial<DeskRequestView> = {}) =>
  sampleRequest({
    ...{ action: 'pay_by_hand', reserved: true, amount: '1291.17', currency: 'BOB', reason: 'El banco lo pidió.' },
    ...changes,
  });
const reported = (changes: Partial<DeskRequestView> = {}) =>
  reservation({ reserved: false, has_proof: true, bank_reference: 'BU-77120', ...changes });
const refutation = (changes: Partial<DeskRequestView> = {}) =>
  sampleRequest({
    ...{ id: '0199b2d0-0000-4000-8000-0000000000e9', action: 'refute', has_proof: true, amount: null, currency: null },
    ...{ reason: 'El banco no tiene esa transferencia.', ...changes },
  });
const withRequest = (request: DeskRequestView, changes: Partial<DeskCaseView> = {}) =>
  sampleCase({ reason: 'settlement_by_hand', operation: null, actions: [], request, ...changes });
const closed = (outcome: DeskCaseView['outcome']) =>
  ({ version: 9, resolved_at: '2026-11-21T17:00:00.000Z', request: null, refutation: null, outcome }) as const;
const callsOf = (name: string) => api.calls.filter((call) => call.name === name);

test('paying by hand begins with a reservation, which is reported with number, exact amount and proof', async () => {
  const one = sampleCase();
  const { screen } = await openDesk(api, [one], one.id);
  await screen.getByTestId('desk-action-pay_by_hand').click();
  const dialog = screen.getByTestId('desk-dialog');
  await expect.element(dialog).toMatchTextContent(/Reserva primero; nadie más puede mover este dinero/);
  await expect
    .element(screen.getByTestId('desk-money'))
    .toMatchTextContent(/Para pagar: Bs 1\.291,17\s*A: Rosa Mamani/);
  await screen.getByTestId('desk-reason').fill('El banco lo pidió.');
  const reserved = { ...one, version: 2, actions: [], request: reservation(me) };
  api.answer({ actOnCase: () => ({ case: reserved }) });
  await screen.getByTestId('desk-confirm').click();
  const panel = screen.getByTestId('desk-request');
  await expect.element(panel).toMatchTextContent(/Reservado para pagar a mano.*Lo reservaste tú/);
  expect(callsOf('actOnCase').map(({ body }) => body)).toEqual([
    { action: 'pay_by_hand', reason: 'El banco lo pidió.' },
  ]);
  await expectAccessibleAtAnyWidth();

  await screen.getByTestId('desk-report').click();
  await expect.element(screen.getByText('La familia espera Bs 1.291,17.')).toBeVisible();
  await screen.getByTestId('desk-confirm').click();
  for (const problem of [/referencia que dio el banco/, /^Escribe el monto exacto/, 'Adjunta el comprobante'])
    await expect.element(screen.getByText(problem)).toBeVisible();
  await expect.element(screen.getByTestId('desk-bank_reference')).toHaveFocus();
  await screen.getByTestId('desk-bank_reference').fill('BU-77120');
  await screen.getByTestId('desk-amount').fill('1291,16');
  const file = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
  for (const [wrong, problem] of [
    [new File(['x'], 'nota.txt', { type: 'text/plain' }), 'Solo PDF, PNG o JPG'],
    [new File([new Uint8Array(2 * 1024 * 1024 + 1)], 'g.png', { type: 'image/png' }), 'El archivo pesa más de 2 MB'],
  ] as const) {
    choose(file, wrong);
    await expect.element(screen.getByText(problem)).toBeVisible();
  }
  choose(file, proof);
  api.answer({ reportSettlement: () => ({ failure: 'amount_differs', status: 422 }) });
  await screen.getByTestId('desk-confirm').click();
  await expect.element(screen.getByText('Mensaje de amount_differs.')).toBeVisible();
  await screen.getByTestId('desk-amount').fill('1291,17');
  const request = { ...reported(me), outcome: 'approved' as const };
  api.answer({ reportSettlement: () => ({ case: { ...reserved, ...closed('paid'), decided: [request] } }) });
  await screen.getByTestId('desk-confirm').click();
  await expect.element(screen.getByTestId('desk-resolved')).toBeVisible();
  await expect.element(screen.getByTestId('desk-decided')).toMatchTextContent(/Pagado a mano/);
  const sent = { bank_reference: 'BU-77120', proof: sentProof, reason: '' };
  expect(callsOf('reportSettlement').map(({ params, body }) => ({ params, body }))).toEqual([
    { params: { id: request.id }, body: { ...sent, amount: '1291.16' } },
    { params: { id: request.id }, body: { ...sent, amount: '1291.17' } },
  ]);
});

test('a reservation opens its dialogs by keyboard, above its case', async () => {
  await page.viewport(1280, 900);
  const one = withRequest(reservation({ requested_by: 'Marta Flores' }));
  const { screen } = await openDesk(api, [one], one.id);
  for (const name of ['report', 'refute']) {
    const opener = screen.getByTestId(`desk-${name}`);
    const above = '[data-testid=desk-dialog] [role=dialog]';
    await expectKeyboardDialog('features/admin/desk/entry-dialog.tsx', opener, { above });
    await screen.getByTestId('desk-confirm').click();
    await expect.element(screen.getByText('Adjunta el comprobante')).toBeVisible();
    await expectAccessibleAtAnyWidth();
    await userEvent.keyboard('{Escape}');
    await expect.element(opener).toHaveFocus();
  }
});

test('who reserved and sent nothing frees the transfer with two presses; a colleague cannot', async () => {
  const one = withRequest(reservation(me));
  const { screen } = await openDesk(api, [one], one.id);
  await expect.element(screen.getByTestId('desk-refute')).not.toBeInTheDocument();
  const drop = screen.getByTestId('desk-drop');
  await drop.click();
  expect(callsOf('dropSettlement')).toEqual([]);
  await expect.element(drop).toHaveTextContent('Sí, liberar el envío');
  const dropped = { ...reservation(me), outcome: 'dropped' as const };
  api.answer({ dropSettlement: () => ({ case: { ...one, ...closed('settlement_dropped'), decided: [dropped] } }) });
  await drop.click();
  await expect.element(screen.getByTestId('desk-resolved')).toMatchTextContent(/A mano no se envió nada/);
  await expect.element(screen.getByTestId('desk-decided')).toMatchTextContent(/no se envió nada/);
  expect(callsOf('dropSettlement').map(({ params }) => params)).toEqual([{ id: dropped.id }]);
});

test('a colleague of a reservation may report it or prove that nothing was sent, but not just free it', async () => {
  const one = withRequest(reservation());
  const { screen } = await openDesk(api, [one], one.id);
  const panel = screen.getByTestId('desk-request');
  await expect.element(panel).toMatchTextContent(/Marta Flores lo reservó: nadie más puede mover este dinero/);
  await expect.element(screen.getByTestId('desk-report')).toBeVisible();
  await expect.element(screen.getByTestId('desk-refute')).toBeVisible();
  await expect.element(screen.getByTestId('desk-drop')).not.toBeInTheDocument();
  await expect.element(screen.getByTestId('desk-approve')).not.toBeInTheDocument();
  await expectAccessible();
});

test('a second person confirms a report with its proof and number by two presses', async () => {
  const request = reported();
  const one = withRequest(request);
  const { screen } = await openDesk(api, [one], one.id);
  const view = screen.getByTestId('desk-request');
  await expect.element(view).toMatchTextContent(/Marta Flores registró que se pagó a la familia a mano/);
  await expect.element(view).toMatchTextContent(/Ya se pagó\s*Bs 1\.291,17\s*A\s*Rosa Mamani Condori, .*cuenta 1/);
  await expect.element(view).toMatchTextContent(/BU-77120.*El banco lo pidió/);
  const link = screen.getByTestId('desk-proof-link');
  await expect.element(link).toHaveAttribute('href', `/api/admin/desk-requests/${request.id}/proof`);
  const decided = { ...request, outcome: 'approved' as const, decided_by: adminSession.user.name };
  api.answer({ decideDeskRequest: () => ({ case: { ...one, ...closed('paid'), decided: [decided] } }) });
  const confirm = screen.getByTestId('desk-approve');
  await confirm.click();
  expect(callsOf('decideDeskRequest')).toEqual([]);
  await expectAccessible();
  await confirm.click();
  await expect.element(screen.getByTestId('desk-resolved')).toBeVisible();
  await expect.element(screen.getByTestId('desk-decided')).toMatchTextContent(/Pagado a mano.*aprobó Luis Choque/);
  expect(callsOf('decideDeskRequest').map(({ body }) => body)).toEqual([{ approve: true }]);
});

test('who reported reads that it never ends by itself, and takes it back with a proof only', async () => {
  const one = withRequest(reported(me));
  const { screen } = await openDesk(api, [one], one.id);
  await expect.element(screen.getByTestId('desk-request')).toMatchTextContent(/El aviso no caduca/);
  await expect.element(screen.getByTestId('desk-approve')).not.toBeInTheDocument();
  await screen.getByTestId('desk-refute').click();
  await screen.getByTestId('desk-reason').fill('El banco no tiene esa transferencia.');
  choose(document.querySelector('input[type=file]') as HTMLInputElement, proof);
  const mine = refutation(me);
  api.answer({ refuteSettlement: () => ({ case: { ...one, version: 2, refutation: mine } }) });
  await screen.getByTestId('desk-confirm').click();
  const view = screen.getByTestId('desk-refutation');
  await expect.element(view).toMatchTextContent(/La presentaste tú: otra persona.*la tiene que confirmar/);
  await expect.element(screen.getByTestId('desk-approve')).not.toBeInTheDocument();
  expect(callsOf('refuteSettlement').map(({ params, body }) => ({ params, body }))).toEqual([
    { params: { id: one.request?.id }, body: { proof: sentProof, reason: 'El banco no tiene esa transferencia.' } },
  ]);
});

for (const approve of [true, false]) {
  test(`a proof that the money never left is ${approve ? 'confirmed' : 'declined'} by a second person`, async () => {
    const one = withRequest(reported(me), { refutation: refutation() });
    const { screen } = await openDesk(api, [one], one.id);
    const view = screen.getByTestId('desk-refutation');
    await expect.element(view).toMatchTextContent(/La presentó Marta Flores.*El banco no tiene esa transferencia/);
    await expectAccessibleAtAnyWidth();
    const after = approve ? closed('settlement_refuted') : { version: 2, refutation: null };
    api.answer({ decideDeskRequest: () => ({ case: { ...one, ...after } }) });
    const button = screen.getByTestId(approve ? 'desk-approve' : 'desk-decline');
    await button.click();
    if (approve) await button.click();
    if (approve) await expect.element(screen.getByTestId('desk-resolved')).toMatchTextContent(/a mano no salió dinero/);
    else await expect.element(screen.getByTestId('desk-request')).toMatchTextContent(/El aviso no caduca/);
    expect(callsOf('decideDeskRequest').map(({ params, body }) => ({ params, body }))).toEqual([
      { params: { id: one.refutation?.id }, body: { approve } },
    ]);
  });
}

test('a reservation that a colleague reports while one looks changes at once, and an armed button is not armed any more', async () => {
  const one = withRequest(reservation(me));
  const { screen } = await openDesk(api, [one], one.id);
  await screen.getByTestId('desk-drop').click();
  const now = { ...one, version: 2, request: reported() };
  api.answer({ deskCase: () => ({ case: now }) });
  live.push('admin:case-changed', now);
  await expect.element(screen.getByTestId('desk-approve')).toHaveTextContent('Confirmar que salió');
  await expect.element(screen.getByTestId('desk-drop')).not.toBeInTheDocument();
  expect(callsOf('dropSettlement')).toEqual([]);
});

test('a report that comes too late says what changed, and is not offered again', async () => {
  const one = withRequest(reservation());
  const { screen } = await openDesk(api, [one], one.id);
  await screen.getByTestId('desk-report').click();
  await screen.getByTestId('desk-bank_reference').fill('BU-77120');
  await screen.getByTestId('desk-amount').fill('1291,17');
  choose(document.querySelector('input[type=file]') as HTMLInputElement, proof);
  const now = { ...one, version: 2, request: reported() };
  api.answer({ reportSettlement: () => ({ failure: 'request_pending', status: 409, case: now }) });
  await screen.getByTestId('desk-confirm').click();
  await expect.element(screen.getByTestId('desk-refused')).toMatchTextContent(/Mensaje de request_pending/);
  await expect
    .element(screen.getByTestId('desk-changes'))
    .toMatchTextContent(/Marta Flores registró que el dinero salió/);
  await expect.element(screen.getByTestId('desk-confirm')).not.toBeInTheDocument();
});

test('a refund by hand asks for what was reserved, in the currency of the sender', async () => {
  const one = withRequest(reservation({ ...me, action: 'refund_by_hand', amount: '60.00', currency: 'EUR' }), {
    transaction: sampleTransfer({ state: 'refunding', status: 'refunded' }),
    owed: '60.00',
  });
  const { screen } = await openDesk(api, [one], one.id);
  await expect
    .element(screen.getByTestId('desk-request'))
    .toMatchTextContent(/Reservado para devolver a mano.*60,00 EUR/);
  await screen.getByTestId('desk-report').click();
  await expect.element(screen.getByText('Quien envía espera 60,00 EUR.')).toBeVisible();
  await expect.element(screen.getByTestId('desk-dialog')).toMatchTextContent(/Monto devuelto/);
});

/** Puts a file into a file field, as the browser's own dialog would. */
function choose(field: HTMLInputElement, file: File): void {
  const files = new DataTransfer();
  files.items.add(file);
  field.files = files.files;
  field.dispatchEvent(new Event('change', { bubbles: true }));
}
