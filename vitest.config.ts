import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Tests run the sources, not dist: across rooms `#core/...` resolves through the condition of package.json "imports".
const conditions = ['chasqui-source', ...defaultServerConditions];

/** The crash tests take as long as all other tests of the whole product together, the month of prices a minute: these run beside
 * the others, not before. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = (file: TestSpecification) => (/e2e\/(crashes|time-lapse)\.test\.ts$/.test(file.moduleId) ? 1 : 0);
    return (await super.sort(files)).toSorted((a, b) => isLong(b) - isLong(a));
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    maxWorkers: 2,
    // Files that run one after another in a process share what they import, a browser and a house (useBrowser, useHouse).
    isolate: false,
    sequence: { sequencer: LongestFirst },
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
          // Each of its files runs a whole product, some of them a browser too: after everything else.
          sequence: { groupOrder: 1 },
          // They wait more than they compute: a third one uses what two leave of two processors.
          maxWorkers: 3,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
