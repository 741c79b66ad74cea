import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { sampleRecipient } from '../testing/request-fixtures.ts';
import { expectFailure, TestApp } from '../testing/test-app.ts';
import type { Answer } from '../testing/test-browser.ts';

let app: TestApp;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  app = await TestApp.open(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
});

afterAll(() => app?.close());

describe('a request for what belongs to another person is refused', () => {
  const pay = '/api/new-account/create-payment-intent';
  const attempts: [string, () => Promise<Answer>][] = [
    [
      'recipient to change',
      () => app.sender.send('PUT', `/api/recipients/${app.ids.otherRecipientId}`, sampleRecipient),
    ],
    ['recipient to remove', () => app.sender.send('DELETE', `/api/recipients/${app.ids.otherRecipientId}`)],
    ['rate alert to delete', () => app.sender.send('DELETE', `/api/rate-alerts/${app.ids.otherAlertId}`)],
    ['repeating transfer to end', () => app.sender.send('DELETE', `/api/repeats/${app.ids.otherRepeatId}`)],
    [
      'repeating transfer to pause',
      () => app.sender.send('POST', `/api/repeats/${app.ids.otherRepeatId}/pause`, { paused: true }),
    ],
    [
      'recipient of a repeating transfer',
      () =>
        app.sender.send('POST', '/api/repeats', {
          ...{ recipientId: app.ids.otherRecipientId, amount: '50', currency: 'usd', every: 'month', day: 5 },
        }),
    ],
    ['transfer', () => app.sender.send('GET', `/api/transactions/${app.ids.otherTransferId}`)],
    ['payment to look at', () => app.sender.send('GET', `/api/new-account/payment-status/${app.ids.otherIntentId}`)],
    [
      'payment to confirm',
      () =>
        app.sender.send('POST', '/api/new-account/confirm-transaction', {
          paymentIntentId: app.ids.otherIntentId,
        }),
    ],
    [
      'recipient to pay',
      () => app.sender.send('POST', pay, { amount: '10', currency: 'eur', recipientId: app.ids.otherRecipientId }),
    ],
    ['crypto order', () => app.sender.send('GET', `/api/crypto-orders/${app.ids.otherCryptoOrderId}`)],
    [
      'crypto order to read again',
      () => app.sender.send('POST', `/api/crypto-orders/${app.ids.otherCryptoOrderId}/refresh`),
    ],
    [
      'transfer whose account is to be corrected',
      () =>
        app.sender.send('POST', `/api/transactions/${app.ids.otherTransferId}/account`, {
          recipientId: app.ids.recipientId,
        }),
    ],
    [
      'transfer of which a problem is reported',
      () =>
        app.sender.send('POST', `/api/transactions/${app.ids.otherTransferId}/complaints`, {
          ...{ reason: 'late', wants: 'refund', description: 'El dinero llegó tarde.' },
        }),
    ],
    [
      'transfer whose reported problems are listed',
      () => app.sender.send('GET', `/api/transactions/${app.ids.otherTransferId}/complaints`),
    ],
    ['recipient that does not exist', () => app.sender.send('PUT', `/api/recipients/${randomUUID()}`, sampleRecipient)],
    ['transfer to approve', () => app.admin.send('POST', `/api/admin/transactions/${randomUUID()}/approve`)],
    ['transfer to reject', () => app.admin.send('POST', `/api/admin/transactions/${randomUUID()}/reject`, {})],
    ['transfer, even for an admin as sender', () => app.admin.send('GET', `/api/transactions/${app.ids.transferId}`)],
  ];
  it.each(attempts)('a request for what belongs to another person is refused: %s', async (_what, attempt) => {
    expectFailure(await attempt(), 404, 'not_found');
  });
});

it('the api never failed unexpectedly and logged nothing personal', () => app.expectQuietLog());
