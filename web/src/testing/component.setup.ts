import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '../app/global.css';
import { afterEach } from 'vitest';
import { queryClient } from '../data/query-client.ts';
import { failOnConsoleErrors } from './console.ts';

failOnConsoleErrors();

// As after hydration: buttons can be pressed (global.css).
document.documentElement.setAttribute('data-hydrated', '');

// As in entry.client.tsx: the content security policy forbids code made from text.
globalThis.__zod_globalConfig = { jitless: true };

afterEach(() => {
  queryClient.clear();
  window.localStorage.clear();
  window.sessionStorage.clear();
});
