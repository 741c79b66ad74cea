import { onlineManager } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { expectAccessible, expectAccessibleAtAnyWidth } from '../../../testing/accessibility.ts';
import { emptyStats, openAsAdmin, sampleUser } from '../../../testing/admin-panel.tsx';
import { expectText } from '../../../testing/conformance.ts';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { installFakeLive } from '../../../testing/fake-live.ts';
import { expectKeyboardDialog } from '../../../testing/keyboard-dialog.ts';
import { adminSession } from '../../../testing/render-app.tsx';
import { sampleTransfer } from '../../../testing/sample-admin-transfer.ts';
import type { Decision } from './transfer-labels.ts';
import { TransfersTab } from './transfers-tab.tsx';

const api = installFakeApi();
const live = installFakeLive();
beforeEach(() => page.viewport(1280, 900));
afterEach(() => onlineManager.setOnline(true));

/** A transfer with an id of its own: a browser remembers the newest version of each. */
const transferOf = (changes: Partial<AdminTransferView> = {}) =>
  sampleTransfer({ id: crypto.randomUUID(), ...changes });

const listed = (...items: AdminTransferView[]) => ({ items, nextCursor: null });

/** Opens the list with these transfers in it. */
const open = (items: AdminTransferView[], address = '/') =>
  openAsAdmin(api, <TransfersTab />, { address, adminTransfers: () => listed(...items) });

/** Opens the question for a decision about the only transfer of the list. */
async function ask(transfer: AdminTransferView, decision: Decision) {
  const { screen } = await open([transfer]);
  await screen.getByTestId(`admin-${decision}`).click();
  await expect.element(screen.getByTestId('admin-confirm')).toBeVisible();
  return screen;
}

const decisions = () => api.calls.filter(({ name }) => name === 'approve' || name === 'reject');
const approved = (transfer: AdminTransferView): AdminTransferView => ({
  ...transfer,
  version: transfer.version + 1,
  state: 'approved',
  decided_at: '2026-11-21T16:00:00.000Z',
  decided_by: adminSession.user.name,
});
const rejectedByLuisa = (transfer: AdminTransferView): AdminTransferView => ({
  ...approved(transfer),
  status: 'rejected',
  state: 'rejected',
  decided_by: 'Luisa Rojas',
});

const long = 'María Fernanda de los Ángeles Quispe-Villavicencio Condori';
const longTransfer = () =>
  transferOf({ user: long, recipient: long, user_email: `${'nombre.muy.largo.'.repeat(5)}@example.com` });
test('long names and addresses of a pending transfer stay inside the list at any width', async () => {
  const { screen } = await open([longTransfer()]);
  const row = screen.getByTestId('admin-row');
  for (const width of [390, 1280]) {
    await page.viewport(width, 900);
    for (const part of [/María Fernanda.*María Fernanda/, /100,00 EUR/, /Bs 1\.291,17/])
      await expect.element(row).toMatchTextContent(part);
    await expectText('message transfer: pending');
  }
  await expectAccessibleAtAnyWidth();
});

for (const decision of ['approve', 'reject']) {
  test(`the question before a decision to ${decision} opens by keyboard, with long names too`, async () => {
    const { screen } = await open([longTransfer()]);
    const ready = () => expect.element(screen.getByTestId('admin-confirm')).toBeVisible();
    const opener = screen.getByTestId(`admin-${decision}`);
    await expectKeyboardDialog('features/admin/transfers/decision-dialog.tsx', opener, { ready });
  });
}

test('approving shows money and account first, and the row says at once that the card is being charged', async () => {
  const transfer = transferOf();
  api.answer({ approve: () => ({ transaction: approved(transfer) }) });
  const screen = await ask(transfer, 'approve');
  const dialog = screen.getByRole('dialog');
  await expect
    .element(dialog)
    .toMatchTextContent(/Bs 1\.291,17.*100,00 EUR.*Rosa Mamani Condori.*Cuenta 10000012345678.*CI 4567890 LP/);
  await expect.element(dialog).toMatchTextContent(/Se cobra la tarjeta y se paga al banco\. No se puede deshacer/);
  expect(decisions()).toEqual([]);
  await screen.getByTestId('admin-confirm').click();
  await expect.element(screen.getByTestId('admin-confirm')).not.toBeInTheDocument();
  await expect.element(screen.getByTestId('admin-row')).toMatchTextContent(/Cobrando la tarjeta/);
  await expect.element(screen.getByText('Transferencia aprobada')).toBeVisible();
  expect(decisions()).toMatchObject([{ name: 'approve', body: { approval_request_id: null } }]);
});

for (const [typed, body] of [
  ['  Documento vencido ', { reason: 'Documento vencido' }],
  ['', {}],
] as const) {
  test(`rejecting sends the reason "${typed}" without spaces around it, and none where nothing was written`, async () => {
    const transfer = transferOf();
    api.answer({ reject: () => ({ transaction: rejectedByLuisa(transfer) }) });
    const screen = await ask(transfer, 'reject');
    await expect.element(screen.getByText(/Se libera la retención de la tarjeta/)).toBeVisible();
    await screen.getByTestId('admin-reason').fill(typed);
    await screen.getByTestId('admin-confirm').click();
    await expect.element(screen.getByTestId('admin-row')).toHaveAttribute('data-status', 'rejected');
    expect(decisions()).toMatchObject([{ name: 'reject', body }]);
  });
}

test('a decision that is confirmed with a double click is sent once, and cannot be left while it is on its way', async () => {
  const transfer = transferOf();
  const answer = Promise.withResolvers<void>();
  api.answer({
    approve: async () => {
      await answer.promise;
      return { transaction: approved(transfer) };
    },
  });
  const screen = await ask(transfer, 'approve');
  await screen.getByTestId('admin-confirm').dblClick();
  await expect.element(screen.getByRole('button', { name: 'Volver' })).toBeDisabled();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByTestId('admin-confirm')).toBeVisible();
  answer.resolve();
  await expect.element(screen.getByTestId('admin-confirm')).not.toBeInTheDocument();
  expect(decisions()).toHaveLength(1);
});

for (const decision of ['approve', 'reject'] as const) {
  test(`a decision to ${decision} without connection says so and is never made by itself when the connection is back`, async () => {
    const transfer = transferOf();
    api.answer({ [decision]: () => 'no connection' });
    const screen = await ask(transfer, decision);
    live.connect();
    live.disconnect();
    onlineManager.setOnline(false);
    await screen.getByTestId('admin-confirm').click();
    await expect.element(screen.getByTestId('admin-decision-outcome')).toBeVisible();
    await expectAccessible();
    api.answer({ [decision]: () => ({ transaction: approved(transfer) }) });
    onlineManager.setOnline(true);
    const lists = () => api.calls.filter(({ name }) => name === 'adminTransfers').length;
    const before = lists();
    live.connect();
    await expect.poll(lists).toBeGreaterThan(before);
    expect(decisions()).toHaveLength(1);
    await screen.getByTestId('admin-confirm').click();
    await expect.element(screen.getByTestId('admin-confirm')).not.toBeInTheDocument();
    expect(decisions()).toHaveLength(2);
  });
}

test('an open decision dialog shows that another admin has decided, and offers no decision any more', async () => {
  const transfer = transferOf();
  const screen = await ask(transfer, 'approve');
  live.push('admin:transfer-changed', rejectedByLuisa(transfer));
  const outcome = screen.getByTestId('admin-decision-outcome');
  await expect.element(outcome).toMatchTextContent('Luisa Rojas ya rechazó esta transferencia.');
  await expect.element(screen.getByTestId('admin-confirm')).not.toBeInTheDocument();
  await expect.element(screen.getByTestId('admin-row')).toHaveAttribute('data-status', 'rejected');
  await expectAccessible();
  await screen.getByRole('button', { name: 'Cerrar' }).last().click();
  await expect.element(outcome).not.toBeInTheDocument();
  expect(decisions()).toEqual([]);
});

test('a decision that comes second says so and shows the transfer as it is now', async () => {
  const transfer = transferOf();
  api.answer({
    approve: () => ({ failure: 'already_decided', status: 409, transaction: rejectedByLuisa(transfer) }),
  });
  const screen = await ask(transfer, 'approve');
  await screen.getByTestId('admin-confirm').click();
  await expect.element(screen.getByTestId('admin-decision-outcome')).toMatchTextContent('Mensaje de already_decided.');
  await expect.element(screen.getByTestId('admin-confirm')).not.toBeInTheDocument();
  await expect.element(screen.getByTestId('admin-row')).toHaveAttribute('data-status', 'rejected');
});

test('an admin does not decide about a transfer of their own, and reads why', async () => {
  const transfer = transferOf({ user_id: adminSession.user.id });
  const { screen } = await open([transfer]);
  const button = screen.getByTestId('admin-approve');
  await expect.element(button).toHaveAttribute('aria-disabled', 'true');
  await button.click({ force: true });
  await expect.element(screen.getByTestId('admin-confirm')).not.toBeInTheDocument();
  await screen.getByTestId('admin-detail').click();
  await expect.element(screen.getByTestId('admin-decision-blocked')).toMatchTextContent(/la decide otra persona/);
  await expectAccessible();
});

test('list and details of a transfer say that its sender is blocked, and why', async () => {
  const transfer = transferOf({ user_blocked: true });
  const blocks = [{ blocked: true, reason: 'Documentos falsos', by: 'Luisa Rojas', at: '2026-11-21T15:00:00.000Z' }];
  const { screen } = await openAsAdmin(api, <TransfersTab />, {
    address: `/?transfer=${transfer.id}`,
    adminTransfers: () => listed(transfer),
    adminUser: () => ({ user: sampleUser({ blockedAt: '2026-11-21T15:00:00.000Z', blocks }) }),
  });
  await expect.element(screen.getByTestId('sender-blocked').first()).toMatchTextContent('Remitente bloqueado');
  await expect.element(screen.getByTestId('account-barred')).toMatchTextContent(/Cuenta bloqueada.*Documentos falsos/);
});

test('a transfer without a recipient can be rejected and not approved', async () => {
  const { screen } = await open([transferOf({ recipient: '', recipient_id: null })]);
  await expect.element(screen.getByTestId('admin-approve')).toHaveAttribute('aria-disabled', 'true');
  await expect.element(screen.getByTestId('admin-reject')).not.toHaveAttribute('aria-disabled');
});

test('a warning of fraud by the card’s bank stands in the details and in the question before an approval', async () => {
  const transfer = transferOf({ fraud_warning: 'made_with_stolen_card' });
  const { screen } = await open([transfer], `/?transfer=${transfer.id}`);
  const warning = screen.getByTestId('fraud-warning');
  await expect.element(warning).toMatchTextContent(/La tarjeta puede ser robada\. Si la rechazas, no se cobra nada/);
  await screen.getByTestId('admin-drawer').getByTestId('admin-approve').click();
  await expect.element(warning.nth(1)).toBeVisible();
  await expectAccessible();
});

test('what Stripe says of the risk of a card stands in the details, in words', async () => {
  const card_risk = {
    ...{ level: 'elevated', score: 70, network: 'approved_by_network', reason: 'elevated_risk_level' },
    ...{ message: 'Payment complete.', rule: null, review: 'open' },
  };
  const transfer = transferOf({ card_risk });
  const { screen } = await open([transfer], `/?transfer=${transfer.id}`);
  await expect.element(screen.getByTestId('card-risk')).toMatchTextContent(/Elevado 70 de 100, según Stripe/);
  await expect.element(screen.getByText('Aprobó el pago')).toBeVisible();
  await expect.element(screen.getByText('Stripe lo considera de riesgo elevado')).toBeVisible();
  await expect.element(screen.getByTestId('admin-drawer')).not.toMatchTextContent(/Payment complete/);
  await expect.element(screen.getByText(/Espera que una persona lo revise en el panel de Stripe/)).toBeVisible();
});

test('the details of a transfer are in the address, open by keyboard and close', async () => {
  await page.viewport(390, 844);
  const transfer = transferOf({ status: 'completed', state: 'completed', returned: '25.00', payout_reference: 'BU-1' });
  const { screen, router } = await open([transfer]);
  await expectText('message admin: details');
  await expectKeyboardDialog('features/admin/admin-drawer.tsx', screen.getByTestId('admin-detail'));
  const drawer = screen.getByTestId('admin-drawer');
  await expect.element(screen.getByTestId('admin-drawer-money')).toBeInViewport();
  await expect
    .element(drawer)
    .toMatchTextContent(/Llegó a Bolivia.*Devuelto a quien envía25,00 EUR.*Rosa Mamani Condori/);
  expect(router.state.location.search).toBe(`?transfer=${transfer.id}`);
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => router.state.location.search).toBe('');
});

test('the details of a charged transfer say what it earned by the books, and follow them', async () => {
  const profit = {
    currency: 'EUR',
    fee: '3.50',
    margin: '0.72',
    processor: '-3.20',
    loss: '0.00',
    total: '1.02',
  } as const;
  const timeline = [{ state: 'captured', at: '2026-11-21T14:05:00.000Z', owner: 'payments' }] as const;
  const charged = sampleTransfer({ state: 'completed', status: 'completed', timeline: [...timeline] });
  const { screen } = await openAsAdmin(api, <TransfersTab />, {
    address: `/?transfer=${charged.id}`,
    adminTransfers: () => ({ items: [charged], nextCursor: null }),
    transferProfit: () => ({ profit: [{ ...profit, estimated: ['processor'] }] }),
  });
  const section = screen.getByTestId('transfer-profit');
  await expect
    .element(section)
    .toMatchTextContent(/Comisión de Stripe \(estimada\)−3,20 EUR.*Ganancia1,02 EUR.*Lo estimado se reemplaza/);
  await expectAccessible();
  api.answer({ transferProfit: () => ({ profit: [{ ...profit, loss: '-100.00', total: '-98.98', estimated: [] }] }) });
  live.push('admin:books-changed', { at: '2026-11-21T15:00:00.000Z' });
  await expect
    .element(section)
    .toMatchTextContent(/Comisión de Stripe−3,20.*Ganancia−98,98 EUR.*Con este envío perdemos 98,98 EUR/);
});

test('an address that names no transfer says so', async () => {
  const { screen } = await open([], `/?transfer=${crypto.randomUUID()}`);
  await expect.element(screen.getByText(/No encontramos esa transferencia/)).toBeVisible();
});

test('transfers are searched and narrowed, the address and a chip say by what, and an empty result offers all of them again', async () => {
  const { screen, router } = await open([transferOf()]);
  api.answer({ adminTransfers: ({ query }) => listed(...(query.search || query.status ? [] : [transferOf()])) });
  await screen.getByTestId('admin-search').fill('nadie');
  await screen.getByTestId('admin-filters').click();
  await screen.getByTestId('admin-filter-status').selectOptions('Rechazado');
  await screen.getByTestId('admin-filter-most').fill('99,5');
  await screen.getByTestId('admin-filter-least').fill('100');
  await screen.getByTestId('admin-filter-from').fill('2026-11-20');
  await screen.getByTestId('admin-filter-apply').click();
  await expect.element(screen.getByText('El monto mayor no puede ser menos que el menor')).toBeVisible();
  await expectAccessible();
  await screen.getByTestId('admin-filter-most').fill('1.250,50');
  await screen.getByTestId('admin-filter-apply').click();
  await expectText('message transfers: none found');
  const query = { search: 'nadie', status: 'rejected', from: '2026-11-20', least: '100', most: '1250.50' };
  await expect.poll(() => api.calls.at(-1)).toMatchObject({ name: 'adminTransfers', query });
  await screen.getByTestId('admin-chip-least').click();
  await screen.getByTestId('admin-chip-most').click();
  await expect
    .element(screen.getByTestId('admin-chips'))
    .toMatchTextContent(/^RechazadoDesde el 20\/11\/2026Quitar todos$/);
  expect(router.state.location.search).toBe('?status=rejected&from=2026-11-20');
  await expectAccessible();
  await screen.getByRole('button', { name: 'Ver todas' }).click();
  await expect.element(screen.getByTestId('admin-row')).toBeVisible();
  expect(router.state.location.search).toBe('');
});

test('the views of the list say how many transfers they have, and the one of the address is open', async () => {
  const { screen, router } = await openAsAdmin(api, <TransfersTab />, {
    address: '/?view=stuck&from=mistyped',
    adminStats: () => ({ ...emptyStats, views: { to_decide: 0, stuck: 1200, today: 3 } }),
    adminTransfers: ({ query }) => listed(...(query.view === 'stuck' ? [transferOf({ user: 'Carmen Rojas' })] : [])),
  });
  await expect.element(screen.getByTestId('admin-view-stuck')).toMatchTextContent('Atascadas (1.200)');
  await expect.element(screen.getByTestId('admin-view-stuck')).toHaveAttribute('aria-pressed', 'true');
  await expect.element(screen.getByTestId('admin-view-meaning')).toMatchTextContent(/un caso abierto/);
  await expect.element(screen.getByTestId('admin-row')).toMatchTextContent(/Carmen Rojas/);
  expect(api.calls.find(({ name }) => name === 'adminTransfers')?.query).not.toHaveProperty('from');
  await screen.getByTestId('admin-view-to_decide').click();
  await expect.element(screen.getByText('Nada espera una decisión')).toBeVisible();
  expect(router.state.location.search).toBe('?view=to_decide&from=mistyped');
});

test('a row opens by a press anywhere in it, and by j and Enter, and a decides about it', async () => {
  const first = transferOf({ user: 'Ana Quispe', date: '2026-11-21T18:00:00.000Z' });
  const second = transferOf({ user: 'Pedro Choque' });
  const { screen, router } = await open([first, second], '/?status=pending');
  await screen.getByText('Pedro Choque').click();
  await expect.element(screen.getByRole('dialog')).toBeVisible();
  expect(router.state.location.search).toContain(second.id);
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  const focused = () => document.activeElement?.getAttribute('data-row-id');
  await expect.poll(focused).toBe(second.id);
  await userEvent.keyboard('k');
  expect(focused()).toBe(first.id);
  await userEvent.keyboard('j{Enter}');
  // The address changes before the drawer is there to take the key that closes it.
  await expect.element(screen.getByRole('dialog')).toBeVisible();
  expect(router.state.location.search).toContain(second.id);
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  await expect.poll(focused).toBe(second.id);
  await userEvent.keyboard('a');
  await expect.element(screen.getByTestId('admin-confirm')).toBeVisible();
});

test('a transfer that arrives stands on top as new, is announced, and counted in the title of the tab', async () => {
  const known = transferOf();
  const { screen } = await open([known]);
  await expect.element(screen.getByTestId('admin-row')).toBeVisible();
  live.push('admin:transfer-changed', transferOf({ user: 'Carmen Rojas', date: '2026-11-21T18:00:00.000Z' }));
  await expect.element(screen.getByTestId('admin-row').first()).toMatchTextContent(/Carmen Rojas.*Nueva/);
  await expect.element(screen.getByText('1 transacción nueva')).toBeInTheDocument();
  expect(document.title).toMatch(/^\(1\)/);
  await screen.getByTestId('admin-detail').first().click();
  await expect.poll(() => document.title).not.toMatch(/^\(/);
});

test('hundreds of new transfers do not lengthen the page: they are counted, and one press shows the newest', async () => {
  const known = Array.from({ length: 25 }, (_, at) => transferOf({ date: `2026-11-20T14:00:${10 + at}.000Z` }));
  const { screen } = await open(known);
  await expect.poll(() => screen.getByTestId('admin-row').elements().length).toBe(25);
  const arrived = Array.from({ length: 200 }, (_, at) =>
    transferOf({ date: new Date(Date.parse('2026-11-21T18:00:00.000Z') + at * 1000).toISOString() }),
  );
  for (const transfer of arrived) live.push('admin:transfer-changed', transfer);
  const button = screen.getByTestId('admin-held');
  await expect.element(button).toHaveTextContent('Mostrar 175 transacciones nuevas');
  expect(screen.getByTestId('admin-row').elements()).toHaveLength(50);
  // One writer of the title, though news are counted too.
  expect(document.title).toMatch(/^\(25\) (?!\()/);
  const newest = arrived.slice(-25).reverse();
  api.answer({ adminTransfers: () => ({ items: newest, nextCursor: 'next' }) });
  await button.click();
  await expect.element(button).not.toBeInTheDocument();
  expect(screen.getByTestId('admin-row').elements()).toHaveLength(25);
  await expect.element(screen.getByTestId('admin-row').first()).toHaveAttribute('data-transfer-id', newest[0]?.id);
});

test('the list of transfers goes on beyond its first page', async () => {
  const [first, second] = [transferOf(), transferOf()];
  const { screen } = await openAsAdmin(api, <TransfersTab />, {
    adminTransfers: ({ query }) => (query.cursor === 'next' ? listed(second) : { items: [first], nextCursor: 'next' }),
  });
  await screen.getByTestId('admin-load-more').click();
  await expect.poll(() => screen.getByTestId('admin-row').elements().length).toBe(2);
  await expect.element(screen.getByTestId('admin-load-more')).not.toBeInTheDocument();
});

test('the list of transfers offers to try again when it cannot be loaded', async () => {
  const { screen } = await openAsAdmin(api, <TransfersTab />, { adminTransfers: () => 'no connection' });
  await expect.element(screen.getByRole('alert')).toBeVisible();
  api.answer({ adminTransfers: () => listed(transferOf()) });
  await screen.getByRole('button', { name: 'Reintentar' }).click();
  await expect.element(screen.getByTestId('admin-row')).toBeVisible();
});
