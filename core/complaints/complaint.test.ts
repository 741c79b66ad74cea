import { describe, expect, test } from 'vitest';
import {
  type ComplaintReason,
  complaintReasonNames,
  isPayable,
  leftForRemedies,
  owesFee,
  type PaidFrom,
  paidFrom,
  possibleFindings,
  possibleRemedies,
  type Regime,
  type RemedyFacts,
  regimeOf,
} from './complaint.ts';

describe('the rules that govern a report', () => {
  test.each([
    ['USD', 'US', 'united_states'],
    ['USD', 'ES', 'united_states'],
    ['USD', null, 'united_states'],
    ['EUR', 'US', 'united_states'],
    ['EUR', 'ES', 'europe'],
    ['EUR', null, 'europe'],
  ] as const)('a transfer in %s by a card of %s counts as sent from %s', (currency, cardCountry, place) => {
    expect(paidFrom({ currency, cardCountry })).toBe(place);
  });

  const table: readonly [PaidFrom, ComplaintReason, boolean, Regime][] = [
    ['united_states', 'late', true, 'reg_e'],
    ['united_states', 'information', true, 'reg_e'],
    ['united_states', 'late', false, 'own'],
    ['united_states', 'general', true, 'own'],
    ['europe', 'late', true, 'psd2'],
    ['europe', 'late', false, 'psd2'],
    ['europe', 'general', false, 'psd2'],
  ];
  test.each(table)('from %s, about %s, reported in time: %s — by %s', (from, reason, inTime, regime) => {
    expect(regimeOf({ from, reason, inTime })).toBe(regime);
  });
});

test('only a request and a general complaint can be answered without a finding about an error', () => {
  const answerable = complaintReasonNames.filter((reason) => possibleFindings(reason).includes('answered'));
  expect(answerable).toEqual(['information', 'general']);
});

test('only Regulation E wants the fee back, where the money was not there in time', () => {
  const owed = (['reg_e', 'psd2', 'own'] as const).flatMap((regime) =>
    complaintReasonNames.filter((reason) => owesFee({ regime, reason })).map((reason) => `${regime} ${reason}`),
  );
  expect(owed).toEqual(['reg_e late', 'reg_e not_received']);
});

describe('what can be done about an error', () => {
  const paid: RemedyFacts = {
    state: 'completed',
    disputed: false,
    leftMinor: 10_000n,
    busy: false,
    undelivered: false,
    repayableMinor: 129_117n,
  };
  test.each([
    ['the family was paid', paid, 'wrong_amount', ['refund', 'fee_refund', 'pay_again', 'none']],
    ['the family was paid late', paid, 'late', ['refund', 'fee_refund', 'pay_again']],
    ['the family was paid twice', { ...paid, repayableMinor: 0n }, 'wrong_amount', ['refund', 'fee_refund', 'none']],
    ['all of it went back before', { ...paid, leftMinor: 0n }, 'late', ['none']],
    ['the charge is disputed', { ...paid, disputed: true }, 'late', ['none']],
    ['another refund is under way', { ...paid, busy: true }, 'wrong_amount', ['none']],
    [
      'the bank refused the account',
      { ...paid, state: 'payout_failed', undelivered: true },
      'not_received',
      ['refund', 'pay_again'],
    ],
    ['the bank may have paid', { ...paid, state: 'captured' }, 'not_received', ['pay_again']],
    ['the money is on its way back', { ...paid, state: 'refunding' }, 'not_received', ['none']],
    ['nothing was charged', { ...paid, state: 'rejected' }, 'wrong_charge', ['none']],
    ['the review is still open', { ...paid, state: 'in_review' }, 'wrong_charge', []],
  ] as const)('where %s', (_, facts, reason, remedies) => {
    expect(possibleRemedies({ regime: 'reg_e', reason }, facts)).toEqual(remedies);
  });

  const figures = {
    ...{ leftMinor: 10_000n, repayableMinor: 129_117n, feeMinor: 350n, feeOwed: false },
    ...{ netMinor: 9_650n, bolivianosMinor: 129_117n },
    state: 'completed',
  } as const;
  test.each([
    ['a part', 'refund', 1n, figures, true],
    ['all that is left', 'refund', 10_000n, figures, true],
    ['more than what is left', 'refund', 10_001n, figures, false],
    ['nothing', 'refund', 0n, figures, false],
    ['less than nothing', 'refund', -1n, figures, false],
    ['no amount', 'refund', null, figures, false],
    ['less than the fee, which is owed', 'refund', 349n, { ...figures, feeOwed: true }, false],
    ['the fee, which is owed', 'refund', 350n, { ...figures, feeOwed: true }, true],
    ['a part, before the family was paid', 'refund', 9_999n, { ...figures, state: 'payout_failed' }, false],
    ['all, before the family was paid', 'refund', 10_000n, { ...figures, state: 'payout_failed' }, true],
    ['the fee', 'fee_refund', null, figures, true],
    ['the fee, of which a part has gone back', 'fee_refund', null, { ...figures, leftMinor: 349n }, false],
    ['nothing', 'none', null, figures, true],
  ] as const)('%s as %s is payable or not', (_, remedy, amount, transfer, payable) => {
    expect(isPayable(remedy, { refundMinor: amount, payoutMinor: null }, transfer)).toBe(payable);
  });

  test.each([
    ['nothing was given', 10_000n, 0n, 10_000n, 129_117n],
    ['the fee went back', 9_650n, 0n, 9_650n, 129_117n],
    ['all of it was paid again', 10_000n, 129_117n, 350n, 0n],
    ['all of it was paid again, and the fee went back', 9_650n, 129_117n, 0n, 0n],
    ['half of it was paid again', 10_000n, 64_558n, 5_175n, 64_559n],
    ['a part went back', 1_000n, 0n, 1_000n, 13_380n],
    ['all of it went back', 0n, 0n, 0n, 0n],
    ['more than all of it was given', -1n, 1n, 0n, 0n],
  ])('where %s, the other reports have what is left of the charge', (_, keptMinor, againMinor, left, repayable) => {
    const sent = { netMinor: 9_650n, bolivianosMinor: 129_117n };
    const given = leftForRemedies({ keptMinor, againMinor }, sent);
    expect(given).toEqual({ leftMinor: left, repayableMinor: repayable });
  });

  test('a refund and a second payout together are never worth more than is left', () => {
    const left = { ...figures, leftMinor: 9_999n };
    const whole = { refundMinor: 350n, payoutMinor: 129_117n };
    expect(isPayable('pay_again', whole, figures)).toBe(true);
    expect(isPayable('pay_again', whole, left)).toBe(false);
    expect(isPayable('pay_again', { ...whole, refundMinor: null }, left)).toBe(true);
  });

  test.each([
    ['a part', 'pay_again', 1n, figures, true],
    ['all that was promised', 'pay_again', 129_117n, figures, true],
    ['more than was promised', 'pay_again', 129_118n, figures, false],
    ['more than is left of it', 'pay_again', 100n, { ...figures, repayableMinor: 99n }, false],
    ['nothing', 'pay_again', 0n, figures, false],
    ['less than nothing', 'pay_again', -1n, figures, false],
    ['no amount', 'pay_again', null, figures, false],
    ['an amount, before the family was paid', 'pay_again', 129_117n, { ...figures, state: 'payout_failed' }, false],
    ['what was promised, before the family was paid', 'pay_again', null, { ...figures, state: 'payout_failed' }, true],
    ['an amount combined with a refund', 'refund', 1n, figures, false],
    ['an amount without a remedy', 'none', 1n, figures, false],
  ] as const)('%s as %s is paid to the family a second time or not', (_, remedy, payoutMinor, transfer, payable) => {
    const refundMinor = remedy === 'refund' ? 1n : null;
    expect(isPayable(remedy, { refundMinor, payoutMinor }, transfer)).toBe(payable);
  });
});
