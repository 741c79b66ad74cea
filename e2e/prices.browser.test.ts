import { expect, test } from 'vitest';
import { useBrowser } from '../infra/testing/browser.ts';
import { recordCalls } from './conformance/calls.ts';
import { covers } from './conformance/coverage.ts';
import { enterAsAdmin } from './pages.ts';
import { secondAdminAccount, useApp } from './test-app.ts';

// Answers and failures of the sources: worker/rate-runs.test.ts and api/rates; both pages in all their states:
// web/src/routes/comparison.component.test.tsx.

const browser = useBrowser();
const app = useApp();

/**
 * How long the sources may take on a busy machine; they are called in turn, with a pause between calls to the same
 * host.
 */
const collectedMsMax = 30_000;

test('an admin updates the rates, and a visitor sees live prices without a reload', async () => {
  const [admin, visitor] = await Promise.all([browser.newPage(), browser.newPage()]);
  recordCalls(visitor);
  // The first admin may have refreshed within this minute: that journey shares the app, and it asks the sources too.
  await Promise.all([enterAsAdmin(admin, app.url(), secondAdminAccount), visitor.goto(`${app.url()}/rate-tester`)]);
  await visitor.getByTestId('comparison-row').first().waitFor();
  await visitor.evaluate(() => Object.assign(window, { unloaded: false }));
  expect(await visitor.getByTestId('rate-update').count()).toBe(0);

  await admin.goto(`${app.url()}/rate-tester`);
  await admin.getByTestId('rate-update').click();
  await admin
    .getByTestId('rate-update-result')
    .getByText(/Se actualiz/)
    .waitFor({ timeout: collectedMsMax });
  await visitor
    .locator('[data-testid=comparison-row][data-competitor=remitly][data-freshness=live]')
    .waitFor({ timeout: collectedMsMax });
  covers('route /rate-tester', 'call GET /api/exchange-rates', 'call POST /api/update-rates');
  await visitor.getByText('Ver precios de otros servicios').click();
  await visitor.getByTestId('scraper-row').filter({ hasText: '1 USD = ' }).first().waitFor();
  covers('route /scraper', 'call GET /api/scraper');
  expect(await visitor.evaluate(() => 'unloaded' in window)).toBe(true);
});
