import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { preloadFonts } from './preload-fonts.ts';
import { schemaFreeContracts } from './schema-free-contracts.ts';
import { smallFiles } from './shared-chunks.ts';

/** In development Vite serves the pages and passes everything else on to the api. */
const api = `http://localhost:${process.env.PORT ?? '3000'}`;

const packageFile = (path: string) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), schemaFreeContracts(), preloadFonts()],
  resolve: {
    conditions: ['chasqui-source', ...defaultClientConditions],
    // The router names its development build in every case; the other one leaves its warnings out.
    alias: [
      { find: /^react-router$/, replacement: 'react-router/dist/production/index.mjs' },
      { find: /^react-router\/dom$/, replacement: 'react-router/dist/production/dom-export.mjs' },
    ].map(({ find, replacement }) => ({ find, replacement: packageFile(replacement) })),
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${name.startsWith('shared') ? 'shared' : '[name]'}-[hash].js`,
        codeSplitting: {
          groups: [
            // Every page starts with it.
            { name: 'base', tags: ['$initial'], priority: 3 },
            // The build adds what pages share, see shared-chunks.ts; this is for the parts that are loaded when they are opened.
            smallFiles,
          ],
        },
      },
    },
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
