import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { createSwcExtractor } from '@lingui/native-tools';

/** Parts of the web app, each with a catalogue of its own: `web/src/messages/en/<part>.po`. */
const layers = ['app', 'data', 'lib', 'routes', 'ui'];
const source = '<rootDir>/web/src';
const exclude = ['**/*.test.*', '**/testing/**'];

/** The Spanish texts stand in the code; only English has catalogues (decision 27). `npm run messages` brings them up to date. */
export default defineConfig({
  sourceLocale: 'es',
  locales: ['en'],
  catalogs: [
    { path: `${source}/messages/{locale}/{name}`, include: [`${source}/features/{name}`], exclude },
    ...layers.map((layer) => ({
      path: `${source}/messages/{locale}/${layer}`,
      include: layer === 'app' ? [`${source}/app`, `${source}/root.tsx`] : [`${source}/${layer}`],
      exclude,
    })),
  ],
  format: formatter({ lineNumbers: false }),
  extractors: [createSwcExtractor()],
});
