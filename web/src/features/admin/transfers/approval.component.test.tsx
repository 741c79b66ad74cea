import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { ReviewView } from '#core/contracts/http/review';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { openAsAdmin } from '../../../testing/admin-panel.tsx';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { installFakeLive } from '../../../testing/fake-live.ts';
import { adminSession } from '../../../testing/render-app.tsx';
import { sampleReview, sampleTransfer } from '../../../testing/sample-admin-transfer.ts';
import { TransfersTab } from './transfers-tab.tsx';

const api = installFakeApi();
const live = installFakeLive();
beforeEach(() => page.viewport(1280, 900));

/** A transfer that waits for a decision, with its review. */
function waiting(transfer: Partial<AdminTransferView> = {}, review: Partial<ReviewView> = {}) {
  const id = crypto.randomUUID();
  return { transaction: sampleTransfer({ id, ...transfer }), review: sampleReview({ id, ...review }) };
}
type Waiting = ReturnType<typeof waiting>;

/** Opens the tab with these in the queue and in the list below it. */
async function open(items: Waiting[], address = '/', answers: Parameters<typeof api.answer>[0] = {}) {
  const { screen } = await openAsAdmin(api, <TransfersTab />, {
    address,
    adminTransfers: ({ query }) => ({
      items: items.map(({ transaction }) => transaction).filter(({ id }) => !query.search || id === query.search),
      nextCursor: null,
    }),
    reviews: () => ({ items, nextCursor: null }),
    review: ({ params }) => ({ review: items.find(({ review }) => review.id === params.id)?.review ?? sampleReview() }),
    ...answers,
  });
  return screen;
}

/** The question before an approval, opened from the list. */
async function ask(item: Waiting, answers: Parameters<typeof api.answer>[0] = {}) {
  const screen = await open([item], '/', answers);
  await screen.getByTestId('admin-row').getByTestId('admin-approve').click();
  await expect.element(screen.getByRole('dialog')).toBeVisible();
  return screen;
}

type Screen = Awaited<ReturnType<typeof open>>;

const rowOf = (screen: Screen, user: string) => screen.getByTestId('admin-row').filter({ hasText: user });

/** Asks to approve what the only line of the queue shows. */
async function pressAOnLine(screen: Screen) {
  const line = screen.getByTestId('review-line');
  await expect.element(line).toBeVisible();
  (line.element() as HTMLElement).focus();
  await userEvent.keyboard('a');
}

/** Waits until the question is gone. */
const closed = (screen: Screen) => expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();

const approvals = () => api.calls.filter(({ name }) => name === 'approve');
const approvedBy = (transfer: AdminTransferView, name: string): AdminTransferView => ({
  ...{ ...transfer, version: transfer.version + 1, state: 'approved' },
  ...{ decided_at: '2026-11-21T16:00:00.000Z', decided_by: name },
});
const firstApproval = {
  ...{ id: '0199b2d0-0000-7000-8000-0000000000c1', by: 'Carla Arce' },
  ...{ by_id: '0199b2d0-0000-4000-8000-0000000000c2', at: '2026-11-21T15:00:00.000Z' },
};
const clear = sampleReview().screening;
const hit: ReviewView['screening']['hits'][number] = {
  ...{ subject: 'recipient', name: 'Ramiro Condarco', source: 'us_ofac', source_id: '900101', programs: ['SDNTK'] },
  ...{ listed_name: 'CONDARCO VILLEGAS, Ramiro', score: 0.93, verdict: null, remembered: false },
};

describe('a part of the panel that cannot be loaded says so and offers to try again', () => {
  test('the review of an open transfer, which cannot be approved until it is there', async () => {
    const item = waiting();
    const screen = await open([item], `/?transfer=${item.review.id}`, { review: () => ({ failure: 'internal' }) });
    const drawer = screen.getByTestId('admin-drawer');
    await expect.element(drawer.getByText('No se pudo cargar', { exact: true })).toBeVisible();
    await expect.element(drawer.getByTestId('admin-approve')).toHaveAttribute('aria-disabled', 'true');
    await expect
      .element(screen.getByTestId('admin-decision-blocked'))
      .toHaveTextContent('No se pudo cargar lo que ayuda a decidir.');
    await expect.element(drawer.getByTestId('admin-reject')).not.toHaveAttribute('aria-disabled');
    await drawer.getByTestId('admin-approve').click({ force: true });
    await expect.element(screen.getByRole('dialog', { name: '¿Aprobar esta transferencia?' })).not.toBeInTheDocument();
    await expectAccessible();
    api.answer({ review: () => ({ review: item.review }) });
    await drawer.getByRole('button', { name: 'Reintentar' }).click();
    await expect.element(screen.getByText('Motivos para mirar dos veces')).toBeVisible();
    await expect.element(drawer.getByTestId('admin-approve')).not.toHaveAttribute('aria-disabled');
  });

  test('a review that is still loading leaves nothing to approve', async () => {
    const item = waiting();
    const screen = await open([item], `/?transfer=${item.review.id}`, { review: () => 'no answer' });
    const approve = screen.getByTestId('admin-drawer').getByTestId('admin-approve');
    await expect.element(approve).toHaveAttribute('aria-disabled', 'true');
    await expect.element(screen.getByTestId('admin-decision-blocked')).toMatchTextContent(/^Cargando/);
  });

  test('a review whose refetch fails is shown with the failure, and cannot be approved', async () => {
    const item = waiting();
    const screen = await open([item], `/?transfer=${item.review.id}`);
    const drawer = screen.getByTestId('admin-drawer');
    await expect.element(drawer.getByTestId('admin-approve')).not.toHaveAttribute('aria-disabled');
    api.answer({ review: () => 'no connection' });
    live.connect();
    await expect.element(drawer.getByText('No se pudo cargar', { exact: true })).toBeVisible();
    await expect.element(screen.getByText('Motivos para mirar dos veces')).toBeVisible();
    await expect.element(drawer.getByTestId('admin-approve')).toHaveAttribute('aria-disabled', 'true');
  });

  for (const address of ['/', '/?view=to_decide']) {
    test(`the queue at ${address}`, async () => {
      const item = waiting();
      const screen = await open([item], address, { reviews: () => ({ failure: 'internal' }) });
      await expect.element(screen.getByRole('alert')).toMatchTextContent(/No se pudo cargar/);
      api.answer({ reviews: () => ({ items: [item], nextCursor: null }) });
      await screen.getByRole('button', { name: 'Reintentar' }).click();
      await expect.element(screen.getByTestId('review-line')).toBeVisible();
    });
  }

  test('an empty queue says that nothing waits, whatever the list knows', async () => {
    const screen = await open([waiting()], '/?view=to_decide', { reviews: () => ({ items: [], nextCursor: null }) });
    await expect.element(screen.getByText('Nada espera una decisión')).toBeVisible();
  });

  test('what a charged transfer earned', async () => {
    const timeline = [{ state: 'captured', at: '2026-11-21T14:05:00.000Z', owner: 'payments' }] as const;
    const item = waiting({ state: 'completed', status: 'completed', timeline: [...timeline] });
    const screen = await open([item], `/?transfer=${item.review.id}`, {
      transferProfit: () => ({ failure: 'internal' }),
    });
    await expect.element(screen.getByTestId('admin-drawer').getByRole('alert')).toMatchTextContent(/No se pudo cargar/);
  });

  test('the rates above the list', async () => {
    const screen = await open([], '/', { rateManagement: () => ({ failure: 'internal' }) });
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/No se pudo cargar/);
  });
});

describe('the question before an approval', () => {
  const facts = () =>
    waiting(
      {
        fraud_warning: 'made_with_stolen_card',
        questions: 'waiting',
        card_risk: {
          ...{ level: 'elevated', score: 70, network: 'approved_by_network', reason: 'elevated_risk_level' },
          ...{ message: 'Payment complete.', rule: null, review: null },
        },
      },
      {
        needs_second: true,
        approval: firstApproval,
        reasons: [
          { code: 'fraud_warning', severity: 'serious' },
          { code: 'repeated', severity: 'serious', count: 1, minutes: 3 },
          { code: 'shared_card', severity: 'serious', accounts: 22, blocked: 0 },
          { code: 'card_risk', severity: 'warning', level: 'elevated', score: 70 },
        ],
        screening: { ...clear, hits: [{ ...hit, verdict: 'false_positive' }], note: 'Otra fecha', noted_by: 'Ana' },
        similar: [
          {
            ...{ id: crypto.randomUUID(), date: '2026-11-20T14:00:00.000Z', user: 'Félix Baldivieso' },
            ...{ recipient: 'Rosa Mamani', currency: 'EUR', amount: '99.00', state: 'completed', same: ['card'] },
          },
        ],
      },
    );
  const expected = [
    /El banco de la tarjeta avisa de un posible fraude.*100,00 EUR.*Bs 1\.291,17/,
    /Carla Arce la aprobó el/,
    /Espera una respuesta de quien envía/,
    /otro envío igual de esta persona a la misma cuenta, con 3 minutos de diferencia/,
    /Otras 22 cuentas pagaron con esta misma tarjeta/,
    /riesgo elevado de fraude con esta tarjeta \(70 de 100\)/,
    /Ramiro Condarco se parece en 93 % a CONDARCO VILLEGAS, Ramiro.*Es otra persona/,
    /Envíos parecidos.*Félix Baldivieso.*misma tarjeta/,
    /Ganamos 1,02 EUR, descontados unos 3,20 EUR que cobra Stripe/,
    /Cuenta 10000012345678/,
  ];

  for (const width of [390, 1280]) {
    test(`shows everything to stop for, the same from the list and from the queue, ${width} px wide`, async () => {
      await page.viewport(width, 844);
      const item = facts();
      const screen = await open([item]);
      await screen.getByTestId('admin-row').getByTestId('admin-approve').click();
      const dialog = screen.getByTestId('admin-decision');
      for (const part of expected) await expect.element(dialog).toMatchTextContent(part);
      await expectAccessible();
      await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
      const fromList = dialog.element().textContent;
      await userEvent.keyboard('{Escape}');
      await closed(screen);
      await pressAOnLine(screen);
      await expect.element(screen.getByTestId('admin-confirm')).toBeVisible();
      expect(dialog.element().textContent).toBe(fromList);
    });
  }

  test('has every serious reason ticked off first, also one that comes while the question is open', async () => {
    const item = waiting({}, { reasons: [{ code: 'shared_card', severity: 'serious', accounts: 5, blocked: 0 }] });
    const screen = await ask(item, { approve: () => ({ transaction: approvedBy(item.transaction, 'Luis') }) });
    const confirm = screen.getByTestId('admin-confirm');
    const effect = screen.getByTestId('approval-effect');
    const card = screen.getByRole('checkbox', { name: 'Otras 5 cuentas pagaron con esta misma tarjeta.' });
    await expect.element(card).toHaveFocus();
    await expect.element(confirm).toBeDisabled();
    await expect.element(effect).toMatchTextContent(/^Para aprobar, marca antes cada motivo en rojo/);
    await expectAccessible();
    await userEvent.keyboard(' ');
    await expect.element(confirm).toBeEnabled();
    await expect.element(effect).toMatchTextContent(/^Se cobra la tarjeta/);
    const warned = [...item.review.reasons, { code: 'fraud_warning', severity: 'serious' } as const];
    live.push('admin:review-changed', { ...item.review, version: 2, reasons: warned });
    await expect.element(confirm).toBeDisabled();
    await screen.getByRole('checkbox', { name: /aviso|avisa/i }).click();
    await card.click();
    await expect.element(confirm).toBeDisabled();
    await card.click();
    await confirm.click();
    await closed(screen);
    expect(approvals()).toHaveLength(1);
  });

  test('has the focus on the decision as soon as its reasons are there, and Enter does nothing before', async () => {
    const item = waiting();
    const loaded = Promise.withResolvers<void>();
    const screen = await open([item], '/', {
      review: async () => {
        await loaded.promise;
        return { review: item.review };
      },
      approve: () => ({ transaction: approvedBy(item.transaction, adminSession.user.name) }),
    });
    await pressAOnLine(screen);
    await expect.element(screen.getByRole('dialog')).toBeVisible();
    await expect.element(screen.getByTestId('admin-confirm')).not.toBeInTheDocument();
    await expect.poll(() => document.activeElement?.hasAttribute('data-autofocus')).toBe(true);
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByRole('dialog')).toBeVisible();
    expect(approvals()).toEqual([]);
    loaded.resolve();
    await expect.element(screen.getByTestId('admin-confirm')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await closed(screen);
    expect(approvals()).toMatchObject([{ params: { id: item.review.id }, body: { approval_request_id: null } }]);
  });

  test('offers no approval while the review cannot be loaded', async () => {
    const item = waiting();
    const screen = await ask(item, { review: () => ({ failure: 'internal' }) });
    const dialog = screen.getByTestId('admin-decision');
    await expect.element(dialog.getByText('No se pudo cargar', { exact: true })).toBeVisible();
    await expect.element(screen.getByTestId('admin-confirm')).not.toBeInTheDocument();
    api.answer({ review: () => ({ review: item.review }) });
    await dialog.getByRole('button', { name: 'Reintentar' }).click();
    await expect.element(screen.getByTestId('admin-confirm')).toHaveFocus();
  });

  const colleague = { by: 'Luisa Rojas', by_id: crypto.randomUUID(), until: '2999-01-01T00:00:00.000Z' };
  const impossible: readonly [why: RegExp, transfer: Partial<AdminTransferView>, review: Partial<ReviewView>][] = [
    [/Primero di si el nombre/, {}, { screening: { ...clear, status: 'hit', hits: [hit] } }],
    [/solo se puede rechazar/, {}, { screening: { ...clear, status: 'blocked' } }],
    [/está en curso/, {}, { screening: { ...clear, status: 'pending' } }],
    [/no respondió/, {}, { screening: { ...clear, status: 'unavailable' } }],
    [/pueden no reconocer un nombre/, {}, { screening: { ...clear, status: 'unclear' } }],
    [/Ya la aprobaste/, {}, { needs_second: true, approval: { ...firstApproval, by_id: adminSession.user.id } }],
    [/La tiene Luisa Rojas/, {}, { claim: colleague }],
    [/Falta el destinatario/, { recipient: '', recipient_id: null }, {}],
    [/Es tu transferencia/, { user_id: adminSession.user.id }, {}],
  ];
  test.each(impossible)('says why there is nothing to approve: %s', async (why, transfer, review) => {
    const item = waiting(transfer, review);
    const screen = await open([item]);
    await pressAOnLine(screen);
    await expect.element(screen.getByTestId('decision-impossible')).toMatchTextContent(why);
    await expect.element(screen.getByTestId('admin-confirm')).not.toBeInTheDocument();
    await expect.element(screen.getByTestId('approval-effect')).not.toBeInTheDocument();
    await userEvent.keyboard('{Enter}');
    await closed(screen);
    expect(approvals()).toEqual([]);
  });

  test('says of the first of two approvals that nothing is charged yet', async () => {
    const item = waiting({}, { needs_second: true });
    const screen = await ask(item, { approve: () => ({ transaction: item.transaction }) });
    await expect
      .element(screen.getByTestId('approval-effect'))
      .toHaveTextContent('La tarjeta todavía no se cobra: después decide una segunda persona.');
    await expect.element(screen.getByTestId('admin-decision')).not.toMatchTextContent(/Se cobra la tarjeta/);
    const confirm = screen.getByTestId('admin-confirm');
    await expect.element(confirm).toHaveTextContent('Aprobar (1 de 2)');
    await confirm.click();
    await expect.element(screen.getByText(/La tarjeta todavía no se cobra: la tiene que aprobar/)).toBeVisible();
    expect(approvals()).toMatchObject([{ body: { approval_request_id: null } }]);
  });

  test('gives the second approval to the first one that was read, and not to another that came after it', async () => {
    const item = waiting({}, { needs_second: true, approval: firstApproval });
    const screen = await ask(item, { approve: () => ({ transaction: approvedBy(item.transaction, 'Luis') }) });
    const confirm = screen.getByTestId('admin-confirm');
    await expect.element(confirm).toHaveTextContent('Aprobar (2 de 2)');
    await expect.element(screen.getByTestId('approval-effect')).toMatchTextContent(/^Se cobra la tarjeta/);
    const other = { ...firstApproval, id: crypto.randomUUID(), by: 'Pedro Choque' };
    live.push('admin:review-changed', { ...item.review, version: 2, approval: other });
    await expect.element(screen.getByTestId('decision-impossible')).toMatchTextContent(/Pedro Choque la aprobó/);
    await expect.element(confirm).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Volver' }).click();
    await screen.getByTestId('admin-row').getByTestId('admin-approve').click();
    await confirm.click();
    await closed(screen);
    expect(approvals()).toMatchObject([{ body: { approval_request_id: other.id } }]);
  });

  test('becomes no second approval under the finger of who was giving the first', async () => {
    const item = waiting({}, { needs_second: true });
    const screen = await ask(item);
    await expect.element(screen.getByTestId('admin-confirm')).toBeVisible();
    live.push('admin:review-changed', { ...item.review, version: 2, approval: firstApproval });
    await expect.element(screen.getByTestId('admin-confirm')).not.toBeInTheDocument();
    await expect.element(screen.getByTestId('decision-impossible')).toMatchTextContent(/Carla Arce la aprobó/);
  });

  test('shows a colleague’s decision also after the first decision of a sitting', async () => {
    const [first, second] = [waiting({ user: 'Ana Quispe' }), waiting({ user: 'Pedro Choque' })];
    const screen = await open([first, second], '/', {
      approve: () => ({ transaction: approvedBy(first.transaction, adminSession.user.name) }),
    });
    await rowOf(screen, 'Ana Quispe').getByTestId('admin-approve').click();
    await screen.getByTestId('admin-confirm').click();
    await closed(screen);
    await rowOf(screen, 'Pedro Choque').getByTestId('admin-approve').click();
    await expect.element(screen.getByTestId('admin-confirm')).toBeVisible();
    live.push('admin:transfer-changed', approvedBy(second.transaction, 'Luisa Rojas'));
    await expect
      .element(screen.getByTestId('admin-decision-outcome'))
      .toHaveTextContent('Luisa Rojas ya aprobó esta transferencia.');
    await expect.element(screen.getByTestId('admin-confirm')).not.toBeInTheDocument();
  });

  test('carries nothing that was typed about one transfer into the question about another', async () => {
    const screen = await open([waiting({ user: 'Ana Quispe' }), waiting({ user: 'Pedro Choque' })]);
    await rowOf(screen, 'Ana Quispe').getByTestId('admin-reject').click();
    await screen.getByTestId('admin-reject-code').selectOptions('card_not_own');
    await screen.getByTestId('admin-reason').fill('tarjeta robada');
    // At once, while the question before is still fading out.
    (screen.getByRole('button', { name: 'Volver' }).element() as HTMLButtonElement).click();
    (rowOf(screen, 'Pedro Choque').getByTestId('admin-reject').element() as HTMLButtonElement).click();
    await expect.element(screen.getByRole('dialog')).toMatchTextContent(/Pedro Choque/);
    await expect.element(screen.getByTestId('admin-reason')).toHaveValue('');
    await expect.element(screen.getByTestId('admin-reject-code')).toHaveValue('');
  });

  test('says in red what a transfer costs us, where Stripe takes more than we earn', async () => {
    const item = waiting({ fee: '0.35', margin: '0.10' }, { processor_fee: '0.59' });
    const screen = await ask(item);
    const loss = /^Con este envío perdemos 0,14 EUR: Stripe cobra unos 0,59 EUR, más que la comisión y el margen/;
    await expect.element(screen.getByTestId('earned')).toMatchTextContent(loss);
    await expect.element(screen.getByTestId('earned')).toHaveAttribute('data-loses', 'true');
    await expect.element(screen.getByTestId('review-line').getByText('Perdemos 0,14 EUR')).toBeInTheDocument();
  });
});

test('a warning of fraud is a red badge in the list and comes first in the queue', async () => {
  const reasons: ReviewView['reasons'] = [
    { code: 'fraud_warning', severity: 'serious' },
    { code: 'first_transfer', severity: 'warning' },
  ];
  const screen = await open([waiting({ fraud_warning: 'misc' }, { reasons })]);
  await expect.element(screen.getByTestId('admin-row').getByTestId('fraud-badge')).toHaveTextContent('Aviso de fraude');
  await expect.element(screen.getByTestId('review-line').getByText('Aviso de fraude')).toBeVisible();
});
