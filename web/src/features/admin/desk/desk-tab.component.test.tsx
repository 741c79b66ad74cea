import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type CaseReason, caseReasonNames } from '#core/operations/desk-case';
import { deskCaseKeys } from '../../../data/admin-query-keys.ts';
import { queryClient } from '../../../data/query-client.ts';
import { useLiveStatus } from '../../../lib/live.ts';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { openDesk } from '../../../testing/admin-panel.tsx';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { sampleTransfer } from '../../../testing/sample-admin-transfer.ts';
import { sampleCase, sampleDispute, sampleOperation } from '../../../testing/sample-case.ts';

const api = installFakeApi();

/** What the row of each reason has to say. */
const expected: Readonly<Record<CaseReason, RegExp>> = {
  operation_slow: /Llevamos 12 intentos de pagar a la familia sin una respuesta segura\. Se sigue intentando/,
  operation_abandoned: /Hicimos 12 intentos de pagar a la familia.*Ya no se intenta más/,
  operation_refused: /El banco rechazó nuestra solicitud de pagar a la familia/,
  names_not_cleared: /se parece a uno de las listas de sanciones.*sin ese control no se paga/,
  payout_not_allowed: /se niega a pagar a esta persona/,
  payout_unexplained: /con un código que no conocemos/,
  payout_rejected: /El banco rechazó la cuenta o a su titular/,
  payout_returned: /El banco pagó y después devolvió todo/,
  payout_returned_in_part: /devolvió una parte/,
  refund_failed: /La tarjeta rechazó la devolución/,
  refund_outside: /desde el panel de Stripe/,
  captured_in_part: /se cobró menos de lo acordado/,
  sender_blocked: /Nada se cobra ni se paga/,
  recipient_changed: /otra persona u otra cuenta después de la aprobación/,
  settlement_by_hand: /Nadie más puede mover este dinero/,
  fraud_warning: /puede ser un fraude.*antes de que lo disputen/,
  dispute_inquiry: /todavía no se llevó el dinero/,
  dispute_opened: /disputa el cobro.*plazo para las pruebas/,
  dispute_lost: /se queda con el titular/,
  correction_failed: /se escribe en la pestaña Reclamos/,
  books_differ: /Se resuelve en la pestaña Conciliación/,
  contradiction: /no puede ser cierto/,
};

/** What the row of each reason says that it costs to wait. */
const costs: Readonly<Record<CaseReason, RegExp>> = {
  operation_slow: /la familia sigue sin Bs 1\.291,17, y quien ya los pagó puede disputar/,
  operation_abandoned: /la familia sigue sin Bs 1\.291,17/,
  operation_refused: /la familia sigue sin Bs 1\.291,17/,
  names_not_cleared: /la familia sigue sin Bs 1\.291,17/,
  payout_not_allowed: /la familia sigue sin Bs 1\.291,17/,
  payout_unexplained: /la familia sigue sin Bs 1\.291,17/,
  payout_rejected: /sin otra cuenta hasta el 05\/12\/2026, 11:00 \(hora de La Paz\), el dinero vuelve/,
  payout_returned: /sin otra cuenta hasta el 05\/12\/2026/,
  payout_returned_in_part: /faltando lo que volvió/,
  refund_failed: /sin los 75,00 EUR que le debemos/,
  refund_outside: /falta saber quién lo hizo/,
  captured_in_part: /su familia no recibe nada/,
  sender_blocked: /se queda donde está/,
  recipient_changed: /la familia sigue sin Bs 1\.291,17/,
  settlement_by_hand: /los libros no lo saben/,
  fraud_warning: /puede llegar una disputa/,
  dispute_inquiry: /sin respuesta hasta el 30\/11\/2026, 19:59 \(hora de La Paz\)/,
  dispute_opened: /sin pruebas hasta el 30\/11\/2026, 19:59 \(hora de La Paz\), la disputa se pierde/,
  dispute_lost: /la pérdida ya está en los libros/,
  correction_failed: /sigue sin corregir, y su plazo corre/,
  books_differ: /el día no se puede cerrar/,
  contradiction: /puede faltar dinero/,
};

/** What a row says the case is about, where it is not the amount of its operation. */
const stakes: Readonly<Partial<Record<CaseReason, RegExp>>> = {
  payout_returned_in_part: /Bs 250,00 en espera/,
  refund_failed: /75,00 EUR en espera/,
  fraud_warning: /100,00 EUR en riesgo/,
  refund_outside: /25,00 EUR devueltos/,
  dispute_inquiry: /100,00 EUR en disputa/,
  dispute_opened: /100,00 EUR en disputa/,
  dispute_lost: /40,00 EUR perdidos/,
};

const states = {
  payout_rejected: 'payout_failed',
  payout_returned: 'payout_failed',
  payout_returned_in_part: 'completed',
  refund_failed: 'refunding',
  refund_outside: 'completed',
  fraud_warning: 'completed',
  dispute_lost: 'completed',
} as const;

const caseOf = (reason: CaseReason) =>
  sampleCase({
    reason,
    operation: reason === 'fraud_warning' ? null : sampleOperation({ attempts: 12, returned: '250.00' }),
    owed: '75.00',
    disputes: reason.startsWith('dispute_')
      ? [sampleDispute(), sampleDispute({ id: 'du_2', amount: '40.00', status: 'lost', can_respond: false })]
      : [],
    transaction: sampleTransfer({
      state: reason in states ? states[reason as keyof typeof states] : 'captured',
      correct_account_by: '2026-12-05T15:00:00.000Z',
    }),
  });

test('the desk says of every reason what happened and what it costs to wait, at any width', async () => {
  const { screen } = await openDesk(api, caseReasonNames.map(caseOf));
  const rows = screen.getByTestId('desk-case');
  for (const width of [390, 1280]) {
    await page.viewport(width, 900);
    await expect.poll(() => rows.elements().length).toBe(caseReasonNames.length);
    for (const [index, reason] of caseReasonNames.entries()) {
      const row = rows.elements()[index] as HTMLElement;
      const text = (row.textContent ?? '').replaceAll(/\s/g, ' ');
      expect(row.dataset.reason).toBe(reason);
      expect(text).toMatch(expected[reason]);
      expect(row.querySelector('[data-testid=desk-cost]')?.textContent?.replaceAll(/\s/g, ' ')).toMatch(costs[reason]);
      expect(text).toMatch(stakes[reason] ?? /Bs 1\.291,17 en espera/);
      expect(text).toMatch(/21\/11\/2026, 11:00/);
      expect(text).toMatch(/Nadie lo tiene/);
    }
    await expectAccessible();
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  }
});

test('the desk says that nothing waits, and shows what was resolved on demand', async () => {
  const { screen } = await openDesk(api, []);
  await expect.element(screen.getByText('Nada necesita a una persona ahora')).toBeVisible();
  const resolved = sampleCase({ resolved_at: '2026-11-21T18:30:00.000Z', outcome: 'paid', actions: [] });
  api.answer({ deskCases: () => ({ items: [resolved], nextCursor: null }) });
  await screen.getByText('Resueltos').click();
  await expect
    .element(screen.getByTestId('desk-case'))
    .toMatchTextContent(/La familia recibió el dinero\.\s*21\/11\/2026, 14:30/);
  await expectAccessible();
});

test('the list of cases is narrowed by reason, age and keeper, and its address keeps that', async () => {
  const { screen, router } = await openDesk(api, [sampleCase()]);
  await expect.element(screen.getByTestId('desk-case')).toBeVisible();
  api.answer({ deskCases: ({ query }) => ({ items: query.assigned ? [] : [sampleCase()], nextCursor: null }) });
  await screen.getByTestId('desk-filter-reason').selectOptions('Disputa de la tarjeta');
  await screen.getByTestId('desk-filter-age').selectOptions('Más de 1 día');
  await screen.getByTestId('desk-filter-keeper').selectOptions('Los míos');
  await expect.element(screen.getByText('Ningún caso es así')).toBeVisible();
  const filter = { reason: 'dispute_opened', older_than_hours: '24', assigned: 'me' };
  expect(api.calls.at(-1)).toMatchObject({ name: 'deskCases', query: { ...filter, status: 'open', limit: '50' } });
  expect(router.state.location.search).toBe(`?${new URLSearchParams(filter)}`);
  await expectAccessible();
  await screen.getByTestId('desk-filter-clear').click();
  await expect.element(screen.getByTestId('desk-case')).toBeVisible();
  expect(router.state.location.search).toBe('');
});

test('the list of cases goes on beyond its first page', async () => {
  const { screen } = await openDesk(api, []);
  await expect.element(screen.getByText('Nada necesita a una persona ahora')).toBeVisible();
  const [first, second] = [sampleCase(), sampleCase()];
  api.answer({
    deskCases: ({ query }) =>
      query.cursor === 'next' ? { items: [second], nextCursor: null } : { items: [first], nextCursor: 'next' },
  });
  await queryClient.refetchQueries({ queryKey: deskCaseKeys.all });
  await screen.getByTestId('desk-more').click();
  await expect.poll(() => screen.getByTestId('desk-case').elements().length).toBe(2);
  await expect.element(screen.getByTestId('desk-more')).not.toBeInTheDocument();
});

test('the desk offers to try again when it cannot be loaded, and says above old cases that they may have changed', async () => {
  const { screen } = await openDesk(api, [sampleCase()]);
  await expect.element(screen.getByTestId('desk-case')).toBeVisible();
  api.answer({ deskCases: () => 'no connection' });
  await queryClient.refetchQueries({ queryKey: deskCaseKeys.all });
  await expect.element(screen.getByRole('alert')).toBeVisible();
  await expect.element(screen.getByTestId('desk-case')).toBeVisible();
  api.answer({ deskCases: () => ({ items: [], nextCursor: null }) });
  await screen.getByRole('button', { name: 'Reintentar' }).click();
  await expect.element(screen.getByText('Nada necesita a una persona ahora')).toBeVisible();
});

test('the desk says when it is not live, and stops saying so', async () => {
  const { screen } = await openDesk(api, []);
  useLiveStatus.setState({ connected: false, everConnected: true });
  await expect.element(screen.getByTestId('desk-not-live')).toBeVisible();
  useLiveStatus.setState({ connected: true });
  await expect.element(screen.getByTestId('desk-not-live')).not.toBeInTheDocument();
});

test('a case is opened and left with the keyboard, and its address names it', async () => {
  const one = sampleCase();
  const { screen, router } = await openDesk(api, [one], one.id);
  await expect.element(screen.getByTestId('desk-details')).toBeVisible();
  await expect.element(screen.getByTestId('desk-operations')).toMatchTextContent(/Pago al banco.*HTTP 422/);
  await screen.getByTestId('desk-note-text').click();
  (document.activeElement as HTMLElement).dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, code: 'Escape' }),
  );
  await expect.poll(() => router.state.location.search).toBe('');
});
