import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type AdminRole } from '#core/accounts/admin-roles';
import { permissions } from '#core/accounts/roles';
import type { MoneyStopView } from '#core/contracts/http/money-stops';
import { type StopCause, stopCauseNames, stopScopeNames } from '#core/money-stops/money-stop';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { openAsAdmin } from '../../../testing/admin-panel.tsx';
import { expectEnglishOnly, showEnglish } from '../../../testing/english.ts';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { installFakeLive } from '../../../testing/fake-live.ts';
import { expectKeyboardDialog } from '../../../testing/keyboard-dialog.ts';
import { adminSession } from '../../../testing/render-app.tsx';
import { AdminPanel } from '../admin-panel.tsx';
import { MoneyStops } from './money-stops.tsx';

const api = installFakeApi();
const live = installFakeLive();
beforeEach(() => page.viewport(1280, 900));

const anaId = '0199b2d0-0000-4000-8000-0000000000f1';
const sampleStop = (changes: Partial<MoneyStopView> = {}): MoneyStopView => ({
  id: '0199b2d0-0000-4000-8000-0000000000e1',
  version: 1,
  ...{ scope: 'payouts', rail: 'bank', reason: 'El banco paga dos veces', cause: null },
  ...{ set_by: 'Ana Quispe', set_by_id: anaId, set_at: '2026-11-21T14:00:00.000Z', lift: null },
  ...changes,
});
const sampleLift = (by: Pick<NonNullable<MoneyStopView['lift']>, 'requested_by' | 'requested_by_id'>) => ({
  ...{ ...by, reason: 'El banco responde bien', requested_at: '2026-11-21T15:00:00.000Z' },
});
const byAna = sampleLift({ requested_by: 'Ana Quispe', requested_by_id: anaId });
const { id: myId, name: myName } = adminSession.user;
const byMe = sampleLift({ requested_by: myName, requested_by_id: myId });

const asRole = (adminRole: AdminRole) => ({ ...adminSession, user: { ...adminSession.user, adminRole } });
const callsOf = (name: string) => api.calls.filter((call) => call.name === name);

describe('the banner', () => {
  const tabs = ['transfers', 'users', 'rates', 'operations'];

  test.each(tabs)('says on the tab %s who stopped what, when and why', async (tab) => {
    const { screen } = await openAsAdmin(api, <AdminPanel />, {
      address: `/?tab=${tab}`,
      moneyStops: () => ({
        stops: [sampleStop(), sampleStop({ id: crypto.randomUUID(), scope: 'captures', rail: null })],
      }),
    });
    const banner = screen.getByTestId('money-stop-banner');
    await expect.element(banner.first()).toHaveAttribute('role', 'alert');
    await expect
      .element(banner.first())
      .toMatchTextContent(
        /^Pagos por banco paradosAna Quispe, 21\/11\/2026, 10:00 \(hora de La Paz\): El banco paga dos/,
      );
    await expect.element(banner.nth(1)).toMatchTextContent(/^Cobros de tarjetas parados/);
    // On the tab of the stops there is nowhere to lead.
    expect(screen.getByRole('link', { name: 'Ver la parada' }).elements()).toHaveLength(tab === 'operations' ? 0 : 2);
    if (tab === 'operations') await expectAccessible();
  });

  test('appears and disappears in an open tab, and leads to the stop', async () => {
    const { screen, router } = await openAsAdmin(api, <AdminPanel />, { me: () => asRole('support') });
    await expect.element(screen.getByTestId('admin-tab-transfers')).toBeVisible();
    expect(screen.getByTestId('money-stop-banner').query()).toBeNull();
    api.answer({ moneyStops: () => ({ stops: [sampleStop({ lift: byAna })] }) });
    live.push('admin:money-stops-changed', { at: '2026-11-21T14:00:00.000Z' });
    await expect
      .element(screen.getByTestId('money-stop-banner'))
      .toMatchTextContent(/Ana Quispe pide levantar la parada: falta que otra persona lo confirme/);
    await screen.getByRole('link', { name: 'Ver la parada' }).click();
    expect(router.state.location.search).toBe('?tab=operations');
    api.answer({ moneyStops: () => ({ stops: [] }) });
    live.push('admin:money-stops-changed', { at: '2026-11-21T16:00:00.000Z' });
    await expect.element(screen.getByTestId('money-stop-banner')).not.toBeInTheDocument();
  });

  const causeTexts: Record<StopCause, RegExp> = {
    insufficient_funds: /El sistema, .*: en el banco no hay saldo para los pagos/,
    daily_limit: /El sistema, .*: los pagos llegaron al límite diario del banco/,
  };

  test.each(stopCauseNames)('names the system and its cause: %s', async (cause) => {
    const stop = sampleStop({ reason: null, cause, set_by: null, set_by_id: null });
    const { screen } = await openAsAdmin(api, <AdminPanel />, { moneyStops: () => ({ stops: [stop] }) });
    await expect.element(screen.getByTestId('money-stop-banner')).toMatchTextContent(causeTexts[cause]);
  });
});

describe('stopping money', () => {
  test('is done with the keyboard: what stops and what continues is said before', async () => {
    const { screen } = await openAsAdmin(api, <MoneyStops />);
    await expect.element(screen.getByText('Ninguna parada: los cobros y los pagos siguen.')).toBeVisible();
    const ready = () => expect.element(screen.getByTestId('money-stop-reason')).toBeVisible();
    const opener = screen.getByTestId('money-stop-open');
    await expectKeyboardDialog('features/admin/money-stops/stop-dialog.tsx', opener, { ready });
    const dialog = screen.getByTestId('money-stop-dialog');
    await screen.getByTestId('money-stop-confirm').click();
    await expect.element(dialog).toMatchTextContent(/Elige qué se para.*Escribe el motivo: queda registrado/);
    expect(callsOf('setMoneyStop')).toEqual([]);
    (screen.getByTestId('money-stop-captures').element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowDown}');
    await expect
      .element(screen.getByTestId('money-stop-effect'))
      .toMatchTextContent(
        /Se para: El banco no recibe ningún pago nuevo\..*Sigue: Cobrar lo aprobado, liberar tarjetas, devolver/,
      );
    await expect.element(dialog).toMatchTextContent(/no se detiene\. Para levantar la parada hacen falta dos personas/);
    await expectAccessible();
    await userEvent.fill(screen.getByTestId('money-stop-reason'), ' El banco paga dos veces ');
    const stops = [sampleStop()];
    api.answer({ setMoneyStop: () => ({ stops }), moneyStops: () => ({ stops }) });
    await userEvent.click(screen.getByRole('button', { name: 'Parar los pagos' }));
    await expect.element(screen.getByTestId('money-stop')).toMatchTextContent(/^Pagos por banco parados/);
    await expect.element(dialog).not.toBeInTheDocument();
    const body = { scope: 'payouts', rail: 'bank', reason: 'El banco paga dos veces' };
    expect(callsOf('setMoneyStop').map((call) => call.body)).toEqual([body]);
    await expect.poll(() => document.activeElement).toBe(screen.getByTestId('money-stop-open').element());
  });

  test('offers no stop that is active, and says so when another admin was first', async () => {
    const { screen } = await openAsAdmin(api, <MoneyStops />, {
      moneyStops: () => ({ stops: [sampleStop()] }),
      setMoneyStop: () => ({ failure: 'money_stop_active', status: 409 }),
    });
    await screen.getByTestId('money-stop-open').click();
    await expect.element(screen.getByTestId('money-stop-bank')).toBeDisabled();
    await screen.getByTestId('money-stop-everything').click();
    await userEvent.fill(screen.getByTestId('money-stop-reason'), 'Prueba');
    const both = [sampleStop(), sampleStop({ id: crypto.randomUUID(), scope: 'everything', rail: null })];
    api.answer({ moneyStops: () => ({ stops: both }) });
    await screen.getByTestId('money-stop-confirm').click();
    await expect.element(screen.getByTestId('money-stop-refused')).toMatchTextContent('Mensaje de money_stop_active.');
    await expect.element(screen.getByTestId('money-stop-everything')).toBeDisabled();
  });

  test('is offered to the roles that may, and support sees what is stopped alone', async () => {
    expect(permissions.setMoneyStop).not.toContain('support');
    const { screen } = await openAsAdmin(api, <MoneyStops />, {
      me: () => asRole('support'),
      moneyStops: () => ({ stops: [sampleStop({ lift: byAna })] }),
    });
    await expect.element(screen.getByTestId('money-stop')).toMatchTextContent(/Tu rol no lo permite/);
    expect(screen.getByTestId('money-stop-open').query()).toBeNull();
    expect(screen.getByTestId('money-stop-confirm-lift').query()).toBeNull();
  });
});

describe('lifting a stop', () => {
  test('is requested with a reason, and its author can only withdraw that', async () => {
    const { screen } = await openAsAdmin(api, <MoneyStops />, {
      moneyStops: () => ({ stops: [sampleStop()] }),
      requestLift: () => ({ stops: [sampleStop({ lift: byMe })] }),
      declineLift: () => ({ stops: [sampleStop()] }),
    });
    await screen.getByTestId('money-stop-lift-open').click();
    await screen.getByTestId('money-stop-lift-confirm').click();
    await expect.element(screen.getByText('Escribe el motivo')).toBeVisible();
    await userEvent.fill(screen.getByTestId('money-stop-lift-reason'), 'El banco responde bien');
    await screen.getByTestId('money-stop-lift-confirm').click();
    await expect.element(screen.getByTestId('money-stop-request')).toMatchTextContent(/Pediste levantarla/);
    expect(callsOf('requestLift').map((call) => call.body)).toEqual([{ reason: 'El banco responde bien' }]);
    expect(screen.getByTestId('money-stop-confirm-lift').query()).toBeNull();
    await screen.getByRole('button', { name: 'Retirar el pedido' }).click();
    await expect.element(screen.getByTestId('money-stop-lift-open')).toBeVisible();
  });

  test('is confirmed by another person, with two presses', async () => {
    const { screen } = await openAsAdmin(api, <MoneyStops />, {
      moneyStops: () => ({ stops: [sampleStop({ lift: byAna })] }),
      confirmLift: () => ({ stops: [] }),
    });
    const request = screen.getByTestId('money-stop-request');
    await expect.element(request).toMatchTextContent(/Ana Quispe pide levantarla.*Motivo: El banco responde bien/);
    await screen.getByRole('button', { name: 'Confirmar' }).click();
    expect(callsOf('confirmLift')).toEqual([]);
    await screen.getByRole('button', { name: 'Sí, levantarla' }).click();
    await expect.element(screen.getByText('Ninguna parada: los cobros y los pagos siguen.')).toBeVisible();
  });

  test('is refused where the request lapsed, and what holds now is shown', async () => {
    const { screen } = await openAsAdmin(api, <MoneyStops />, {
      moneyStops: () => ({ stops: [sampleStop({ lift: byAna })] }),
      confirmLift: () => ({ failure: 'lift_not_requested', status: 409 }),
    });
    await screen.getByTestId('money-stop-confirm-lift').click();
    api.answer({ moneyStops: () => ({ stops: [sampleStop()] }) });
    await screen.getByTestId('money-stop-confirm-lift').click();
    await expect.element(screen.getByTestId('money-stop-refused')).toMatchTextContent('Mensaje de lift_not_requested.');
    await expect.element(screen.getByTestId('money-stop-lift-open')).toBeVisible();
  });
});

test('stops that could not be loaded can be loaded again', async () => {
  const { screen } = await openAsAdmin(api, <MoneyStops />, { moneyStops: () => 'no connection' });
  const again = screen.getByRole('button', { name: 'Reintentar' });
  await expect.element(again).toBeVisible();
  api.answer({ moneyStops: () => ({ stops: [] }) });
  await again.click();
  await expect.element(screen.getByText('Ninguna parada: los cobros y los pagos siguen.')).toBeVisible();
});

test('every stop is shown in English alone, at any width', async () => {
  await showEnglish();
  const said = { reason: 'XYZ' };
  const stops = [
    ...stopScopeNames.map((scope) => sampleStop({ id: crypto.randomUUID(), scope, rail: null, ...said })),
    sampleStop({ reason: null, cause: 'insufficient_funds', set_by: null, lift: { ...byAna, ...said } }),
  ];
  const { screen } = await openAsAdmin(api, <AdminPanel />, {
    address: '/?tab=operations',
    moneyStops: () => ({ stops }),
  });
  await expect.element(screen.getByTestId('money-stop').nth(3)).toBeVisible();
  for (const width of [1280, 390]) {
    await page.viewport(width, 900);
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    expectEnglishOnly();
  }
  await screen.getByTestId('money-stop-open').click();
  await expect.element(screen.getByTestId('money-stop-reason')).toBeVisible();
  expectEnglishOnly();
  await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await expectAccessible();
});
