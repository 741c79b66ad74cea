import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { chromiumLaunchOptions } from './infra/testing/chromium.ts';
import { smallPackages } from './infra/testing/component-packages.ts';
import { LongFilesFirst } from './infra/testing/sequencer.ts';
import { messages } from './web/messages-plugin.ts';

const services = 'infra/testing/services.setup.ts';
const build = 'infra/testing/build.setup.ts';
/** Runs from the sources, without the build. */
const sourceOfAll = 'e2e/money-model/**/*.test.ts';

// Vitest runs the projects in the order of their names and in each the longest files first: the short unit tests come last
// and fill what the others leave.
const tests: TestProjectInlineConfiguration[] = [
  {
    extends: true,
    plugins: [messages()],
    test: {
      name: 'unit',
      include: ['{core,sandbox,web}/**/*.test.{ts,tsx}'],
      setupFiles: ['web/src/testing/unit.setup.ts'],
      exclude: ['**/*.browser.test.ts', '**/*.component.test.tsx'],
      // Random tests take some seconds on a busy machine.
      testTimeout: 30_000,
    },
  },
  {
    // Components of the web app in a real browser; web/src/testing/fake-api.ts answers in place of the server.
    extends: false,
    plugins: [messages(), react(), smallPackages()],
    // A package that Vite finds only while a test runs reloads the page under it.
    optimizeDeps: {
      include: [
        '@lingui/core',
        '@lingui/react',
        'react',
        'react-dom/client',
        'react-dom/server',
        'react/jsx-dev-runtime',
        'react-error-boundary',
        'react-router',
        '@mantine/charts',
        '@mantine/core',
        '@mantine/form',
        '@mantine/hooks',
        '@mantine/notifications',
        '@mswjs/interceptors/fetch',
        '@mswjs/interceptors/XMLHttpRequest',
        '@simplewebauthn/browser',
        '@stripe/crypto/pure.js',
        '@stripe/react-stripe-js',
        '@stripe/stripe-js/pure/index.js',
        '@tabler/icons-react',
        '@tanstack/react-query',
        'axe-core',
        'socket.io-client',
        'vitest-browser-react',
        'zod',
        'zustand',
        'zustand/middleware',
      ],
    },
    test: {
      name: 'component',
      include: ['web/src/**/*.component.test.tsx'],
      setupFiles: ['web/src/testing/untraced-react.ts', 'web/src/testing/component.setup.ts'],
      // Parallel pages, as many as the other projects have processes, with which Vitest runs them: on two processors the default is one.
      maxWorkers: 2,
      // Files that run one after another in a page share it with all they import; component.setup.ts clears what they leave.
      isolate: false,
      testTimeout: 40_000,
      expect: { poll: { timeout: 10_000 } },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        // The first run bundles the packages that components use before the browser gets a page.
        connectTimeout: 180_000,
        // As in e2e tests. Moving parts would be painted sixty times a second.
        provider: playwright({
          launchOptions: await chromiumLaunchOptions(),
          contextOptions: { locale: 'es-BO', timezoneId: 'UTC', reducedMotion: 'reduce' },
        }),
        instances: [{ browser: 'chromium' }],
      },
    },
  },
  {
    extends: true,
    test: {
      name: 'integration',
      include: ['{platform,domain,api,worker,tools}/**/*.test.ts', sourceOfAll],
      globalSetup: [services],
      setupFiles: ['infra/testing/kept-orms.setup.ts'],
      testTimeout: 20_000,
      hookTimeout: 30_000,
    },
  },
  {
    extends: true,
    test: {
      name: 'e2e',
      include: ['{e2e,infra}/**/*.test.ts', 'sandbox/**/*.browser.test.ts'],
      exclude: [sourceOfAll],
      globalSetup: [build, services],
      testTimeout: 60_000,
      hookTimeout: 120_000,
      // The default of one second is too short for a browser on a busy machine.
      expect: { poll: { timeout: 10_000 } },
    },
  },
];

/** Long random runs of the whole product, the simulators' own pages and the packaging: no part of `npm test`, and nothing else runs in parallel. */
const soak: TestProjectInlineConfiguration[] = [
  {
    extends: true,
    test: {
      name: 'soak',
      include: ['**/*.soak.ts'],
      globalSetup: [build, services],
      fileParallelism: false,
      testTimeout: 30 * 60_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 10_000 } },
    },
  },
];

export default defineConfig({
  test: {
    // As many as there are processors, of pages and processes each: a third one of both makes all wait longer, past their deadlines.
    maxWorkers: 2,
    // Files that run one after another in a process share what they import, a browser and a running product.
    isolate: false,
    sequence: { sequencer: LongFilesFirst },
    // `npm run soak` sets the seed.
    projects: process.env.SOAK_SEED ? soak : tests,
  },
});
