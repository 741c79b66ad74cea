import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type PageOptions, useBrowser } from '../infra/testing/browser.ts';
import { beginAsSender, cardForm } from './pages.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

export const goodCard = '4242424242424242';

/** Shared fixture of the payment pages' tests. Call it at a file's top level. */
export function usePaymentFixture() {
  const browser = useBrowser();
  const app = useApp();

  /** The page and e-mail of a new sender, signed in; the first payment asks for the date of birth. */
  async function sender({ unproven = false, ...options }: PageOptions & { unproven?: boolean } = {}) {
    const page = await browser.newPage(options);
    const email = await beginAsSender(page, app, { unproven });
    return { page, email };
  }

  const open = (page: Page, path: string) => page.goto(`${app.url()}${path}`);

  /** From the amount to the card form. */
  async function continueToCard(page: Page): Promise<void> {
    await page.locator('[data-testid=pay-continue]:not([aria-disabled])').waitFor();
    const birthDate = page.getByTestId('pay-birth-date');
    if (await birthDate.isVisible()) await birthDate.fill('1990-05-17');
    await page.getByTestId('pay-continue').click();
    await cardForm(page).getByTestId('card-number').waitFor();
  }

  /** The sender's newest transfer, from the api. */
  async function newestTransfer(page: Page) {
    const answer = await page.request.get(`${app.url()}/api/transactions?limit=1`);
    return (await answer.json()).items[0];
  }

  /** Waits until the newest transfer, still without a recipient, is in review with its card held; returns it. */
  async function paidWithoutRecipient(page: Page) {
    const transfer = await until('the transfer is in review', async () => {
      const newest = await newestTransfer(page);
      return newest?.state === 'in_review' ? newest : null;
    });
    expect(transfer.recipientId).toBeNull();
    const intent = (await app.sandbox.intents()).find(({ id }) => id === transfer.paymentIntentId);
    expect(intent?.status).toBe('requires_capture');
    return transfer;
  }

  return { browser, app, sender, open, continueToCard, paidWithoutRecipient };
}
