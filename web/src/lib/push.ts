import { t } from '@lingui/core/macro';
import type { PushSubscriptionInput } from '#core/contracts/http/account';
import { errorMessage } from './http.ts';

/** What this browser and the server say of notifications on this device. */
export interface PushFacts {
  /** The server's key; null: it sends none. */
  readonly publicKey: string | null;
  /** The push service's address that the server keeps for this session. */
  readonly kept: string | null;
  /** The one that this browser has. */
  readonly here: string | null;
  readonly supported: boolean;
  /** On an iPhone or iPad. */
  readonly isApplePhone: boolean;
  readonly permission: NotificationPermission;
}

export type PushState = 'unavailable' | 'unsupported' | 'needs_home_screen' | 'blocked' | 'off' | 'on';

/** How notifications stand on this device. On an iPhone only pages of the home screen can have them, and in others nothing knows of them. */
export function pushState({ publicKey, kept, here, supported, isApplePhone, permission }: PushFacts): PushState {
  if (publicKey === null) return 'unavailable';
  if (!supported) return isApplePhone ? 'needs_home_screen' : 'unsupported';
  if (permission === 'denied') return 'blocked';
  return permission === 'granted' && here !== null && here === kept ? 'on' : 'off';
}

/** Why notifications could not be turned on: the person closed the question, refused, or the browser's push service did not answer. */
export class PushRefusal extends Error {
  readonly why: 'dismissed' | 'blocked' | 'service';

  constructor(why: PushRefusal['why'], options?: ErrorOptions) {
    super(`notifications were not turned on: ${why}`, options);
    this.why = why;
  }
}

/** Whether this browser can be notified while no page is open. */
export const canBeNotified = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** An iPad calls itself a Mac; no Mac is touched with more than one finger. */
export const isApplePhone = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

/** What the browser itself says. */
export async function readBrowser(): Promise<Omit<PushFacts, 'publicKey' | 'kept'>> {
  const supported = canBeNotified();
  if (!supported) return { supported, isApplePhone: isApplePhone(), permission: 'default', here: null };
  const registration = await navigator.serviceWorker.getRegistration('/');
  const subscription = await registration?.pushManager.getSubscription();
  return {
    ...{ supported, isApplePhone: isApplePhone(), permission: Notification.permission },
    here: subscription?.endpoint ?? null,
  };
}

/**
 * Has the browser ask its person, and subscribes to its push service. To be called by a press alone, before anything is waited for.
 * @throws PushRefusal
 */
export async function subscribe(publicKey: string): Promise<PushSubscriptionInput> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') throw new PushRefusal(permission === 'denied' ? 'blocked' : 'dismissed');
  const key = bytesOf(publicKey);
  try {
    await navigator.serviceWorker.register('/push-worker.js', { updateViaCache: 'none' });
    const { pushManager } = await navigator.serviceWorker.ready;
    const known = await pushManager.getSubscription();
    // One of an earlier key reaches nobody.
    const usable = known && sameBytes(known.options.applicationServerKey, key);
    if (known && !usable) await known.unsubscribe();
    const options = { userVisibleOnly: true, applicationServerKey: key };
    const { endpoint, keys } = (usable ? known : await pushManager.subscribe(options)).toJSON();
    return { endpoint: endpoint ?? '', p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' };
  } catch (cause) {
    throw new PushRefusal('service', { cause });
  }
}

/** Leaves nothing of it in the browser. What cannot be taken back is of no use any more: the server sends nothing. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/').catch(() => undefined);
  const subscription = await registration?.pushManager.getSubscription().catch(() => null);
  await subscription?.unsubscribe().catch(() => false);
  await registration?.unregister().catch(() => false);
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function sameBytes(one: ArrayBuffer | null, other: Uint8Array): boolean {
  const bytes = new Uint8Array(one ?? new ArrayBuffer(0));
  return bytes.length === other.length && bytes.every((byte, place) => byte === other[place]);
}

/** Why notifications could not be turned on, and what to do. */
export function pushRefusalText(error: Error): string {
  if (!(error instanceof PushRefusal)) return errorMessage(error);
  switch (error.why) {
    case 'dismissed':
      return t`Todavía no los permitiste. Enciéndelos otra vez y elige «Permitir».`;
    case 'blocked':
      return t`Elegiste no permitirlos. En Mi cuenta te decimos cómo cambiarlo.`;
    default:
      return t`El navegador no llegó a su servicio de avisos. Revisa tu conexión y prueba otra vez.`;
  }
}
