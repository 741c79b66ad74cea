import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import { type PushFacts, pushState } from './push.ts';

const on: PushFacts = {
  ...{ publicKey: 'key', kept: 'https://push.example/1', here: 'https://push.example/1' },
  ...{ supported: true, isApplePhone: false, permission: 'granted' },
};

test.each<[string, Partial<PushFacts>]>([
  ['on', {}],
  ['off', { permission: 'default', here: null, kept: null }],
  // Turned off elsewhere, or the session is another one.
  ['off', { kept: null }],
  ['off', { here: null }],
  ['off', { here: 'https://push.example/2' }],
  ['blocked', { permission: 'denied' }],
  ['unsupported', { supported: false, permission: 'default', here: null }],
  ['needs_home_screen', { supported: false, isApplePhone: true, permission: 'default', here: null }],
  ['unavailable', { publicKey: null, supported: false }],
])('notifications on a device are %s with %o', (state, facts) => {
  expect(pushState({ ...on, ...facts })).toBe(state);
});

/** The file that browsers run for notifications, in a browser with these pages open. */
function startWorker({ pages = [] as { url: string; focused: boolean }[], service = 'fcm.googleapis.com' } = {}) {
  type Handler = (event: object) => void;
  const handlers = new Map<string, Handler>();
  const open = pages.map((page) => ({ ...page, focus: vi.fn() }));
  const shown = { close: vi.fn() };
  const worker = {
    location: { origin: 'https://chasqui.example' },
    clients: { matchAll: async () => open, openWindow: vi.fn() },
    registration: {
      showNotification: vi.fn(async () => undefined),
      getNotifications: async () => [shown],
      pushManager: {
        getSubscription: async () => ({ endpoint: `https://${service}/1` }),
        subscribe: async () => subscriptionAt('https://push.example/new'),
      },
    },
    addEventListener: (name: string, handler: Handler) => handlers.set(name, handler),
  };
  const fetch = vi.fn(async (_path: string, _options?: object) => ({
    ok: true,
    json: async () => ({ endpoint: 'old' }),
  }));
  runInNewContext(readFileSync(new URL('../../public/push-worker.js', import.meta.url), 'utf8'), {
    ...{ self: worker, fetch, URL },
  });
  const happen = async (name: string, event: object) => {
    const waited: Promise<unknown>[] = [];
    handlers.get(name)?.({ ...event, waitUntil: (work: Promise<unknown>) => waited.push(work) });
    await Promise.all(waited);
  };
  const data = {
    title: 'Aprobamos tu envío',
    body: 'Envío TR1.',
    lang: 'es',
    tag: 't-3',
    address: '/dashboard?envio=t',
    at: 1,
  };
  return {
    ...{ worker, open, shown, fetch, handlers },
    push: () => happen('push', { data: { json: () => data } }),
    press: (address: string) => happen('notificationclick', { notification: { close: vi.fn(), data: { address } } }),
    change: (event: object) => happen('pushsubscriptionchange', event),
  };
}

const subscriptionAt = (endpoint: string) => ({
  endpoint,
  toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
});

describe('the file that shows notifications', () => {
  test('shows one for each step, which a repeated one replaces', async () => {
    const { worker, push } = startWorker({ pages: [{ url: 'https://chasqui.example/', focused: false }] });
    await push();
    expect(worker.registration.showNotification).toHaveBeenCalledWith(
      'Aprobamos tu envío',
      expect.objectContaining({ tag: 't-3', lang: 'es', data: { address: '/dashboard?envio=t' } }),
    );
  });

  test('shows nothing to who has the product before them, and on Apple’s devices what goes at once', async () => {
    const pages = [{ url: 'https://chasqui.example/', focused: true }];
    const chrome = startWorker({ pages });
    await chrome.push();
    expect(chrome.worker.registration.showNotification).not.toHaveBeenCalled();
    const safari = startWorker({ pages, service: 'web.push.apple.com' });
    await safari.push();
    expect(safari.worker.registration.showNotification).toHaveBeenCalledOnce();
    expect(safari.shown.close).toHaveBeenCalledOnce();
  });

  test('opens the transfer where it is open already or in a page of its own, and no other site', async () => {
    const pages = [{ url: 'https://chasqui.example/dashboard?envio=t', focused: false }];
    const { worker, open, press } = startWorker({ pages });
    await press('/dashboard?envio=t');
    expect(open[0]?.focus).toHaveBeenCalledOnce();
    await press('/dashboard?envio=other');
    await press('//evil.example/');
    expect(worker.clients.openWindow.mock.calls).toEqual([['https://chasqui.example/dashboard?envio=other']]);
  });

  test('tells the server of a device’s new address, but not where another session has none', async () => {
    const { fetch, change } = startWorker();
    await change({ oldSubscription: { endpoint: 'other', options: {} }, newSubscription: subscriptionAt('new') });
    expect(fetch).toHaveBeenCalledTimes(1);
    await change({ oldSubscription: { endpoint: 'old', options: {} }, newSubscription: null });
    expect(fetch.mock.calls[2]).toEqual([
      '/api/account/push',
      expect.objectContaining({
        method: 'PUT',
        body: '{"endpoint":"https://push.example/new","p256dh":"p","auth":"a"}',
      }),
    ]);
  });

  test('answers no request: pages never pass through it', () => {
    expect([...startWorker().handlers.keys()]).not.toContain('fetch');
  });
});
