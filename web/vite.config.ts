import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { componentStyles } from './component-styles.ts';
import { messages } from './messages-plugin.ts';
import { sharedChunks } from './shared-chunks.ts';

/** In development Vite serves the pages and passes everything else on to the api. */
const api = `http://localhost:${process.env.PORT ?? '3000'}`;

/*
 * The router gives each prerendered page ten seconds and has no setting for more. The first page loads the whole server build, which
 * takes longer than that on a busy machine.
 */
const pageMsMax = 120_000;
const { timeout } = AbortSignal;
AbortSignal.timeout = (ms) => timeout.call(AbortSignal, Math.max(ms, pageMsMax));

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [messages(), componentStyles(), reactRouter(), sharedChunks(fileURLToPath(new URL('src', import.meta.url)))],
  // Six thousand files of icons, read one by one, would take most of the time a prerendered page may take.
  ssr: { noExternal: ['@tabler/icons-react'] },
  build: {
    emptyOutDir: true,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    // Reads of a package's list of exports only what is used: of six thousand icons a hundred, in half the time of a build.
    rolldownOptions: { experimental: { lazyBarrel: true } },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api', '/ops', '/socket.io'].map((path) => [
        path,
        {
          target: api,
          ws: path === '/socket.io',
          // The api compares Origin with its own address; behind this proxy both are the same machine.
          headers: { origin: api },
        },
      ]),
    ),
  },
});
