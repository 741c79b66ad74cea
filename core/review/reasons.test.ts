import { expect, test } from 'vitest';
import { reviewReason } from '../contracts/http/review.ts';
import type { NameCheckStatus } from '../recipients/name-check.ts';
import { dayMs, minuteMs } from '../time/time.ts';
import { countriesOfPhone } from './country-of-phone.ts';
import { type DayGroup, dayGroups } from './last-day.ts';
import { type ReviewFacts, reviewReasons } from './reasons.ts';
import { statusOfHits } from './screening.ts';

const rules = { limits: { dayUsdMinor: 500_000n, monthUsdMinor: 1_000_000n }, newDeviceUsdMinor: 50_000n };
const paidAt = new Date('2026-11-20T15:00:00Z');

const single = { count: 1, usdMinor: 20_000n, largestUsdMinor: 20_000n };

/** A sender who has paid to the same account for long, with a card of their own: nothing to look at. */
const ordinary: ReviewFacts = {
  ...{ usdMinor: 20_000n, earlier: 9, earlierToAccount: 9, sendersToAccount: 1 },
  ...{ day: { count: 1, usdMinor: 20_000n, largestUsdMinor: 20_000n }, weekUsdMinor: 20_000n },
  lastDay: { sender: single, account: single, device: single },
  history: { count: 8, usdMinor: 240_000n },
  ...{ tier: 'email', limited: { dayUsdMinor: 20_000n, monthUsdMinor: 60_000n } },
  ...{ cardCountry: 'ES', phoneCountries: ['ES'] },
  sharedCard: { accounts: 0, blocked: 0 },
  ...{
    screening: 'clear',
    nameCheck: null,
    names: ['Carmen Rojas', 'Juana Mamani'],
    cardRisk: null,
    declined: { count: 0, cards: 0 },
  },
  ...{ fraudWarning: null, repeated: null },
  device: { paidAt, since: null, accountSince: new Date(paidAt.getTime() - 90 * dayMs) },
};

const codesOf = (facts: Partial<ReviewFacts>) =>
  reviewReasons({ ...ordinary, ...facts }, rules).map((reason) => reviewReason.parse(reason).code);
const day = (count: number, usdMinor: bigint, largestUsdMinor: bigint) => ({
  day: { count, usdMinor, largestUsdMinor },
});
const together = (group: DayGroup, count: number, usdMinor: bigint, largestUsdMinor: bigint) => ({
  lastDay: { ...ordinary.lastDay, [group]: { count, usdMinor, largestUsdMinor } },
});
const named = (status: NameCheckStatus) => ({
  nameCheck: { status, typed: 'Juana Mamani', bankSays: 'J*** R***', confirmed: true },
});
const risk = (level: string, review: string | null = null) => ({
  cardRisk: { level, score: 70, network: 'approved_by_network', reason: null, message: null, rule: null, review },
});
/** A transfer of 500 USD to a new account; the browser has known the sender's for so long, which is so much older. */
const fromDevice = (days: number, olderBy: number, changes: Partial<ReviewFacts> = {}): Partial<ReviewFacts> => {
  const since = new Date(paidAt.getTime() - days * dayMs);
  const device = { paidAt, since, accountSince: new Date(since.getTime() - olderBy * dayMs) };
  return { ...{ usdMinor: 50_000n, earlierToAccount: 0, device }, ...changes };
};
const limited = (dayUsdMinor: bigint, monthUsdMinor: bigint) => ({ limited: { dayUsdMinor, monthUsdMinor } });

/** Another transfer with the same amount and account, this many ms apart. */
const repeated = (nearestMs: number) => ({ repeated: { count: 1, nearestMs } });

test('a usual transfer of a known sender to a known account has no review reason', () => {
  expect(codesOf({})).toEqual([]);
});

/** Each reason with the nearest facts on both sides of its threshold. */
const table: readonly [code: string, applies: Partial<ReviewFacts>, appliesNot: Partial<ReviewFacts>][] = [
  ['first_transfer', { earlier: 0, earlierToAccount: 0 }, { earlier: 1, earlierToAccount: 1 }],
  ['new_account', { earlier: 1, earlierToAccount: 0 }, { earlier: 1, earlierToAccount: 1 }],
  ['new_account', { earlierToAccount: 0 }, { earlier: 0, earlierToAccount: 0 }],
  ['new_account', { earlierToAccount: 0 }, { earlierToAccount: null }],
  ['shared_account', { sendersToAccount: 3 }, { sendersToAccount: 2 }],
  ['many_transfers', day(4, 40_000n, 10_000n), day(3, 40_000n, 20_000n)],
  ['unusual_sum', { weekUsdMinor: 60_000n }, { weekUsdMinor: 59_999n }],
  ['unusual_sum', { weekUsdMinor: 60_000n }, { weekUsdMinor: 60_000n, history: { count: 2, usdMinor: 240_000n } }],
  ['just_under_limit', { usdMinor: 285_000n }, { usdMinor: 284_999n }],
  ['just_under_limit', { usdMinor: 300_000n }, { usdMinor: 300_001n }],
  ['just_under_limit', limited(475_000n, 500_000n), limited(474_999n, 500_000n)],
  ['just_under_limit', limited(20_000n, 950_000n), limited(20_000n, 949_999n)],
  ['split_amounts', day(2, 300_000n, 150_000n), day(2, 299_999n, 150_000n)],
  ['split_amounts', day(2, 320_000n, 299_999n), day(2, 320_000n, 300_000n)],
  ['split_amounts', together('account', 2, 300_000n, 150_000n), together('account', 2, 299_999n, 150_000n)],
  ['split_amounts', together('device', 2, 300_000n, 150_000n), together('device', 2, 320_000n, 300_000n)],
  ['card_country', { cardCountry: 'RU' }, { cardCountry: 'ES' }],
  ['card_country', { cardCountry: 'RU' }, { cardCountry: 'RU', phoneCountries: [] }],
  ['card_country', { cardCountry: 'RU', phoneCountries: ['US', 'CA'] }, { cardCountry: null }],
  ['shared_card', { sharedCard: { accounts: 1, blocked: 0 } }, { sharedCard: { accounts: 0, blocked: 0 } }],
  ['card_risk', risk('elevated'), risk('normal')],
  ['card_risk', risk('highest'), risk('unknown')],
  ['card_review', risk('normal', 'open'), risk('elevated', 'approved')],
  ['declined_cards', { declined: { count: 3, cards: 1 } }, { declined: { count: 2, cards: 2 } }],
  ['new_device', fromDevice(2.9, 1), fromDevice(3, 1)],
  ['new_device', fromDevice(-0.1, 1), fromDevice(2.9, 0.9)],
  ['new_device', fromDevice(1, 9), fromDevice(1, 9, { usdMinor: 49_999n })],
  ['new_device', fromDevice(1, 9, { earlier: 0 }), fromDevice(1, 9, { earlierToAccount: 1 })],
  ...dayGroups.map((group): (typeof table)[number] => {
    const small = { usdMinor: 20_000n };
    return [
      'new_device',
      fromDevice(1, 9, { ...small, ...together(group, 3, 50_000n, 20_000n) }),
      fromDevice(1, 9, { ...small, ...together(group, 3, 49_999n, 20_000n) }),
    ];
  }),
  ['fraud_warning', { fraudWarning: 'made_with_stolen_card' }, { fraudWarning: null }],
  ['repeated', repeated(30 * minuteMs), repeated(30 * minuteMs + 1)],
  ['repeated', repeated(0), { repeated: null }],
  ['unclear_name', { names: ['Carmen Rojas', 'Рамиро Кондарко'] }, { names: ['Carmen Rojas', 'Ramiro Condarco'] }],
  ['unclear_name', { names: ['李小龍'], screening: 'unclear' }, { names: ['李小龍'], screening: 'checked' }],
  ['screening_hit', { screening: 'hit' }, { screening: 'clear' }],
  ['screening_blocked', { screening: 'blocked' }, { screening: 'clear' }],
  ['screening_pending', { screening: 'pending' }, { screening: 'checked' }],
  ['screening_unavailable', { screening: 'unavailable' }, { screening: 'checked' }],
  ['account_name', named('different'), named('close')],
  ['account_name', named('different'), { nameCheck: null }],
  ['account_name_alike', named('close'), named('match')],
  ['account_name_alike', named('close'), named('different')],
  ['not_screened', { screening: 'off' }, { screening: 'clear' }],
];

test.each(table)('%s applies from its threshold on, and not below it', (code, applies, appliesNot) => {
  expect(codesOf(applies)).toContain(code);
  expect(codesOf(appliesNot)).not.toContain(code);
});

test('every reason of the contract has a boundary in the table', () => {
  const codes = reviewReason.options.map(({ shape }) => shape.code.value);
  expect(codes.toSorted()).toEqual([...new Set(table.map(([code]) => code))].toSorted());
});

test.each([
  [{ accounts: 2, blocked: 0 }, 'warning'],
  [{ accounts: 3, blocked: 0 }, 'serious'],
  [{ accounts: 1, blocked: 1 }, 'serious'],
])('a card that other accounts pay with, %j, is a %s reason', (sharedCard, severity) => {
  const expected = [{ code: 'shared_card', severity, ...sharedCard }];
  expect(reviewReasons({ ...ordinary, sharedCard }, rules)).toEqual(expected);
});

test('a fraud warning comes first, and a repeated transfer right after the sanctions lists', () => {
  const facts = {
    ...{ ...fromDevice(1, 9), ...day(4, 400_000n, 150_000n), sendersToAccount: 5, screening: 'hit' as const },
    ...{ fraudWarning: 'misc', repeated: { count: 2, nearestMs: 2 * minuteMs + 1 } },
  };
  expect(reviewReasons({ ...ordinary, ...facts }, rules).slice(0, 3)).toEqual([
    { code: 'fraud_warning', severity: 'serious' },
    { code: 'screening_hit', severity: 'serious' },
    { code: 'repeated', severity: 'serious', count: 2, minutes: 3 },
  ]);
});

test('reasons bring their figures, the gravest first', () => {
  const declined = { count: 5, cards: 3 };
  const facts = {
    ...day(4, 400_000n, 150_000n),
    declined,
    sendersToAccount: 5,
    earlierToAccount: 0,
    screening: 'hit' as const,
  };
  expect(reviewReasons({ ...ordinary, ...facts }, rules)).toEqual([
    { code: 'screening_hit', severity: 'serious' },
    { code: 'split_amounts', severity: 'serious', by: 'sender', count: 4, usd: '4000.00', threshold_usd: '3000.00' },
    { code: 'shared_account', severity: 'serious', senders: 5 },
    { code: 'declined_cards', severity: 'serious', count: 5, cards: 3 },
    { code: 'many_transfers', severity: 'warning', count: 4, usd: '4000.00' },
    { code: 'new_account', severity: 'info' },
  ]);
});

test.each([
  ['+34 612 345 678', ['ES']],
  ['0034612345678', ['ES']],
  ['+1 (202) 555-0100', ['US', 'CA']],
  ['+591 71234567', ['BO']],
  ['612345678', []],
  ['+999 1', []],
  [null, []],
])('the phone %s can be of %j', (phone, countries) => {
  expect(countriesOfPhone(phone)).toEqual(countries);
});

test('a check is clear only when a person marked every hit as a different person', () => {
  const names = [{ name: 'Carmen Rojas' }];
  expect(statusOfHits([], names)).toBe('clear');
  expect(statusOfHits([{ verdict: 'false_positive' }, { verdict: null }], names)).toBe('hit');
  expect(statusOfHits([{ verdict: 'false_positive' }, { verdict: 'false_positive' }], names)).toBe('clear');
  expect(statusOfHits([{ verdict: null }, { verdict: 'true_hit' }], names)).toBe('blocked');
});

test('a check of a name that the lists may not recognise is never clear', () => {
  const names = [{ name: 'Carmen Rojas' }, { name: 'Rаmiro Condarco' }];
  expect(statusOfHits([], names)).toBe('unclear');
  expect(statusOfHits([{ verdict: 'false_positive' }], names)).toBe('unclear');
  expect(statusOfHits([{ verdict: null }], names)).toBe('hit');
  expect(statusOfHits([{ verdict: 'true_hit' }], names)).toBe('blocked');
});
