import type { BrowserContextOptions, Page } from 'playwright-core';
import { pageOf, type ScreenshotContext } from './screenshot.ts';
import { visit } from './screenshot-writer.ts';

/** All sources have answered; the worker asks them when it starts. */
const collectedMsMax = 60_000;

/** The sender's dashboard, with its live connection; a path names the part of it that a phone shows. */
export async function openPanel(
  context: ScreenshotContext,
  account = context.demo.sender,
  options: BrowserContextOptions = {},
  path = '/dashboard',
): Promise<Page> {
  const page = await pageOf(context, account, options);
  await visit(page, `${context.demo.url}${path}`);
  await page.getByTestId('send-amount').waitFor();
  await page.locator('[data-testid=live-status][data-state=connected]').waitFor({ state: 'attached' });
  return page;
}

/** The admin panel, with the market's figures loaded. */
export async function openAdmin(
  context: ScreenshotContext,
  path = '/admin',
  account = context.demo.admin,
): Promise<Page> {
  const page = await pageOf(context, account);
  const rates = '/admin?tab=rates';
  await visit(page, `${context.demo.url}${rates}`);
  for (const currency of ['USD', 'EUR']) {
    await page.getByTestId(`admin-rate-sources-${currency}`).waitFor({ timeout: collectedMsMax });
  }
  if (path !== rates) await visit(page, `${context.demo.url}${path}`);
  return page;
}
