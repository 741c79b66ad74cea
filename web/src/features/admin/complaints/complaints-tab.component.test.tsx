import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AdminComplaintView } from '#core/contracts/http/complaints';
import type { ReviewView } from '#core/contracts/http/review';
import { expectAccessibleAtAnyWidth } from '../../../testing/accessibility.ts';
import { openAsAdmin } from '../../../testing/admin-panel.tsx';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { installFakeLive } from '../../../testing/fake-live.ts';
import { expectKeyboardDialog } from '../../../testing/keyboard-dialog.ts';
import { adminSession } from '../../../testing/render-app.tsx';
import { sampleReview } from '../../../testing/sample-admin-transfer.ts';
import { sampleAdminComplaint } from '../../../testing/sample-complaint.ts';
import { ComplaintsTab } from './complaints-tab.tsx';

const api = installFakeApi();
const live = installFakeLive();

/** Opens the tab, with one complaint open when its id is given. */
async function open(complaints: AdminComplaintView[], openId?: string) {
  const { screen } = await openAsAdmin(api, <ComplaintsTab />, {
    address: openId ? `/?complaint=${openId}` : '/',
    adminComplaints: ({ query }) => ({ items: query.status === 'resolved' ? [] : complaints, nextCursor: null }),
    adminComplaint: ({ params }) => ({
      complaint: complaints.find(({ id }) => id === params.id) as AdminComplaintView,
    }),
  });
  return screen;
}

/** A moment so many hours from now. */
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const investigate = { name: 'investigate', due_at: inHours(90 * 24 + 7.5), done_at: null, begun: true } as const;
const tell = { name: 'tell', due_at: inHours(93 * 24), done_at: null, begun: false } as const;
const late = { name: 'answer', due_at: inHours(-3 * 24), done_at: null, begun: true } as const;

test('every complaint shows its clocks with what is left, the one that is due first before the others', async () => {
  const american = sampleAdminComplaint({
    ...{ regime: 'reg_e', clocks: [investigate, tell], next_due: { clock: 'investigate', at: investigate.due_at } },
  });
  const overdue = sampleAdminComplaint({ clocks: [late], next_due: { clock: 'answer', at: late.due_at } });
  const screen = await open([overdue, american]);
  const rows = screen.getByTestId('complaint');
  await expect.poll(() => rows.elements()).toHaveLength(2);
  await expect.element(rows.nth(0)).toMatchTextContent(/Responder: vencido hace 3 d/);
  await expect.element(rows.nth(1)).toMatchTextContent(/Averiguar qué pasó: quedan 90 d 7 h/);
  await expect.element(rows.nth(1)).toMatchTextContent(/Escribir el resultado: empieza con el resultado/);
  await expectAccessibleAtAnyWidth(() => document.body);
});

test('a result with a refund in part is written by keyboard, and the complaint shows what follows', async () => {
  const one = sampleAdminComplaint({ owes_fee: true });
  api.answer({
    concludeComplaint: () => ({
      complaint: {
        ...one,
        version: 2,
        state: 'correcting',
        actions: [],
        finding: 'error',
        remedy: 'refund',
        amount: '2.50',
      },
    }),
  });
  const screen = await open([one], one.id);
  await expectKeyboardDialog(
    'features/admin/complaints/complaint-dialog.tsx',
    screen.getByTestId('complaint-conclude'),
    {
      above: '[data-testid=complaint-dialog] [role=dialog]',
    },
  );
  await screen.getByTestId('complaint-confirm').click();
  await expect.element(screen.getByText('Elige el resultado')).toBeVisible();
  await screen.getByTestId('complaint-finding-error').click();
  await screen.getByTestId('complaint-remedy-refund').click();
  await screen.getByTestId('complaint-amount').fill('100,01');
  await screen.getByTestId('complaint-explanation').fill('Faltaba una parte.');
  await screen.getByTestId('complaint-confirm').click();
  await expect.element(screen.getByText('Escribe un monto de hasta 100,00 EUR')).toBeVisible();
  await screen.getByTestId('complaint-amount').fill('2,5');
  await screen.getByTestId('complaint-confirm').click();
  const details = screen.getByTestId('complaint-details');
  await expect.element(details).toHaveAttribute('data-state', 'correcting');
  await expect.element(details).toMatchTextContent(/Hubo un error: Devolver a la tarjeta \(2,50 EUR\)/);
  expect(api.calls.filter(({ name }) => name === 'concludeComplaint')).toMatchObject([
    { body: { finding: 'error', remedy: 'refund', amount: '2.50', explanation: 'Faltaba una parte.' } },
  ]);
});

test('a family that was paid is paid again, to the account chosen among the sender’s recipients, and the loss is named', async () => {
  const one = sampleAdminComplaint({ repayable: '1291.17' });
  const paid = { name: 'Rosa Mamani', bank_name: 'Banco Unión', bank_account: '10000012345678' };
  const other = { name: 'Rosa Mamani', bank_name: 'Banco FIE', bank_account: '40009999' };
  const recipientId = '0199b2d0-0000-4000-8000-0000000000e1';
  api.answer({
    complaintAccounts: () => ({
      accounts: [
        { recipient_id: null, ...paid },
        { recipient_id: recipientId, ...other },
      ],
    }),
    concludeComplaint: () => ({
      complaint: {
        ...{ ...one, version: 2, state: 'awaiting_approval', actions: ['approve'], finding: 'error', found_by: 'Ana' },
        ...{ remedy: 'pay_again', payout: { amount: '300.00', ...other }, found_by_id: adminSession.user.id },
      },
    }),
  });
  const screen = await open([one], one.id);
  await screen.getByTestId('complaint-conclude').click();
  await screen.getByTestId('complaint-finding-error').click();
  await screen.getByTestId('complaint-remedy-pay_again').click();
  await expect.element(screen.getByTestId('complaint-payout-note')).toMatchTextContent(/es pérdida nuestra/);
  await screen.getByTestId('complaint-payout-amount').fill('1291,18');
  await screen.getByTestId('complaint-explanation').fill('El banco pagó a otra cuenta.');
  await screen.getByTestId('complaint-confirm').click();
  await expect.element(screen.getByText('Escribe un monto de hasta Bs 1.291,17')).toBeVisible();
  await screen.getByTestId('complaint-payout-amount').fill('300');
  await screen.getByTestId('complaint-account').nth(1).click();
  await expectAccessibleAtAnyWidth(() => document.body);
  await screen.getByTestId('complaint-confirm').click();
  await expect
    .element(screen.getByTestId('complaint-payout'))
    .toMatchTextContent(/A Rosa Mamani, Banco FIE, cuenta 40009999\. Es pérdida nuestra\./);
  await expect.element(screen.getByText('Lo escribiste tú: lo tiene que aprobar otra persona.')).toBeVisible();
  expect(api.calls.filter(({ name }) => name === 'concludeComplaint')).toMatchObject([
    { body: { finding: 'error', remedy: 'pay_again', payout: '300.00', recipient_id: recipientId } },
  ]);
});

test('what a colleague found is approved, or sent back with a note; what one found oneself is not', async () => {
  const waiting = {
    ...{ state: 'awaiting_approval', actions: ['approve'], finding: 'error', remedy: 'refund', amount: '90.00' },
    ...{ found_by: 'Marta', found_by_id: '0199b2d0-0000-4000-8000-0000000000f9', found_at: '2026-11-22T15:00:00.000Z' },
  } as const;
  const one = sampleAdminComplaint(waiting as Partial<AdminComplaintView>);
  api.answer({ approveComplaint: () => ({ failure: 'complaint_overtaken', status: 409 }) });
  const screen = await open([one], one.id);
  await screen.getByTestId('complaint-approve').click();
  await expect
    .element(screen.getByTestId('complaint-refused'))
    .toMatchTextContent(/Mensaje de complaint_overtaken|el reclamo avanzó/);
  await screen.getByTestId('complaint-send-back').click();
  await screen.getByTestId('complaint-confirm').click();
  await expect.element(screen.getByText('Escribe el motivo')).toBeVisible();
  await screen.getByTestId('complaint-text').fill('Falta el comprobante.');
  api.answer({ approveComplaint: () => ({ complaint: { ...one, version: 2, found_by_id: adminSession.user.id } }) });
  await screen.getByTestId('complaint-confirm').click();
  await expect.element(screen.getByText('Lo escribiste tú: lo tiene que aprobar otra persona.')).toBeVisible();
  await expect.element(screen.getByTestId('complaint-approve')).not.toBeInTheDocument();
  const bodies = api.calls.filter(({ name }) => name === 'approveComplaint').map(({ body }) => body);
  expect(bodies).toEqual([
    { approve: true, note: '', found_at: waiting.found_at },
    { approve: false, note: 'Falta el comprobante.' },
  ]);
});

test('a second payment shows the check of its names, and a name like a listed one is decided on there', async () => {
  const one = sampleAdminComplaint({
    ...{ state: 'awaiting_approval', actions: ['approve'], finding: 'error', remedy: 'pay_again' },
    payout: { name: 'Ramiro Condarco', bank_name: 'Banco FIE', bank_account: '40009999', amount: '300.00' },
  });
  const hit: ReviewView['screening']['hits'][number] = {
    ...{ subject: 'recipient', name: 'Ramiro Condarco', source: 'us_ofac', source_id: '900101', programs: ['SDNTK'] },
    ...{ listed_name: 'CONDARCO VILLEGAS, Ramiro', score: 0.93, verdict: null, remembered: false },
  };
  const { screening } = sampleReview();
  const review = sampleReview({
    id: one.transaction.id,
    version: 2,
    screening: { ...screening, status: 'hit', hits: [hit] },
  });
  const screen = await open([one], one.id);
  await expect.element(screen.getByTestId('payout-screening')).toMatchTextContent(/Sin coincidencias/);
  live.push('admin:review-changed', review);
  api.answer({
    approveComplaint: () => ({ failure: 'screening_needed', status: 409, screening: 'hit' }),
    decideScreening: () => ({ review: { ...review, version: 3, screening } }),
  });
  await screen.getByTestId('complaint-approve').click();
  await expect
    .element(screen.getByTestId('complaint-refused'))
    .toMatchTextContent(/Mensaje de screening_needed|di si es la misma persona/);
  await page.getByLabelText('Por qué').fill('Otra fecha');
  await screen.getByTestId('screening-other').click();
  await expect.element(screen.getByTestId('payout-screening')).toMatchTextContent(/Sin coincidencias/);
  expect(api.calls.find(({ name }) => name === 'decideScreening')?.params).toEqual({ id: one.transaction.id });
});

test('a complaint is taken, noted and held, and a push shows what colleagues did', async () => {
  const one = sampleAdminComplaint();
  const taken = { ...one, version: 2, assigned_to: 'Ana', assigned_to_id: adminSession.user.id };
  const noted = { ...taken, version: 3, notes: [{ text: 'Llamé al banco.', author: 'Ana', at: one.reported_at }] };
  api.answer({
    assignComplaint: () => ({ complaint: taken }),
    noteComplaint: () => ({ complaint: noted }),
    holdComplaint: () => ({ complaint: { ...noted, version: 4, actions: ['conclude'] } }),
  });
  const screen = await open([one], one.id);
  await screen.getByTestId('complaint-assign').click();
  await expect.element(screen.getByTestId('complaint-keeper')).toMatchTextContent(/Lo tienes tú/);
  await screen.getByTestId('complaint-note-text').fill('Llamé al banco.');
  await screen.getByTestId('complaint-note-save').click();
  await expect.element(screen.getByTestId('complaint-note')).toMatchTextContent(/Llamé al banco\./);
  await screen.getByTestId('complaint-hold').click();
  await screen.getByTestId('complaint-text').fill('Esperamos al banco.');
  await screen.getByTestId('complaint-confirm').click();
  await expect.element(screen.getByTestId('complaint-hold')).not.toBeInTheDocument();
  const reminders: AdminComplaintView['reminders'] = [
    { clock: 'answer', stage: 'near', due_at: one.reported_at, at: one.reported_at, told: ['Ana', 'Luis'] },
  ];
  live.push('admin:complaint-changed', { ...noted, version: 5, actions: ['conclude'], reminders });
  await expect
    .element(screen.getByTestId('complaint-reminder'))
    .toMatchTextContent(/se avisó a Ana, Luis que vence pronto/);
});

test('nobody works on a complaint about their own transfer', async () => {
  const sample = sampleAdminComplaint();
  const one = { ...sample, transaction: { ...sample.transaction, user_id: adminSession.user.id }, actions: [] };
  const screen = await open([one], one.id);
  await expect.element(screen.getByTestId('complaint-own')).toBeVisible();
  await expect.element(screen.getByTestId('complaint-actions')).not.toBeInTheDocument();
});
