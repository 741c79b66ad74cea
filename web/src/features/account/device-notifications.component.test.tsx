import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { queryClient } from '../../data/query-client.ts';
import { accountKeys } from '../../data/sender-query-keys.ts';
import { localStore } from '../../lib/storage.ts';
import { expectAccessibleAtAnyWidth } from '../../testing/accessibility.ts';
import { expectEnglishOnly, showEnglish } from '../../testing/english.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderApp } from '../../testing/render-app.tsx';
import NotifyOffer from '../shared/notify-offer.tsx';
import DeviceNotificationsSection from './device-notifications.tsx';

const api = installFakeApi();
const publicKey = 'BEkiQkZEuJwc6PkskNICAn6Sat8-oRB58CiwmS4HwN0wto_bzeurY_ChA-2HEsNF0gaen1Tr3g0cJHWuFpfD_AY';
const endpoint = 'https://push.example/1';
const keys = { p256dh: 'p', auth: 'a' };
const section = page.getByTestId('device-notifications');
const toggle = page.getByTestId('device-notifications-switch');

/** What the browser is asked for, and whether its push service answers. */
let asked: string[];
let here: string | null;
let kept: string | null;
let answersPermission: NotificationPermission;
let serviceAnswers: boolean;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A browser whose person answers its question in one way, and a server that keeps what it is given. */
function installBrowser(permission: NotificationPermission, { userAgent = 'Chrome', able = true } = {}) {
  [asked, here, kept, answersPermission, serviceAnswers] = [[], null, null, 'granted', true];
  queryClient.removeQueries({ queryKey: accountKeys.push });
  localStore.removeItem('chasqui_notify_offered');
  const subscription = () => ({
    ...{ endpoint, options: { applicationServerKey: null } },
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: async () => {
      here = null;
      return true;
    },
  });
  const registration = {
    pushManager: {
      getSubscription: async () => (here === null ? null : subscription()),
      subscribe: async () => {
        if (!serviceAnswers) throw new DOMException('push service error', 'AbortError');
        here = endpoint;
        return subscription();
      },
    },
    unregister: async () => true,
  };
  const serviceWorker = {
    register: async (file: string) => void asked.push(file),
    ready: Promise.resolve(registration),
    getRegistration: async () => registration,
  };
  const notification = {
    permission,
    requestPermission: async () => {
      asked.push('permission');
      notification.permission = answersPermission;
      return answersPermission;
    },
  };
  vi.stubGlobal('Notification', notification);
  vi.spyOn(navigator, 'serviceWorker', 'get').mockReturnValue(serviceWorker as unknown as ServiceWorkerContainer);
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
  if (able) vi.stubGlobal('PushManager', class {});
  api.answer({
    getPush: () => ({ publicKey, endpoint: kept, failing: false }),
    setPush: ({ body }) => {
      kept = (body as { endpoint: string }).endpoint;
      return { publicKey, endpoint: kept, failing: false };
    },
    endPush: () => {
      kept = null;
      return undefined;
    },
  });
}
const open = () => renderApp([{ path: '/', element: <DeviceNotificationsSection /> }]);

test('notifications are turned on by the switch alone, which has the browser ask, and off again', async () => {
  installBrowser('default');
  await open();
  await expect.element(section).toHaveAttribute('data-state', 'off');
  expect(asked).toEqual([]);
  await toggle.click();
  await expect.element(section).toHaveAttribute('data-state', 'on');
  await expect.element(page.getByRole('status')).toMatchTextContent(/Encendidos en este dispositivo/);
  expect(asked).toEqual(['permission', '/push-worker.js']);
  expect(api.calls.find(({ name }) => name === 'setPush')?.body).toEqual({ endpoint, ...keys });
  await toggle.click();
  await expect.element(section).toHaveAttribute('data-state', 'off');
  expect([here, kept]).toEqual([null, null]);
});

test('the switch says why it stays off: closed question, blocked, no push service, no connection', async () => {
  installBrowser('default');
  answersPermission = 'default';
  await open();
  await toggle.click();
  await expect.element(page.getByRole('alert')).toMatchTextContent(/elige «Permitir»/);
  answersPermission = 'granted';
  serviceAnswers = false;
  await toggle.click();
  await expect.element(page.getByRole('alert')).toMatchTextContent(/no llegó a su servicio de avisos/);
  serviceAnswers = true;
  api.answer({ setPush: () => 'no connection' });
  await toggle.click();
  await expect.element(page.getByRole('alert')).toMatchTextContent(/No hay conexión con Chasqui/);
  await expect.element(toggle).not.toBeChecked();
  answersPermission = 'denied';
  await toggle.click();
  await expect.element(section).toHaveAttribute('data-state', 'blocked');
  await expect.element(section).toMatchTextContent(/cambia Notificaciones a «Permitir»/);
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  await expectAccessibleAtAnyWidth();
});

test.each([
  ['needs_home_screen', { userAgent: 'iPhone', able: false }, /Añadir a pantalla de inicio/],
  ['unsupported', { able: false }, /no puede mostrar avisos/],
])('a device where notifications are %s says how they come', async (state, browser, text) => {
  installBrowser('default', browser);
  await open();
  await expect.element(section).toHaveAttribute('data-state', state);
  await expect.element(section).toMatchTextContent(text);
  await expect.element(toggle).toBeDisabled();
});

test('notifications say when the last one did not come, and when there are none here', async () => {
  installBrowser('granted');
  [here, kept] = [endpoint, endpoint];
  api.answer({ getPush: () => ({ publicKey, endpoint, failing: true }) });
  const { screen } = await open();
  await expect.element(section).toMatchTextContent(/El último aviso no llegó/);
  await screen.unmount();
  queryClient.removeQueries({ queryKey: accountKeys.push });
  api.answer({ getPush: () => ({ publicKey: null, endpoint: null, failing: false }) });
  await open();
  await expect.element(section).toMatchTextContent(/no enviamos avisos a dispositivos/);
});

test('who has paid is offered notifications once on a device, in English too, and nothing asks by itself', async () => {
  installBrowser('default');
  await showEnglish();
  const offer = page.getByTestId('notify-offer');
  const paid = (id: string) => renderApp([{ path: '/', element: <NotifyOffer transferId={id} /> }]);
  const first = await paid('one');
  await expect.element(offer).toBeVisible();
  expectEnglishOnly();
  expect(asked).toEqual([]);
  await first.screen.unmount();
  // The page of the same payment, loaded again.
  const again = await paid('one');
  await expect.element(offer).toBeVisible();
  await again.screen.unmount();
  const second = await paid('two');
  await expect.element(offer).not.toBeInTheDocument();
  await second.screen.unmount();
  await paid('one');
  await offer.click();
  await expect.element(page.getByRole('status')).toMatchTextContent(/we will notify you on this device/);
  expect(kept).toBe(endpoint);
});
