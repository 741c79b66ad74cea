import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { carmen, openAsAdmin, sampleUser } from '../../../testing/admin-panel.tsx';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { adminSession } from '../../../testing/render-app.tsx';
import { sampleTransfer } from '../../../testing/sample-admin-transfer.ts';
import { AdminPanel } from '../admin-panel.tsx';
import { UserDrawer } from './user-drawer.tsx';
import { UsersTab } from './users-tab.tsx';

const api = installFakeApi();
beforeEach(() => page.viewport(1280, 900));

for (const width of [390, 1280]) {
  test(`people are listed with what they sent, however long their names are, ${width} px wide`, async () => {
    await page.viewport(width, 900);
    const long = {
      ...carmen,
      id: crypto.randomUUID(),
      name: 'Fernanda'.repeat(12),
      role: 'admin',
      adminRole: 'owner',
    } as const;
    const closed = { closedAt: '2026-11-20T14:00:00.000Z', blockedAt: '2026-11-19T14:00:00.000Z' };
    const { screen } = await openAsAdmin(api, <UsersTab />, {
      adminUsers: () => ({ items: [carmen, { ...long, ...closed, transactionsCount: 3 }], nextCursor: null }),
    });
    const row = screen.getByTestId('admin-user-row');
    for (const part of [/Carmen Rojas/, /carmen@example\.com/, /\$ 100,00/])
      await expect.element(row.first()).toMatchTextContent(part);
    await expect.element(row.nth(1)).toMatchTextContent(/Dueño.*Cerrada.*Bloqueada/);
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    await expectAccessible();
  });
}

test('people are searched, and an empty result offers all of them again', async () => {
  const { screen } = await openAsAdmin(api, <UsersTab />, {
    adminUsers: ({ query }) => ({ items: query.search ? [] : [carmen], nextCursor: null }),
  });
  await screen.getByTestId('admin-user-search').fill('nadie');
  await expect.element(screen.getByText('No se encontraron usuarios')).toBeVisible();
  await screen.getByRole('button', { name: 'Ver todos' }).click();
  await expect.element(screen.getByTestId('admin-user-row')).toBeVisible();
});

test('a person opens from the list with limits and transfers, and is blocked with a reason only', async () => {
  const { screen, router } = await openAsAdmin(api, <AdminPanel />, {
    address: '/?tab=users',
    adminUsers: () => ({ items: [carmen], nextCursor: null }),
    adminUser: () => ({ user: sampleUser() }),
    adminTransfers: ({ query }) => ({
      items: query.sender === carmen.id ? [sampleTransfer({ id: crypto.randomUUID(), user_id: carmen.id })] : [],
      nextCursor: null,
    }),
    blockUser: ({ body }) => ({
      user: sampleUser({
        blockedAt: '2026-11-21T15:00:00.000Z',
        blocks: [
          {
            blocked: true,
            reason: (body as { reason: string }).reason,
            by: 'Ana Quispe',
            at: '2026-11-21T15:00:00.000Z',
          },
        ],
      }),
    }),
  });
  await screen.getByTestId('admin-user-open').click();
  const details = screen.getByTestId('user-details');
  await expect.element(details).toMatchTextContent(/Madrid.*Le quedan \$ 2\.890,00 de \$ 3\.000,00/);
  await expect.element(screen.getByTestId('user-transfer')).toMatchTextContent(/100,00 EUR/);
  expect(router.state.location.search).toBe(`?tab=users&user=${carmen.id}`);
  await screen.getByTestId('user-block-open').click();
  await expect.element(details.getByText(/Se cierran sus sesiones/)).toBeVisible();
  await screen.getByTestId('user-block-confirm').click();
  await expect.element(details.getByText('Escribe el motivo')).toBeVisible();
  expect(api.calls.some(({ name }) => name === 'blockUser')).toBe(false);
  await screen.getByTestId('user-block-reason').fill(' Documentos falsos ');
  await screen.getByTestId('user-block-confirm').dblClick();
  await expect.element(screen.getByTestId('user-block-entry')).toMatchTextContent(/Documentos falsos.*Ana Quispe/);
  const blocked = api.calls.filter(({ name }) => name === 'blockUser').map(({ body }) => body);
  expect(blocked).toEqual([{ blocked: true, reason: 'Documentos falsos' }]);
  await expect.element(details.getByText(/No puede entrar ni pagar/)).toBeVisible();
  await expect.element(screen.getByTestId('user-block-open')).toMatchTextContent('Desbloquear la cuenta');
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => router.state.location.search).toBe('?tab=users');
});

test('the second factor of somebody who lost it is taken away with a reason', async () => {
  const { screen } = await openAsAdmin(api, <AdminPanel />, {
    address: `/?user=${carmen.id}`,
    adminUser: () => ({ user: sampleUser({ secondFactorSince: '2026-11-19T14:00:00.000Z' }) }),
    resetSecondFactor: () => ({ user: sampleUser() }),
  });
  await expect.element(screen.getByTestId('user-factor')).toMatchTextContent(/Activada desde/);
  await screen.getByTestId('user-factor-reset-open').click();
  await screen.getByTestId('user-factor-reset-confirm').click();
  await expect.element(screen.getByText('Escribe el motivo')).toBeVisible();
  await screen.getByTestId('user-factor-reset-reason').fill('Perdió su teléfono');
  await screen.getByTestId('user-factor-reset-confirm').dblClick();
  await expect.element(screen.getByTestId('user-factor')).toMatchTextContent('No la tiene.');
  const bodies = api.calls.filter(({ name }) => name === 'resetSecondFactor').map(({ body }) => body);
  expect(bodies).toEqual([{ reason: 'Perdió su teléfono' }]);
});

test('an owner has the data of a person kept with a reason, and nobody else sees that it is possible', async () => {
  const at = '2026-11-21T15:00:00.000Z';
  const reason = 'Oficio de la fiscalía';
  const { screen } = await openAsAdmin(api, <UserDrawer id={carmen.id} close={() => {}} />, {
    holdUser: () => ({ user: sampleUser({ holds: [{ held: true, reason, by: 'Ana Quispe', at }] }) }),
  });
  await screen.getByTestId('user-hold-open').click();
  await expectAccessible();
  await screen.getByTestId('user-hold-reason').fill(reason);
  await screen.getByTestId('user-hold-confirm').click();
  await expect.element(screen.getByTestId('user-hold-entry')).toMatchTextContent(/retenidos.*fiscalía.*Ana Quispe/);
  await expect.element(screen.getByTestId('user-hold-open')).toMatchTextContent('Terminar la retención');
  expect(api.calls.filter(({ name }) => name === 'holdUser').map(({ body }) => body)).toEqual([{ held: true, reason }]);
});

test('the account of an admin offers no block and says why', async () => {
  const { screen } = await openAsAdmin(api, <AdminPanel />, {
    address: `/?user=${carmen.id}`,
    adminUser: () => ({ user: sampleUser({ role: 'admin', adminRole: 'owner' }) }),
  });
  await expect.element(screen.getByTestId('user-block-admin')).toMatchTextContent(/nadie del panel puede bloquearla/);
  await expect.element(screen.getByTestId('user-block-open')).not.toBeInTheDocument();
});

test('an owner gives a role once it is chosen and saved, and nobody changes their own', async () => {
  const given = sampleUser({ role: 'admin', adminRole: 'treasurer' });
  const { screen } = await openAsAdmin(api, <AdminPanel />, {
    address: `/?user=${carmen.id}`,
    adminUser: () => ({ user: sampleUser() }),
    setRole: () => ({ user: given }),
  });
  await screen.getByTestId('user-role-open').click();
  await expect.element(screen.getByTestId('user-role-save')).toBeDisabled();
  await screen.getByTestId('user-role-treasurer').click();
  await expectAccessible();
  await screen.getByTestId('user-role-save').click();
  await expect.element(screen.getByTestId('user-role-now')).toMatchTextContent('Tesorería');
  expect(api.calls.filter(({ name }) => name === 'setRole').map(({ body }) => body)).toEqual([
    { adminRole: 'treasurer' },
  ]);
});

for (const [whose, requestedById, press, shown] of [
  ['another owner’s', 'ffffffff-ffff-4fff-8fff-ffffffffffff', 'user-role-confirm', 'Luis Rojas pidió el rol Tesorería'],
  ['one’s own', adminSession.user.id, 'user-role-decline', 'Lo tiene que confirmar otra persona'],
] as const)
  test(`${whose} request for a role is confirmed or taken back, and a new role says what it cannot do yet`, async () => {
    const at = '2026-11-20T14:00:00.000Z';
    const roleRequest = { role: 'treasurer', requestedById, requestedBy: 'Luis Rojas', at } as const;
    const { screen } = await openAsAdmin(api, <AdminPanel />, {
      address: `/?user=${carmen.id}`,
      adminUser: () => ({ user: sampleUser({ roleRequest }) }),
      decideRole: () => ({ user: sampleUser({ role: 'admin', adminRole: 'treasurer', secondPersonFrom: at }) }),
    });
    await expect.element(screen.getByTestId('user-role-waiting')).toMatchTextContent(shown);
    if (press === 'user-role-decline') {
      await expect.element(screen.getByTestId('user-role-confirm')).not.toBeInTheDocument();
      await expect.element(screen.getByTestId(press)).toMatchTextContent('Retirar el pedido');
    }
    await expectAccessible();
    await screen.getByTestId(press).click();
    await expect.element(screen.getByTestId('user-role-new')).toMatchTextContent(/segunda persona/);
    await expect.element(screen.getByTestId('user-role-waiting')).not.toBeInTheDocument();
    expect(api.calls.filter(({ name }) => name === 'decideRole').map(({ body }) => body)).toEqual([
      { role: 'treasurer', approve: press === 'user-role-confirm' },
    ]);
  });

test('support sees the panel without what its role may not read, and why it cannot act', async () => {
  const session = { ...adminSession, user: { ...adminSession.user, adminRole: 'support' as const } };
  const { screen } = await openAsAdmin(api, <AdminPanel />, {
    address: `/?user=${carmen.id}`,
    me: () => session,
    adminUser: () => ({ user: sampleUser({ holds: null }) }),
  });
  await expect.element(screen.getByTestId('user-hold-open')).not.toBeInTheDocument();
  await expect.element(screen.getByTestId('not-permitted-blockUser')).toMatchTextContent(/Lo hace: Revisión, Dueño/);
  await expect.element(screen.getByTestId('not-permitted-setRole')).toBeVisible();
  await expect.element(screen.getByTestId('reveal-phone-open')).not.toBeInTheDocument();
  await expect.element(screen.getByTestId('admin-tab-users')).toBeInTheDocument();
  for (const tab of ['reconciliation', 'webhooks', 'audit'])
    await expect.element(screen.getByTestId(`admin-tab-${tab}`)).not.toBeInTheDocument();
  const asked = new Set(api.calls.map(({ name }) => name));
  for (const name of ['reviews', 'openExceptions', 'auditLog']) expect(asked).not.toContain(name);
});

test('a phone is shown whole once an admin says what for', async () => {
  const { screen } = await openAsAdmin(api, <AdminPanel />, {
    address: `/?user=${carmen.id}`,
    adminUser: () => ({ user: sampleUser({ phone: '•••00' }) }),
    revealPhone: () => ({ value: '+34 600 000 000' }),
  });
  await screen.getByTestId('reveal-phone-open').click();
  await screen.getByTestId('reveal-phone-reason').selectOptions('question');
  await expectAccessible();
  await screen.getByTestId('reveal-phone-confirm').click();
  await expect.element(screen.getByText('+34 600 000 000')).toBeVisible();
  expect(api.calls.filter(({ name }) => name === 'revealPhone').map(({ body }) => body)).toEqual([
    { reason: 'question' },
  ]);
});

test('a check of identity that waits opens from the list, and is declined with a reason for its person and a note', async () => {
  const id = crypto.randomUUID();
  const at = '2026-11-23T14:00:00.000Z';
  const check = {
    ...({ id, level: 'document', state: 'waiting', documentType: 'passport', country: 'BO', number: '•••56' } as const),
    ...{ legalName: 'Carmen Rojas', birthDate: '1990-05-17', reason: null, at, decidedAt: null, note: null, by: null },
    sameDocument: [{ userId: crypto.randomUUID(), name: 'Luis Choque', accepted: true }],
    files: [{ id: crypto.randomUUID(), name: 'pasaporte.pdf', type: 'application/pdf', size: 2048, at } as const],
  };
  const declined = {
    state: 'declined',
    reason: 'expired',
    note: 'Venció en mayo',
    by: 'Ana Quispe',
    decidedAt: at,
  } as const;
  const { screen } = await openAsAdmin(api, <AdminPanel />, {
    address: '/?tab=users',
    identityChecks: () => ({
      items: [{ ...check, userId: carmen.id, name: carmen.name, createdAt: at, sameDocument: true }],
      nextCursor: 'older',
    }),
    adminUser: () => ({ user: sampleUser({ tier: 'identity', identityChecks: [check] }) }),
    decideIdentity: () => ({ user: sampleUser({ identityChecks: [{ ...check, ...declined }] }) }),
  });
  await expect.element(screen.getByTestId('waiting-checks')).toMatchTextContent(/^Más de 1 verificaciones/);
  await expect.element(screen.getByTestId('waiting-same-document')).toBeVisible();
  await screen.getByTestId('waiting-check').click();
  await expect.element(screen.getByTestId('user-tier')).toMatchTextContent('Datos de identidad verificados');
  await expect.element(screen.getByTestId('file')).toMatchTextContent('pasaporte.pdf (2 KB)');
  await expect.element(screen.getByTestId('same-document')).toMatchTextContent('Luis Choque: aceptado');
  await screen.getByTestId('identity-outcome').selectOptions('expired');
  await screen.getByTestId('identity-decide').click();
  await expect.element(screen.getByTestId('identity-check')).toMatchTextContent('Escribe el motivo');
  await screen.getByTestId('identity-note').fill('Venció en mayo');
  await expectAccessible();
  await screen.getByTestId('identity-decide').click();
  await expect.element(screen.getByTestId('identity-check')).toMatchTextContent(/Rechazada.*Venció en mayo/);
  expect(api.calls.filter(({ name }) => name === 'decideIdentity').map(({ body }) => body)).toEqual([
    { reason: 'expired', note: 'Venció en mayo' },
  ]);
});
