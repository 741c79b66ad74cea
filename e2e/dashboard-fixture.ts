import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TransferView } from '#core/contracts/http/transfers';
import type { PageOptions } from '../infra/testing/browser.ts';
import { payWithCard, sampleRecipient } from './api-client.ts';
import { beginAsSender } from './pages.ts';
import type { TestApp } from './test-app.ts';
import { until } from './until.ts';

/** A sender with the dashboard in a browser; what need not be clicked is done over HTTP with the same session. */
export interface SenderAtPanel {
  readonly page: Page;
  readonly email: string;
  /** Adds the sample recipient with the given changes. */
  addRecipient(changes?: Partial<typeof sampleRecipient>): Promise<string>;
  /** A transfer of 100 EUR whose card, a good one unless given, is held. */
  pay(recipientId: string, card?: string): Promise<TransferView>;
  /** Opens the dashboard, or one transfer in it, and waits for the live connection. */
  open(transferId?: string): Promise<void>;
  reaches(id: string, state: TransferView['state']): Promise<TransferView>;
}

/** Signs a new sender up. */
export async function senderAtPanel(
  app: TestApp,
  newPage: (options?: PageOptions) => Promise<Page>,
  options: PageOptions = {},
): Promise<SenderAtPanel> {
  const page = await newPage(options);
  const email = await beginAsSender(page, app);
  const post = async (path: string, data: object, headers: Record<string, string> = {}) => {
    const answer = await page.request.post(`${app.url()}${path}`, { data, headers });
    expect(answer.ok(), `${path} ${await answer.text()}`).toBe(true);
    return answer.json();
  };
  const see = async (id: string): Promise<TransferView> =>
    (await page.request.get(`${app.url()}/api/transactions/${id}`)).json();
  const reaches = (id: string, state: TransferView['state']) =>
    until(`the transfer is ${state}`, async () => {
      const transfer = await see(id);
      return transfer.state === state && transfer;
    });
  return {
    page,
    email,
    reaches,
    addRecipient: async (changes = {}) =>
      (await post('/api/recipients', { ...sampleRecipient, ...changes, saveAnyway: true })).id,
    pay: async (recipientId, card) => {
      const body = { amount: '100.00', currency: 'eur', recipientId, birthDate: '1990-05-17' };
      const payment = await post('/api/new-account/create-payment-intent', body, { 'idempotency-key': randomUUID() });
      await payWithCard(app.stack.sandboxUrl, payment, card);
      return reaches(payment.transferId, 'in_review');
    },
    open: async (transferId) => {
      await page.goto(`${app.url()}/dashboard${transferId ? `?envio=${transferId}` : ''}`);
      await page.locator('[data-testid=live-status][data-state=connected]').waitFor({ state: 'attached' });
    },
  };
}
