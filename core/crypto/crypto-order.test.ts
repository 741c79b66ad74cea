import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CryptoStatus,
  cryptoStatuses,
  formatUsdc,
  isFinalCryptoStatus,
  mayFollow,
  openCryptoStatuses,
  parseUsdc,
  shortWallet,
} from './crypto-order.ts';

const anyStatus = fc.constantFrom(...cryptoStatuses);

describe('statuses of a purchase', () => {
  test('the status of a crypto order only advances, whatever the order of events, up to the furthest one reported', () => {
    fc.assert(
      fc.property(fc.array(anyStatus), (news) => {
        let status: CryptoStatus = 'created';
        const seen = new Set<CryptoStatus>([status]);
        for (const next of news) {
          if (!mayFollow(status, next)) continue;
          expect(seen).not.toContain(next);
          seen.add(next);
          status = next;
        }
        expect(isFinalCryptoStatus(status)).toBe(news.some(isFinalCryptoStatus));
      }),
    );
  });

  test('the two final statuses of a crypto order never become each other', () => {
    expect(openCryptoStatuses).toEqual(['created', 'initialized', 'requires_payment', 'fulfillment_processing']);
    expect(mayFollow('rejected', 'fulfillment_complete')).toBe(false);
    expect(mayFollow('fulfillment_complete', 'rejected')).toBe(false);
    expect(mayFollow('requires_payment', 'fulfillment_complete')).toBe(true);
  });
});

describe('amounts of USDC', () => {
  test('an amount of USDC survives being written and read again', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (millionths) => {
        const text = formatUsdc(millionths);
        expect(text).toMatch(/^\d+\.\d{2,6}$/);
        expect(parseUsdc(text)).toBe(millionths);
      }),
    );
  });

  test.each([
    ['98.52', 98_520_000n],
    ['98', 98_000_000n],
    ['0.0000019', 1n],
  ])('the USDC amount %s is read', (text, millionths) => expect(parseUsdc(text)).toBe(millionths));

  test.each(['', '-1', '1e3', '1,5', '.5', 'x', '1.'])('%j is no USDC amount', (text) =>
    expect(parseUsdc(text)).toBeNull(),
  );
});

test('a wallet is shown by its two ends', () => {
  expect(shortWallet('ChasquiDemo111111111111111111111111111111111')).toBe('Chas…1111');
  expect(shortWallet('corto')).toBe('corto');
});
