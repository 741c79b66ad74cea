import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { readEnv } from '#platform/env';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { expectFailure, House } from '../testing/house.ts';
import { sampleRecipient } from '../testing/samples.ts';
import type { Answer } from '../testing/test-browser.ts';

let house: House;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  house = await House.open(readEnv({ ...testEnvironment, DATABASE_URL: url }));
});

afterAll(() => house?.close());

describe("another person's things do not exist", () => {
  const pay = '/api/new-account/create-payment-intent';
  const attempts: [string, () => Promise<Answer>][] = [
    [
      'recipient to change',
      () => house.sender.send('PUT', `/api/recipients/${house.things.otherRecipientId}`, sampleRecipient),
    ],
    ['recipient to remove', () => house.sender.send('DELETE', `/api/recipients/${house.things.otherRecipientId}`)],
    ['rate alert to delete', () => house.sender.send('DELETE', `/api/rate-alerts/${house.things.otherAlertId}`)],
    ['transfer', () => house.sender.send('GET', `/api/transactions/${house.things.otherTransferId}`)],
    [
      'payment to look at',
      () => house.sender.send('GET', `/api/new-account/payment-status/${house.things.otherIntentId}`),
    ],
    [
      'payment to confirm',
      () =>
        house.sender.send('POST', '/api/new-account/confirm-transaction', {
          paymentIntentId: house.things.otherIntentId,
        }),
    ],
    [
      'recipient to pay',
      () =>
        house.sender.send('POST', pay, { amount: '10', currency: 'eur', recipientId: house.things.otherRecipientId }),
    ],
    ['purchase of coins', () => house.sender.send('GET', `/api/crypto-orders/${house.things.otherCryptoOrderId}`)],
    [
      'purchase of coins to read again',
      () => house.sender.send('POST', `/api/crypto-orders/${house.things.otherCryptoOrderId}/refresh`),
    ],
    ['recipient that is nobody’s', () => house.sender.send('PUT', `/api/recipients/${randomUUID()}`, sampleRecipient)],
    ['transfer to approve', () => house.admin.send('POST', `/api/admin/transactions/${randomUUID()}/approve`)],
    ['transfer to reject', () => house.admin.send('POST', `/api/admin/transactions/${randomUUID()}/reject`, {})],
    [
      'transfer, even for an admin as sender',
      () => house.admin.send('GET', `/api/transactions/${house.things.transferId}`),
    ],
  ];
  it.each(attempts)('%s', async (_what, attempt) => {
    expectFailure(await attempt(), 404, 'not_found');
  });
});

it('never failed unexpectedly, and wrote nothing personal down', () => house.expectQuietLog());
