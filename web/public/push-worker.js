/*
 * Shows notifications of a person's transfers on their device, also while no page is open. It answers no request: pages never pass through
 * it, and nothing of them is kept. What it is sent is `WebPushText` of domain/notifications/web-push-texts.ts.
 */

/** Pages of ours that are open, also those that were before this file came. */
const openPages = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(show(event.data.json()));
});

async function show({ title, body, lang, tag, address, at }) {
  // Whoever has the product before them is told by its own toast.
  const isSeen = (await openPages()).some(({ focused }) => focused);
  if (isSeen && !(await mustShow())) return;
  await self.registration.showNotification(title, {
    ...{ body, lang, tag, timestamp: at, icon: '/icons/icon-192.png', data: { address }, silent: isSeen },
  });
  if (isSeen) for (const shown of await self.registration.getNotifications({ tag })) shown.close();
}

/** Apple ends the subscription of who is sent something and shows nothing. */
async function mustShow() {
  const subscription = await self.registration.pushManager.getSubscription();
  return subscription !== null && new URL(subscription.endpoint).hostname.endsWith('.push.apple.com');
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.address));
});

/** No page is led elsewhere: somebody may be typing in it. */
async function open(address) {
  const { href, origin } = new URL(address, self.location.origin);
  if (origin !== self.location.origin) return;
  const there = (await openPages()).find(({ url }) => url === href);
  await (there ? there.focus() : self.clients.openWindow(href));
}

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)));

/** The browser gave this device another address: the server keeps it in the place of the one it has, of the same session alone. */
async function renew({ oldSubscription, newSubscription }) {
  if (!oldSubscription) return;
  const path = '/api/account/push';
  const kept = await fetch(path);
  if (!kept.ok || (await kept.json()).endpoint !== oldSubscription.endpoint) return;
  const subscription = newSubscription ?? (await self.registration.pushManager.subscribe(oldSubscription.options));
  const { endpoint, keys } = subscription.toJSON();
  const headers = { 'content-type': 'application/json' };
  await fetch(path, { method: 'PUT', headers, body: JSON.stringify({ endpoint, ...keys }) });
}
