import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

// Tests run the sources, not dist: across rooms `#core/...` resolves through the condition of package.json "imports".
const conditions = ['chasqui-source', ...defaultServerConditions];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['{core,sandbox,web}/**/*.test.{ts,tsx}'], exclude: ['**/*.browser.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['{platform,api,worker}/**/*.test.ts'],
          globalSetup: ['infra/testing/services.setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['{e2e,infra}/**/*.test.ts', 'sandbox/**/*.browser.test.ts'],
          globalSetup: ['infra/testing/build.setup.ts', 'infra/testing/services.setup.ts'],
          // Each of its files runs a whole product, some of them a browser too.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
