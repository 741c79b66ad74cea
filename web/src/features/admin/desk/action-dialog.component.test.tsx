import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DeskAction, DeskCaseView } from '#core/contracts/http/operations';
import { expectAccessible, expectAccessibleAtAnyWidth } from '../../../testing/accessibility.ts';
import { openDesk } from '../../../testing/admin-panel.tsx';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { expectKeyboardDialog } from '../../../testing/keyboard-dialog.ts';
import { adminSession } from '../../../testing/render-app.tsx';
import { sampleTransfer } from '../../../testing/sample-admin-transfer.ts';
import { sampleCase, sampleOperation, sampleRequest } from '../../../testing/sample-case.ts';

const api = installFakeApi();
beforeEach(() => page.viewport(390, 844));

const resolved = { version: 2, resolved_at: '2026-11-21T17:00:00.000Z', actions: [], resolution: 'Hecho.' };

async function openAction(one: DeskCaseView, action: DeskAction) {
  const { screen } = await openDesk(api, [one], one.id);
  await screen.getByTestId(`desk-action-${action}`).click();
  await expect.element(screen.getByRole('dialog').last()).toBeVisible();
  return screen;
}

const bodies = () => api.calls.filter(({ name }) => name === 'actOnCase').map(({ body }) => body);

test('the question of an action opens by keyboard above its case, which stays open', async () => {
  await page.viewport(1280, 900);
  const one = sampleCase();
  const { screen } = await openDesk(api, [one], one.id);
  const above = '[data-testid=desk-dialog] [role=dialog]';
  for (const action of ['pay_by_hand', 'give_up_and_refund']) {
    const opener = screen.getByTestId(`desk-action-${action}`);
    await expectKeyboardDialog('features/admin/desk/entry-dialog.tsx', opener, { above });
    await screen.getByTestId('desk-confirm').click();
    await expect.element(screen.getByText(/^Escribe el motivo/)).toBeVisible();
    await expectAccessibleAtAnyWidth();
    await userEvent.keyboard('{Escape}');
    await expect.element(opener).toHaveFocus();
  }
});

test('an operation is attempted again without a reason', async () => {
  const one = sampleCase();
  api.answer({ actOnCase: () => ({ case: { ...one, version: 2, actions: [] } }) });
  const screen = await openAction(one, 'retry');
  await expect.element(screen.getByText(/Se intenta otra vez pagar a la familia/)).toBeVisible();
  await expectAccessible();
  await screen.getByTestId('desk-confirm').click();
  await expect.element(screen.getByTestId('desk-confirm')).not.toBeInTheDocument();
  expect(bodies()).toEqual([{ action: 'retry', reason: '' }]);
  await expect.element(screen.getByText(/Ahora no hay nada que hacer a mano/)).toBeVisible();
});

for (const action of ['give_up_and_refund', 'pay_by_hand', 'resolve'] as const) {
  test(`${action} wants a reason, and the case leaves the list of open ones`, async () => {
    const one = sampleCase();
    api.answer({ actOnCase: () => ({ case: { ...one, ...resolved } }) });
    const screen = await openAction(one, action);
    await screen.getByTestId('desk-confirm').click();
    await expect.element(screen.getByText('Escribe el motivo: queda registrado')).toBeVisible();
    await expect.element(screen.getByTestId('desk-reason')).toHaveFocus();
    expect(bodies()).toEqual([]);
    await screen.getByTestId('desk-reason').fill('  La familia ya no lo necesita. ');
    await screen.getByTestId('desk-confirm').click();
    await expect.element(screen.getByTestId('desk-resolved')).toBeVisible();
    expect(bodies()).toEqual([{ action, reason: 'La familia ya no lo necesita.' }]);
    await expect.poll(() => document.activeElement?.closest('[role=dialog]')).not.toBeNull();
    await expect.element(screen.getByTestId('desk-case')).not.toBeInTheDocument();
  });
}

test('a warning of fraud about a paid transfer offers a refund at our loss, which waits for a second person', async () => {
  const one = sampleCase({
    reason: 'fraud_warning',
    details: 'made_with_stolen_card',
    operation: null,
    transaction: sampleTransfer({ state: 'completed', status: 'completed', fraud_warning: 'made_with_stolen_card' }),
    actions: ['refund_at_loss', 'resolve'],
  });
  const request = sampleRequest({
    action: 'refund_at_loss',
    requested_by: adminSession.user.name,
    requested_by_id: adminSession.user.id,
  });
  api.answer({ actOnCase: () => ({ case: { ...one, version: 2, actions: [], request } }) });
  const screen = await openAction(one, 'refund_at_loss');
  const dialog = screen.getByTestId('desk-dialog');
  await expect.element(dialog).toMatchTextContent(/La familia ya cobró y se queda con su dinero\. 100,00 EUR vuelven/);
  await expect.element(screen.getByTestId('desk-money')).toMatchTextContent(/Se devuelve: 100,00 EUR\s*A: Ana Quispe/);
  await expectAccessible();
  await screen.getByTestId('desk-reason').fill('Tarjeta robada, lo confirmó su banco.');
  await screen.getByTestId('desk-confirm').click();
  await expect
    .element(screen.getByTestId('desk-request'))
    .toMatchTextContent(/Pediste devolver el dinero a nuestra costa/);
  expect(bodies()).toEqual([{ action: 'refund_at_loss', reason: 'Tarjeta robada, lo confirmó su banco.' }]);
});

test('a refused action shows why, what changed and the case as it is now, and is not offered again', async () => {
  const one = sampleCase();
  const paid = sampleOperation({ id: '0199b2d0-0000-4000-8000-0000000000c9', sequence: 2, status: 'succeeded' });
  const newer = {
    ...{ ...one, ...resolved, resolution: 'Marta habló con el banco.', assigned_to_id: adminSession.user.id },
    ...{ assigned_to: 'Luis Choque', operations: [...one.operations, paid] },
    transaction: sampleTransfer({ state: 'completed', status: 'completed' }),
  };
  api.answer({ actOnCase: () => ({ failure: 'case_resolved', status: 409, case: newer }) });
  const screen = await openAction(one, 'retry');
  await screen.getByTestId('desk-confirm').click();
  const changes = screen.getByTestId('desk-changes').getByRole('listitem');
  await expect
    .poll(() => changes.elements().map((item) => item.textContent))
    .toEqual([
      'Pago al banco n.º 2: hecho.',
      'El envío pasó de «Pagando al banco» a «Completado».',
      'Ahora lo tiene Luis Choque.',
      'El caso se cerró: Marta habló con el banco.',
    ]);
  await expectAccessible();
  await expect.element(screen.getByTestId('desk-refused')).toMatchTextContent('Mensaje de case_resolved.');
  await expect.element(screen.getByTestId('desk-confirm')).not.toBeInTheDocument();
  await screen.getByTestId('desk-dialog').getByRole('button', { name: 'Cerrar' }).last().click();
  await expect.element(screen.getByTestId('desk-resolved')).toMatchTextContent(/Marta habló con el banco/);
});

test('an action that is confirmed with a double click is sent once', async () => {
  const one = sampleCase();
  const answer = Promise.withResolvers<void>();
  api.answer({
    actOnCase: async () => {
      await answer.promise;
      return { case: { ...one, version: 2 } };
    },
  });
  const screen = await openAction(one, 'retry');
  await screen.getByTestId('desk-confirm').dblClick();
  answer.resolve();
  await expect.element(screen.getByTestId('desk-confirm')).not.toBeInTheDocument();
  expect(bodies()).toHaveLength(1);
});

test('an action without connection says so and can be sent again', async () => {
  const one = sampleCase();
  api.answer({ actOnCase: () => 'no connection' });
  const screen = await openAction(one, 'retry');
  await screen.getByTestId('desk-confirm').click();
  await expect.element(screen.getByTestId('desk-refused')).toBeVisible();
  api.answer({ actOnCase: () => ({ case: { ...one, version: 2 } }) });
  await screen.getByTestId('desk-confirm').click();
  await expect.element(screen.getByTestId('desk-confirm')).not.toBeInTheDocument();
});

const partly = () => {
  const paid = sampleOperation({ status: 'succeeded', last_error: null, returned: '100.00' });
  return sampleCase({
    ...{ reason: 'payout_returned_in_part', details: 'FEE', operation: paid, rest: '100.00', rest_share: '7.48' },
    transaction: sampleTransfer({ state: 'completed', status: 'completed', payout_returned: '100.00' }),
    actions: ['pay_rest', 'refund_rest'],
  });
};

test('what the bank returned is paid again to the account that is chosen, and another one waits for a second person', async () => {
  await page.viewport(1280, 900);
  const one = partly();
  const other = { name: 'Rosa Mamani', bank_name: 'Banco FIE', bank_account: '•••9999' };
  const recipientId = '0199b2d0-0000-4000-8000-0000000000e1';
  const request = sampleRequest({
    ...{ action: 'pay_rest', amount: '100.00', currency: 'BOB', account: other },
    ...{ requested_by: adminSession.user.name, requested_by_id: adminSession.user.id },
  });
  api.answer({
    caseAccounts: () => ({
      accounts: [
        { ...other, recipient_id: null, bank_name: 'Banco Unión', bank_account: '•••5678' },
        { ...other, recipient_id: recipientId },
      ],
    }),
    actOnCase: () => ({ case: { ...one, version: 2, actions: [], request } }),
  });
  const screen = await openAction(one, 'pay_rest');
  const dialog = screen.getByTestId('desk-dialog');
  await expect
    .element(dialog)
    .toMatchTextContent(/El banco paga otra vez Bs 100,00 a la familia\. Es dinero que devolvió/);
  await expect.element(screen.getByTestId('desk-money')).toMatchTextContent(/^Se paga: Bs 100,00$/);
  await expect.element(dialog).toMatchTextContent(/A otra cuenta siempre lo aprueba otra persona/);
  await expectAccessible();
  await expect.element(screen.getByTestId('desk-confirm')).toHaveTextContent('Pagar lo que falta');
  await screen.getByTestId('desk-account').nth(1).click();
  await expect.element(screen.getByTestId('desk-confirm')).toHaveTextContent('Pedir aprobación');
  await screen.getByTestId('desk-reason').fill('La primera cuenta cobra comisión.');
  await screen.getByTestId('desk-confirm').click();
  const waiting = screen.getByTestId('desk-request');
  await expect
    .element(waiting)
    .toMatchTextContent(/Pediste pagar lo que falta.*Rosa Mamani, Banco FIE, cuenta •••9999/);
  const reason = 'La primera cuenta cobra comisión.';
  expect(bodies()).toEqual([{ action: 'pay_rest', reason, recipient_id: recipientId }]);
});

test('the share of what the bank returned goes back without the fee, or the whole charge with it', async () => {
  const one = partly();
  api.answer({ actOnCase: () => ({ case: { ...one, version: 2, actions: [] } }) });
  const screen = await openAction(one, 'refund_rest');
  const dialog = screen.getByTestId('desk-dialog');
  await expect.element(dialog).toMatchTextContent(/Por los Bs 100,00 que no llegaron.*sin la comisión/);
  await expect.element(screen.getByTestId('desk-money')).toMatchTextContent(/Se devuelve: 7,48 EUR\s*A: Ana Quispe/);
  await expectAccessible();
  await screen.getByTestId('desk-reason').fill('Lo prefiere así.');
  await screen.getByTestId('desk-confirm').click();
  await expect.element(screen.getByTestId('desk-confirm')).not.toBeInTheDocument();
  expect(bodies()).toEqual([{ action: 'refund_rest', reason: 'Lo prefiere así.' }]);
});

test('where the family keeps nothing, the whole charge goes back', async () => {
  const { transaction, ...one } = partly();
  const nothing = sampleCase({
    ...{ ...one, rest: '1291.17', rest_share: '100.00' },
    transaction: { ...transaction, payout_returned: '1291.17' },
  });
  const screen = await openAction(nothing, 'refund_rest');
  await expect
    .element(screen.getByTestId('desk-dialog'))
    .toMatchTextContent(/La familia se quedó sin nada.*con la comisión.*Se devuelve: 100,00 EUR/);
});

test('what came back covers our loss only with two persons, and moves nothing', async () => {
  const screen = await openAction({ ...partly(), actions: ['keep_rest'] }, 'keep_rest');
  const dialog = screen.getByTestId('desk-dialog');
  await expect
    .element(dialog)
    .toMatchTextContent(/Los Bs 100,00 que devolvió el banco cubren nuestra pérdida.*dos personas/);
  await expect.element(screen.getByTestId('desk-money')).not.toBeInTheDocument();
  await expect.element(screen.getByTestId('desk-confirm')).toHaveTextContent('Pedir aprobación');
});

test('the button of an action that always waits for a second person only requests it', async () => {
  const held = sampleCase({ reason: 'fraud_warning', operation: null, actions: ['release_hold'] });
  const screen = await openAction(held, 'release_hold');
  await expect.element(screen.getByTestId('desk-confirm')).toHaveTextContent('Pedir aprobación');
});
