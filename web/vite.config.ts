import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { leanContracts } from './lean-contracts.ts';
import { precompressed } from './precompressed.ts';
import { preloadFonts } from './preload-fonts.ts';

/** In development Vite serves the pages and passes everything else on to the api. */
const api = `http://localhost:${process.env.PORT ?? '3000'}`;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), leanContracts(), preloadFonts(), precompressed()],
  resolve: { conditions: ['chasqui-source', ...defaultClientConditions] },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    sourcemap: false,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
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
