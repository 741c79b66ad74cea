import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { RateChangeView } from '#core/contracts/http/admin-rates';
import { expectAccessible, expectAccessibleAtAnyWidth } from '../../../testing/accessibility.ts';
import { openAsAdmin, sampleChange, sampleRates } from '../../../testing/admin-panel.tsx';
import { covers, expectText } from '../../../testing/conformance.ts';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { installFakeLive } from '../../../testing/fake-live.ts';
import { expectKeyboardDialog } from '../../../testing/keyboard-dialog.ts';
import { adminSession } from '../../../testing/render-app.tsx';
import { RateDesk } from './rate-desk.tsx';

const api = installFakeApi();
const live = installFakeLive();
beforeEach(() => page.viewport(1280, 900));

const hourMs = 3_600_000;
/** A moment as the field for date and hour has it, in La Paz. */
const inLaPaz = (ms: number) => new Date(ms - 4 * hourMs).toISOString().slice(0, 16);
const mine = { setBy: adminSession.user.name, setById: adminSession.user.id };
const bodies = (name: 'setRate' | 'confirmRateChange' | 'declineRateChange') =>
  api.calls.filter((call) => call.name === name).map(({ body }) => body);
const outcome = (change: RateChangeView) => ({ change, inForce: sampleRates().currencies.USD.inForce });

test('a rate that one admin may set alone is typed with two decimals at most, saved once and shown as in force', async () => {
  const { screen } = await openAsAdmin(api, <RateDesk />);
  const field = screen.getByTestId('admin-rate-input-EUR');
  const save = screen.getByTestId('admin-rate-save-EUR');
  await expect.element(save).toBeDisabled();
  for (const [typed, kept] of [
    ['abc', ''],
    ['-13', '13'],
    ['13,387', '13,38'],
  ] as const) {
    await userEvent.clear(field);
    await userEvent.type(field, typed);
    await expect.element(field).toHaveValue(kept);
    if (kept) await expect.element(save).toBeEnabled();
    else await expect.element(save).toBeDisabled();
  }
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(field).toHaveValue('13,39');
  covers('rule admin rate entry');
  const answer = Promise.withResolvers<void>();
  const changed = sampleChange({ ...mine, currency: 'EUR', rate: '13.39', state: 'activated', guardRails: [] });
  api.answer({
    setRate: async () => {
      await answer.promise;
      return outcome(changed);
    },
  });
  await save.dblClick();
  await expectText('message admin: rate busy');
  const after = sampleRates();
  const { EUR } = after.currencies;
  const inForce = EUR.inForce && { ...EUR.inForce, rate: '13.39' };
  api.answer({ rateManagement: () => ({ ...after, currencies: { ...after.currencies, EUR: { ...EUR, inForce } } }) });
  answer.resolve();
  await expect.element(screen.getByTestId('admin-rate-current-EUR')).toHaveAttribute('data-rate', '13.39');
  await expect.element(screen.getByTestId('admin-rate-EUR').getByText('Actualizado', { exact: true })).toBeVisible();
  covers('message admin: rate updated');
  await expect.element(field).toHaveValue('');
  expect(bodies('setRate')).toEqual([{ rate: '13.39', currency: 'EUR' }]);
});

test('the market’s figures stand beside the rate, the proposal fills the field, and the sources open by keyboard', async () => {
  const { screen } = await openAsAdmin(api, <RateDesk />);
  const panel = screen.getByTestId('admin-rate-USD');
  for (const part of [/11,80 Bs1 fuente/, /11,20 BsRia/, /Propuesta11,56 Bs/])
    await expect.element(panel).toMatchTextContent(part);
  await screen.getByTestId('admin-rate-proposal-USD').click();
  await expect.element(screen.getByTestId('admin-rate-input-USD')).toHaveValue('11,56');
  await expect.element(screen.getByTestId('admin-rate-input-USD')).toHaveFocus();
  await expectKeyboardDialog('features/admin/rates/market.tsx', screen.getByTestId('admin-rate-sources-USD'));
  await expect.element(screen.getByText('Mediana de estas fuentes', { exact: false })).toBeVisible();
  await expectAccessibleAtAnyWidth();
});

test('a rate beyond a guard-rail asks for a reason at the field, and then waits for a second person', async () => {
  const { screen } = await openAsAdmin(api, <RateDesk />, {
    setRate: () => ({ failure: 'rate_reason_required', status: 422, guardRails: ['step_too_large'] }),
  });
  await screen.getByTestId('admin-rate-input-USD').fill('14,5');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByTestId('admin-rate-needed')).toMatchTextContent(/20,00 %/);
  const reason = screen.getByTestId('admin-rate-reason-USD');
  await expect.element(reason).toHaveFocus();
  await screen.getByTestId('admin-rate-save-USD').click();
  await expect.element(screen.getByText(/^Escribe el motivo/)).toBeVisible();
  await expectAccessible();
  const waiting = sampleChange(mine);
  api.answer({ setRate: () => outcome(waiting), rateManagement: () => sampleRates({ USD: waiting }) });
  await reason.fill('El mercado saltó\nesta mañana');
  await screen.getByTestId('admin-rate-save-USD').click();
  const open = screen.getByTestId('admin-rate-open-USD');
  await expect.element(open).toMatchTextContent(/Lo pediste tú.*Lo tiene que confirmar otra persona/);
  await expect.element(screen.getByTestId('admin-rate-confirm-USD')).not.toBeInTheDocument();
  await expect.element(screen.getByTestId('admin-rate-input-USD')).not.toBeInTheDocument();
  // The focus was on a form that is gone: it stays in this part of the page.
  await expect.element(screen.getByTestId('admin-rate-desk')).toHaveFocus();
  await expect.element(screen.getByText('Cambio en espera')).toBeVisible();
  expect(bodies('setRate')).toEqual([
    { rate: '14.50', currency: 'USD' },
    { rate: '14.50', currency: 'USD', reason: 'El mercado saltó esta mañana' },
  ]);
});

test('a rate that cannot be saved says why and keeps what was typed', async () => {
  const { screen } = await openAsAdmin(api, <RateDesk />, { setRate: () => 'no connection' });
  await screen.getByTestId('admin-rate-input-USD').fill('11,6');
  await screen.getByTestId('admin-rate-save-USD').click();
  await expect.element(screen.getByText('No se pudo actualizar la tasa')).toBeVisible();
  await expect.element(screen.getByTestId('admin-rate-input-USD')).toHaveValue('11,6');
});

test('a second admin reads who asks for which rate and why, and confirms it once with the keyboard', async () => {
  const change = sampleChange();
  const { screen } = await openAsAdmin(api, <RateDesk />, {
    rateManagement: () => sampleRates({ USD: change }),
    confirmRateChange: () => outcome({ ...change, state: 'activated', decidedBy: adminSession.user.name }),
  });
  const open = screen.getByTestId('admin-rate-open-USD');
  for (const part of [
    /Lo pide Ana Quispe/,
    /11,55 → 14,50 Bs/,
    /\+25,5 %/,
    /El mercado saltó esta mañana/,
    /20,00 %/,
    /Vence/,
  ])
    await expect.element(open).toMatchTextContent(part);
  await expectAccessible();
  api.answer({ rateManagement: () => sampleRates() });
  (screen.getByTestId('admin-rate-confirm-USD').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}{Enter}');
  await expect.element(open).not.toBeInTheDocument();
  await expect.element(screen.getByTestId('admin-rate-desk')).toHaveFocus();
  expect(bodies('confirmRateChange')).toHaveLength(1);
});

for (const [button, change] of [
  ['Descartar', sampleChange()],
  ['Retirar', sampleChange(mine)],
  ['Cancelar el cambio', sampleChange({ state: 'scheduled', guardRails: [], activateAt: '2026-11-25T12:00:00.000Z' })],
] as const) {
  test(`an open change is put aside with "${button}", and the field for the next rate is back`, async () => {
    const { screen } = await openAsAdmin(api, <RateDesk />, {
      rateManagement: () => sampleRates({ USD: change }),
      declineRateChange: () => outcome({ ...change, state: 'declined' }),
    });
    const decline = screen.getByTestId('admin-rate-decline-USD');
    await expect.element(decline).toMatchTextContent(button);
    api.answer({ rateManagement: () => sampleRates() });
    await decline.click();
    await expect.element(screen.getByTestId('admin-rate-input-USD')).toBeVisible();
    await expect.element(screen.getByText('La tasa vigente sigue igual.')).toBeVisible();
  });
}

test('a change that another admin decided meanwhile says so and goes', async () => {
  const { screen } = await openAsAdmin(api, <RateDesk />, {
    rateManagement: () => sampleRates({ USD: sampleChange() }),
    confirmRateChange: () => ({ failure: 'rate_change_closed', status: 409 }),
  });
  await expect.element(screen.getByTestId('admin-rate-confirm-USD')).toBeVisible();
  api.answer({ rateManagement: () => sampleRates() });
  await screen.getByTestId('admin-rate-confirm-USD').click();
  await expect.element(screen.getByText('No se pudo decidir el cambio')).toBeVisible();
  await expect.element(screen.getByTestId('admin-rate-open-USD')).not.toBeInTheDocument();
});

test('a rate is scheduled for an hour of La Paz that has not passed, with a reason', async () => {
  const { screen } = await openAsAdmin(api, <RateDesk />);
  await screen.getByTestId('admin-rate-input-EUR').fill('11,50');
  await screen.getByTestId('admin-rate-more-EUR').click();
  await screen.getByTestId('admin-rate-when-EUR').getByText('A una hora').click();
  const hour = screen.getByTestId('admin-rate-hour-EUR');
  const save = screen.getByTestId('admin-rate-save-EUR');
  await expect.element(save).toMatchTextContent('Programar tasa');
  for (const [at, problem] of [
    [inLaPaz(Date.now() - hourMs), 'Elige una hora que todavía no haya pasado'],
    [inLaPaz(Date.now() + 31 * 24 * hourMs), 'Elige una hora dentro de los próximos 30 días'],
  ] as const) {
    await hour.fill(at);
    await save.click();
    await expect.element(screen.getByText(problem)).toBeVisible();
    await expect.element(hour).toHaveFocus();
  }
  const at = inLaPaz(Date.now() + 26 * hourMs);
  await hour.fill(at);
  await save.click();
  await expect.element(screen.getByText(/^Escribe el motivo/)).toBeVisible();
  await expectAccessible();
  const activateAt = new Date(Date.parse(`${at}:00Z`) + 4 * hourMs).toISOString();
  const scheduled = sampleChange({ ...mine, currency: 'EUR', rate: '11.50', state: 'scheduled', activateAt });
  api.answer({ setRate: () => outcome(scheduled), rateManagement: () => sampleRates({ EUR: scheduled }) });
  await screen.getByTestId('admin-rate-reason-EUR').fill('Antes del feriado');
  await save.click();
  const open = screen.getByTestId('admin-rate-open-EUR');
  await expect.element(open).toMatchTextContent(new RegExp(`${at.slice(11)} \\(hora de La Paz\\)`));
  expect(bodies('setRate')).toEqual([{ rate: '11.50', currency: 'EUR', reason: 'Antes del feriado', activateAt }]);
});

test('what another admin asks for and what comes into force are seen without a reload', async () => {
  const { screen } = await openAsAdmin(api, <RateDesk />);
  await expect.element(screen.getByTestId('admin-rate-current-USD')).toHaveAttribute('data-rate', '11.55');
  const change = sampleChange();
  api.answer({ rateManagement: () => sampleRates({ USD: change }) });
  live.push('admin:rate-change-updated', { change });
  await expect.element(screen.getByTestId('admin-rate-open-USD')).toBeVisible();
  const { USD, EUR } = sampleRates().currencies;
  if (!USD.inForce || !EUR.inForce) throw new Error('the sample has rates');
  const inForce = { ...USD.inForce, rate: '14.50' };
  api.answer({ rateManagement: () => 'no connection' });
  live.push('rate:changed', { ...inForce, rates: { USD: inForce, EUR: EUR.inForce } });
  await expect.element(screen.getByTestId('admin-rate-current-USD')).toHaveAttribute('data-rate', '14.50');
});
