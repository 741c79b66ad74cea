import { expect, test } from 'vitest';
import { useBrowser } from '../infra/testing/browser.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { enterAsAdmin, enterAsSender } from './pages.ts';
import { useApp } from './test-app.ts';

/** On a slow machine the answer comes before the run is over: the sources are asked in turn, with pauses between two calls to the same host. */
const updateMsMax = 60_000;

const browser = useBrowser();
const app = useApp({ alone: true });

test('an admin has the sources asked again: a visitor and a sender see live prices, nobody reloads', async () => {
  const [admin, sender, visitor] = await Promise.all([browser.newPage(), browser.newPage(), browser.newPage()]);
  await Promise.all([
    enterAsAdmin(admin, app.url()),
    enterAsSender(sender, app.url()),
    visitor.goto(`${app.url()}/rate-tester`),
  ]);
  const rows = [visitor, sender].map((page) => page.getByTestId('comparison-row'));
  for (const row of rows) await row.first().waitFor();
  await visitor.evaluate(() => Object.assign(window, { unloaded: false }));
  expect(await visitor.getByTestId('rate-update').count()).toBe(0);

  await admin.goto(`${app.url()}/rate-tester`);
  await admin.getByTestId('rate-update').click();
  await admin
    .getByTestId('rate-update-result')
    .getByText(/Se actualiz|Sin dato de/)
    .waitFor({ timeout: updateMsMax });
  for (const page of [visitor, sender]) {
    await page
      .locator('[data-testid=comparison-row][data-competitor=remitly][data-freshness=live]')
      .waitFor({ timeout: updateMsMax });
  }
  expect(await visitor.getByTestId('comparison-row').count()).toBe(6);
  expect(await visitor.evaluate(() => 'unloaded' in window)).toBe(true);

  // Nothing is charged here, so a sender may have them asked too.
  await sender.goto(`${app.url()}/rate-tester`);
  await expectText(sender, 'message comparison: update control');
  await sender.getByTestId('rate-update').click();
  const updated = sender.getByTestId('rate-update-result').getByText(/Se actualiz/);
  await updated.waitFor({ timeout: updateMsMax });
  covers('call POST /api/update-rates');

  await visitor.goto(`${app.url()}/scraper`);
  await visitor.locator('[data-testid=scraper-row][data-competitor=remitly][data-freshness=live]').waitFor();
}, 120_000);
