import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '../app/global.css';
import { afterEach } from 'vitest';
import { queryClient } from '../lib/query-client.ts';

// As in main.tsx: the content security policy forbids code made from text.
globalThis.__zod_globalConfig = { jitless: true };

afterEach(() => {
  queryClient.clear();
  window.localStorage.clear();
});
