import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '../app/global.css';
import './direct-input.ts';
import { notifications } from '@mantine/notifications';
import { afterEach, beforeEach, vi } from 'vitest';
import { cleanup } from 'vitest-browser-react';
import { forgetRows, noEnd, queryClient, useSessionEnd } from '../data/query-client.ts';
import { languageTag, showLanguage } from '../lib/language.ts';
import { forgetStoredSession } from '../lib/storage.ts';
import { failOnConsoleErrors } from './console.ts';

failOnConsoleErrors();

// As after hydration: buttons can be pressed (global.css).
document.documentElement.setAttribute('data-hydrated', '');

// As in entry.client.tsx: the content security policy forbids code made from text.
globalThis.__zod_globalConfig = { jitless: true };

document.documentElement.lang = 'es-BO';
showLanguage('es');

// Not every Chromium has push notifications: tests of them bring their own.
Reflect.deleteProperty(window, 'PushManager');

// What an earlier file stored after its last test, as a form that leads on after a second, is not this one's.
beforeEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
  forgetLanguage();
});

// Files share their page: nothing of a test may still be shown or asked for during the next one.
afterEach(async () => {
  await cleanup();
  // What stood beside the rendered tree: a package's element to measure texts with, empty portals.
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.useRealTimers();
  queryClient.clear();
  forgetRows();
  useSessionEnd.setState(noEnd);
  notifications.cleanQueue();
  notifications.clean();
  // Also what a test kept in memory because storage was blocked.
  forgetStoredSession();
  window.localStorage.clear();
  window.sessionStorage.clear();
  forgetLanguage();
});

/** Another language than Spanish, and the choice of one. */
function forgetLanguage() {
  showLanguage('es');
  document.documentElement.lang = languageTag();
  delete document.documentElement.dataset.languageOffer;
  // biome-ignore lint/suspicious/noDocumentCookie: as lib/language.ts writes it
  document.cookie = 'language=; path=/; max-age=0';
}
