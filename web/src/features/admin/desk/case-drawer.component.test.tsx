import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ReviewView } from '#core/contracts/http/review';
import { queryClient } from '../../../data/query-client.ts';
import { expectAccessible, expectAccessibleAtAnyWidth } from '../../../testing/accessibility.ts';
import { openDesk, sampleUser } from '../../../testing/admin-panel.tsx';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { installFakeLive } from '../../../testing/fake-live.ts';
import { expectKeyboardDialog } from '../../../testing/keyboard-dialog.ts';
import { adminSession } from '../../../testing/render-app.tsx';
import { sampleReview, sampleTransfer } from '../../../testing/sample-admin-transfer.ts';
import { sampleCase, sampleDispute, sampleOperation, sampleRequest } from '../../../testing/sample-case.ts';

const api = installFakeApi();
const live = installFakeLive();
beforeEach(() => page.viewport(390, 844));

const resolved = { version: 2, resolved_at: '2026-11-21T17:00:00.000Z', actions: [], resolution: 'Hecho.' };

test('a case opens by keyboard from its row, and what is missing in its forms is marked at any width', async () => {
  await page.viewport(1280, 900);
  const second = sampleDispute({ id: 'du_2TestDispute', amount: '40.00' });
  const disputes = [second, sampleDispute()];
  const one = sampleCase({ reason: 'dispute_opened', operation: null, actions: [], disputes });
  api.answer({ deskCase: () => ({ case: one }) });
  const { screen } = await openDesk(api, [one]);
  api.answer({ deskCase: () => ({ case: one }) });
  const ready = () => expect.element(screen.getByTestId('desk-dispute-text').nth(1)).toBeVisible();
  await expectKeyboardDialog('features/admin/admin-drawer.tsx', screen.getByTestId('desk-open'), { ready });
  await screen.getByTestId('desk-dispute-send').first().click();
  await screen.getByTestId('desk-note-save').click();
  for (const problem of ['Escribe la respuesta', 'Escribe la nota'])
    await expect.element(screen.getByText(problem)).toBeVisible();
  await expectAccessibleAtAnyWidth();
});

test('who asked for an action reads that a second person has to approve it, and cannot', async () => {
  const request = sampleRequest({ requested_by: adminSession.user.name, requested_by_id: adminSession.user.id });
  const one = sampleCase({ request, actions: [] });
  const { screen } = await openDesk(api, [one], one.id);
  await expect.element(screen.getByTestId('desk-request')).toMatchTextContent(/Pediste devolver el dinero/);
  await expect
    .element(screen.getByTestId('desk-request'))
    .toMatchTextContent(/Otra persona de administración lo tiene que aprobar/);
  await expect.element(screen.getByTestId('desk-approve')).not.toBeInTheDocument();
  await expectAccessible();
});

test('a second person sees what moves and why, and approves with two presses', async () => {
  const request = sampleRequest();
  const one = sampleCase({ request, actions: [] });
  const { screen } = await openDesk(api, [one], one.id);
  const view = screen.getByTestId('desk-request');
  await expect.element(view).toMatchTextContent(/Marta Flores pidió devolver el dinero/);
  await expect.element(view).toMatchTextContent(/Se devuelve\s*100,00 EUR\s*A\s*Ana Quispe/);
  const decided = { ...request, outcome: 'approved' as const, decided_by: adminSession.user.name };
  api.answer({ decideDeskRequest: () => ({ case: { ...one, ...resolved, request: null, decided: [decided] } }) });
  await screen.getByTestId('desk-approve').click();
  expect(api.calls.some(({ name }) => name === 'decideDeskRequest')).toBe(false);
  await expectAccessible();
  await screen.getByRole('button', { name: 'Sí, aprobar' }).click();
  await expect.element(screen.getByTestId('desk-resolved')).toBeVisible();
  await expect.element(screen.getByTestId('desk-decided')).toMatchTextContent(/Devolver el dinero.*aprobó Luis Choque/);
  expect(api.calls.find(({ name }) => name === 'decideDeskRequest')?.body).toEqual({ approve: true });
});

test('another recipient is compared with whom the transfer was approved for, and approved', async () => {
  const one = sampleCase({
    ...{ reason: 'recipient_changed', operation: null, details: 'Rosa Mamani, Banco Unión, •••5678' },
    actions: ['give_up_and_refund', 'release_hold'],
  });
  const { screen } = await openDesk(api, [one], one.id);
  const details = screen.getByTestId('desk-details');
  await expect.element(details).toMatchTextContent(/Aprobado para: Rosa Mamani, Banco Unión, •••5678/);
  await screen.getByRole('button', { name: 'Aprobar a quien recibe' }).click();
  await expect.element(screen.getByTestId('desk-dialog')).toMatchTextContent(/Confírmalo antes con quien envía/);
  await expectAccessible();
  api.answer({ actOnCase: () => ({ case: { ...one, ...resolved, resolution: null, outcome: 'recipient_approved' } }) });
  await screen.getByTestId('desk-reason').fill('Llamé a Ana.');
  await screen.getByTestId('desk-confirm').click();
  await expect.element(screen.getByTestId('desk-resolved')).toMatchTextContent(/Se aprobó a quien recibe/);
});

/** A case with a request that waits for this admin, whose first press is made. */
async function openArmed() {
  const first = sampleRequest();
  const one = sampleCase({ request: first, actions: [] });
  const second = { ...first, id: crypto.randomUUID(), bank_reference: 'REF-OTRA-2', reason: 'Otra cuenta distinta' };
  const later = { ...one, version: 3, request: second };
  live.connect();
  const { screen } = await openDesk(api, [one], one.id);
  await screen.getByTestId('desk-approve').click();
  await expect.element(screen.getByTestId('desk-approve')).toHaveTextContent('Sí, aprobar');
  api.answer({ decideDeskRequest: () => ({ case: { ...later, ...resolved, version: 4, request: null } }) });
  return { screen, one, later, second };
}
const decidedRequests = () => api.calls.filter(({ name }) => name === 'decideDeskRequest');

test('a first press is not carried over to another request that came while the connection was lost', async () => {
  const { screen, later, second } = await openArmed();
  live.disconnect();
  // The first one is declined and a second one made, and nothing of it is heard.
  api.answer({ deskCase: () => ({ case: later }), deskCases: () => ({ items: [later], nextCursor: null }) });
  live.connect();
  await expect.element(screen.getByTestId('desk-request')).toMatchTextContent(/REF-OTRA-2.*Otra cuenta distinta/);
  const approve = screen.getByTestId('desk-approve');
  await expect.element(approve).toHaveTextContent('Aprobar');
  await approve.click();
  await expect.element(approve).toHaveTextContent('Sí, aprobar');
  expect(decidedRequests()).toEqual([]);
  await approve.click();
  await expect.element(screen.getByTestId('desk-resolved')).toBeVisible();
  expect(decidedRequests()).toMatchObject([{ params: { id: second.id }, body: { approve: true } }]);
});

test('a first press is not carried over to another request that is pushed, nor over a lost connection', async () => {
  const { screen, one, later } = await openArmed();
  const approve = screen.getByTestId('desk-approve');
  live.disconnect();
  await expect.element(approve).toHaveTextContent('Aprobar');
  live.connect();
  await approve.click();
  await expect.element(approve).toHaveTextContent('Sí, aprobar');
  live.push('admin:case-changed', later);
  await expect.element(screen.getByTestId('desk-request')).toMatchTextContent(/REF-OTRA-2/);
  await expect.element(approve).toHaveTextContent('Aprobar');
  expect(one.request?.id).not.toBe(later.request.id);
  expect(decidedRequests()).toEqual([]);
});

test('a check of names that cannot be loaded says so and offers to try again', async () => {
  const one = sampleCase({ reason: 'names_not_cleared', actions: [] });
  api.answer({ review: () => ({ failure: 'internal' }) });
  const { screen } = await openDesk(api, [one], one.id);
  await expect.element(screen.getByText('No se pudo cargar', { exact: true })).toBeVisible();
  api.answer({ review: () => ({ review: sampleReview({ id: one.transaction.id }) }) });
  await screen.getByRole('button', { name: 'Reintentar' }).click();
  await expect.element(screen.getByTestId('payout-screening')).toMatchTextContent(/Sin coincidencias/);
});

test('a second person declines a request, and one that was decided meanwhile says so', async () => {
  const request = sampleRequest();
  const one = sampleCase({ request, actions: [] });
  const { screen } = await openDesk(api, [one], one.id);
  await expect.element(screen.getByTestId('desk-request')).toMatchTextContent(/Se devuelve\s*100,00 EUR/);
  const declined = { ...request, outcome: 'declined', decided_by: 'Ana Quispe' } as const;
  const free = { ...sampleCase(), id: one.id, version: 2, decided: [declined] };
  api.answer({ decideDeskRequest: () => ({ failure: 'already_decided', status: 409, case: free }) });
  await screen.getByTestId('desk-decline').click();
  const refused = screen.getByTestId('desk-decide-refused');
  await expect.element(refused).toMatchTextContent(/already_decided\..*Ana Quispe rechazó devolver el dinero/);
  await expect.element(screen.getByTestId('desk-action-retry')).toBeVisible();
  const second = { ...free, version: 3, actions: [], request: { ...request, id: crypto.randomUUID() } };
  api.answer({ deskCase: () => ({ case: second }), decideDeskRequest: () => ({ case: { ...free, version: 4 } }) });
  await queryClient.invalidateQueries();
  await screen.getByTestId('desk-decline').click();
  await expect.element(screen.getByTestId('desk-action-retry')).toBeVisible();
  await expect.element(refused).not.toBeInTheDocument();
  expect(api.calls.filter(({ name }) => name === 'decideDeskRequest').at(-1)?.body).toEqual({ approve: false });
});

test('nobody acts on a case of their own transfer, and the view says why', async () => {
  const transaction = sampleTransfer({ user_id: adminSession.user.id, state: 'captured' });
  // As in a live event, which goes to all admins alike.
  const one = sampleCase({ transaction });
  const { screen } = await openDesk(api, [one], one.id);
  await expect.element(screen.getByTestId('desk-own')).toMatchTextContent(/Nadie decide sobre su propio dinero/);
  await expect.element(screen.getByTestId('desk-action-retry')).not.toBeInTheDocument();
  await expect.element(screen.getByTestId('desk-assign')).not.toBeInTheDocument();
  await expectAccessible();
});

test('a payout whose names are not cleared shows the check, which is decided there, and is then attempted again', async () => {
  const one = sampleCase({ reason: 'names_not_cleared', actions: ['retry', 'give_up_and_refund'] });
  const { screening } = sampleReview();
  const hit: ReviewView['screening']['hits'][number] = {
    ...{ subject: 'recipient', name: 'Ramiro Condarco', source: 'us_ofac', source_id: '900101', programs: ['SDNTK'] },
    ...{ listed_name: 'CONDARCO VILLEGAS, Ramiro', score: 0.93, verdict: null, remembered: false },
  };
  const unanswered = { ...screening, status: 'unavailable' as const, hits: [hit] };
  const review = sampleReview({ id: one.transaction.id, version: 2, screening: unanswered });
  api.answer({
    review: () => ({ review }),
    decideScreening: () => ({ review: { ...review, version: 3, screening: { ...screening, status: 'checked' } } }),
  });
  const { screen } = await openDesk(api, [one], one.id);
  const check = screen.getByTestId('payout-screening');
  await expect.element(check).toMatchTextContent(/Con los nombres comprobados se puede repetir el pago/);
  await expect.element(check.getByTestId('screening-same')).toHaveTextContent('Es la misma: no se le puede pagar');
  await page.getByLabelText('Por qué').last().fill('Miré la lista');
  await screen.getByRole('button', { name: 'Lo comprobé por otro medio' }).click();
  await expect.element(check).toMatchTextContent(/Comprobado a mano/);
  expect(api.calls.find(({ name }) => name === 'decideScreening')).toMatchObject({
    params: { id: one.transaction.id },
    body: { verdict: 'checked', note: 'Miré la lista' },
  });
  await expect.element(screen.getByTestId('desk-action-retry')).toBeVisible();
});

test('a case is taken and left again, and notes are kept with their author', async () => {
  const one = sampleCase();
  const { screen } = await openDesk(api, [one], one.id);
  const { id, name } = adminSession.user;
  api.answer({ assignCase: () => ({ case: { ...one, version: 2, assigned_to: name, assigned_to_id: id } }) });
  await screen.getByTestId('desk-assign').click();
  await expect.element(screen.getByTestId('desk-keeper')).toMatchTextContent('Lo tienes tú');
  api.answer({ assignCase: () => ({ case: { ...one, version: 3 } }) });
  await screen.getByTestId('desk-assign').click();
  await expect.element(screen.getByTestId('desk-keeper')).toMatchTextContent('Nadie lo tiene todavía');
  await screen.getByTestId('desk-note-save').click();
  await expect.element(screen.getByText('Escribe la nota')).toBeVisible();
  const note = { text: 'Llamé al banco.', author: name, at: '2026-11-21T17:00:00.000Z' };
  api.answer({ noteCase: () => ({ case: { ...one, version: 4, notes: [note] } }) });
  await screen.getByTestId('desk-note-text').fill('Llamé al banco.');
  await screen.getByTestId('desk-note-save').click();
  await expect.element(screen.getByTestId('desk-note')).toMatchTextContent(/Llamé al banco\.Luis Choque/);
  await expect.element(screen.getByTestId('desk-note-text')).toHaveValue('');
  const sent = api.calls.filter((call) => call.name === 'assignCase' || call.name === 'noteCase');
  expect(sent.map(({ body }) => body)).toEqual([{ mine: true }, { mine: false }, { text: 'Llamé al banco.' }]);
});

const dispute = sampleDispute();

test('a disputed payment says what the card’s bank did and until when, and is answered once with a text', async () => {
  const one = sampleCase({ reason: 'dispute_opened', operation: null, actions: [], disputes: [dispute] });
  const answered = { ...dispute, status: 'under_review', submitted_at: '2026-11-22T12:00:00.000Z', can_respond: false };
  const { screen } = await openDesk(api, [one], one.id);
  await expect.element(screen.getByText(/retiró el monto y espera las pruebas/)).toBeVisible();
  await expect.element(screen.getByText(/Plazo para responder/)).toBeVisible();
  await expectAccessible();
  await screen.getByTestId('desk-dispute-send').click();
  await expect.element(screen.getByText('Escribe la respuesta')).toBeVisible();
  api.answer({
    respondToDispute: () => ({ dispute: answered }),
    deskCase: () => ({ case: { ...one, version: 2, disputes: [answered] } }),
  });
  await screen.getByTestId('desk-dispute-text').fill('La familia recibió el dinero: va la constancia.');
  await screen.getByTestId('desk-dispute-send').click();
  await expect.element(screen.getByText(/revisa las pruebas/)).toBeVisible();
  await expect.element(screen.getByTestId('desk-dispute-send')).not.toBeInTheDocument();
  expect(api.calls.filter(({ name }) => name === 'respondToDispute').map(({ body }) => body)).toEqual([
    { text: 'La familia recibió el dinero: va la constancia.' },
  ]);
});

test('several disputes of a transfer are shown with amount and deadline each, and answered one after the other', async () => {
  const second = sampleDispute({
    ...{ id: 'du_2TestDispute', amount: '40.00', reason: 'duplicate', evidence_due_by: '2026-12-02T23:59:00.000Z' },
  });
  const one = sampleCase({ reason: 'dispute_opened', operation: null, actions: [], disputes: [second, dispute] });
  const { screen } = await openDesk(api, [one], one.id);
  await expect.element(screen.getByText('2 disputas')).toBeVisible();
  const shown = screen.getByTestId('desk-dispute');
  await expect.element(shown.nth(0)).toMatchTextContent(/40,00 EUR: dice que se le cobró dos veces.*02\/12\/2026/);
  await expect.element(shown.nth(1)).toMatchTextContent(/100,00 EUR: quien tiene la tarjeta.*30\/11\/2026/);
  await expect.element(screen.getByTestId('desk-cost').last()).toMatchTextContent(/sin pruebas hasta el 30\/11\/2026/);
  await expect.poll(() => screen.getByTestId('desk-dispute-text').elements().length).toBe(2);
  const sending = sampleOperation({ kind: 'dispute_response', provider: 'stripe', status: 'in_flight' });
  const asked = { ...dispute, response_text: 'La familia lo recibió.' };
  api.answer({
    respondToDispute: () => ({ dispute: asked }),
    deskCase: () => ({ case: { ...one, version: 2, operations: [sending], disputes: [second, asked] } }),
  });
  await shown.nth(1).getByTestId('desk-dispute-text').fill('La familia lo recibió.');
  await shown.nth(1).getByTestId('desk-dispute-send').click();
  await expect.element(shown.nth(1)).toMatchTextContent(/La familia lo recibió.*Se están entregando las pruebas/);
  await expect.element(shown.nth(0)).toMatchTextContent(/cuando se entregue la otra respuesta/);
  await expect.element(screen.getByTestId('desk-dispute-send')).not.toBeInTheDocument();
  await expectAccessible();
});

test('a case says that who sent the transfer is blocked, and why', async () => {
  const one = sampleCase({ transaction: sampleTransfer({ user_blocked: true }) });
  const blocks = [{ blocked: true, reason: 'Documentos falsos', by: 'Luisa Rojas', at: '2026-11-21T15:00:00.000Z' }];
  const user = sampleUser({ blockedAt: '2026-11-21T15:00:00.000Z', blocks });
  api.answer({ adminUser: () => ({ user }) });
  const { screen } = await openDesk(api, [one], one.id);
  await expect.element(screen.getByTestId('account-barred')).toMatchTextContent(/Cuenta bloqueada.*Documentos falsos/);
});
