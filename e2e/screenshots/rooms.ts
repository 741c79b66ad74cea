import type { BrowserContextOptions, Page } from 'playwright-core';
import { visit } from './camera.ts';
import { pageOf, type Stage } from './scene.ts';

/** All sources were asked; the worker does that by itself when it starts. */
const collectedMsMax = 60_000;

/** The sender's panel, live. */
export async function openPanel(
  stage: Stage,
  account = stage.demo.sender,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await pageOf(stage, account, options);
  await visit(page, `${stage.demo.url}/dashboard`);
  await page.getByTestId('send-recipient').waitFor();
  await page.locator('[data-testid=live-status][data-state=connected]').waitFor({ state: 'attached' });
  return page;
}

/** The admins' panel with the market's figures on screen. */
export async function openDesk(stage: Stage, path = '/admin', account = stage.demo.admin): Promise<Page> {
  const page = await pageOf(stage, account);
  await visit(page, `${stage.demo.url}${path}`);
  for (const currency of ['USD', 'EUR']) {
    await page.getByTestId(`admin-rate-sources-${currency}`).waitFor({ timeout: collectedMsMax });
  }
  return page;
}
