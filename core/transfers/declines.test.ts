import { expect, test } from 'vitest';
import { type DeclineCounts, declinesReached } from './declines.ts';

const none = { account: 0, network: 0, card: 0, transfer: 0 };

test.each<[string | null, Partial<DeclineCounts>]>([
  [null, { account: 19, network: 59, card: 11, transfer: 9 }],
  ['declined_too_often', { transfer: 10 }],
  ['card_declined_too_often', { card: 12, transfer: 10 }],
  ['network_declined_too_often', { network: 60, card: 12 }],
  ['account_declined_too_often', { account: 20, network: 60, transfer: 10 }],
])('what ends a transfer is %s for %j', (reason, counts) => {
  expect(declinesReached({ ...none, ...counts }, { account: 20, network: 60, card: 12 })).toBe(reason);
});
