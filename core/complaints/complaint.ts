import { divide, type SendCurrency } from '../money/money.ts';
import { finalStates, type TransferState } from '../transfers/states.ts';

/**
 * What a sender can report about a transfer, with the law behind each. A general complaint is not an "error" under
 * Regulation E but still needs an answer (PSD2, article 101).
 */
export const complaintReasons = {
  wrong_charge: 'Another amount was charged than the one agreed on: 12 CFR 1005.33(a)(1)(i).',
  computation: 'A mistake in a calculation or in our books: 12 CFR 1005.33(a)(1)(ii).',
  wrong_amount: 'The family received another amount than the one disclosed: 12 CFR 1005.33(a)(1)(iii).',
  late: 'The money was there after the date that was disclosed: 12 CFR 1005.33(a)(1)(iv).',
  not_received:
    'The family did not receive the money: 12 CFR 1005.33(a)(1)(iv), whose comments count non-delivery as late.',
  information: 'The sender requests documents or an explanation of the transfer: 12 CFR 1005.33(a)(1)(v).',
  general: 'Anything else about our service.',
} as const;

export type ComplaintReason = keyof typeof complaintReasons;
export const complaintReasonNames = Object.keys(complaintReasons) as [ComplaintReason, ...ComplaintReason[]];

/**
 * The remedy that the sender wants. It is designated with the report itself, which the comments on 12 CFR 1005.33(c)
 * allow, so that it can be carried out as soon as an error is found.
 */
export const complaintWants = ['refund', 'delivery', 'explanation', 'other'] as const;
export type ComplaintWant = (typeof complaintWants)[number];

/** The rules that govern a report. */
export const regimes = {
  reg_e: 'Regulation E, 12 CFR 1005.33: an error of a remittance transfer sent from the United States.',
  psd2: 'PSD2, article 101: a complaint of a payment service user in the European Union.',
  own: 'No law sets a time; we answer in the time that PSD2 sets.',
} as const;
export type Regime = keyof typeof regimes;
export const regimeNames = Object.keys(regimes) as [Regime, ...Regime[]];

/** Where a sender pays from: what decides about law and calendar. */
export type PaidFrom = 'united_states' | 'europe';

/**
 * Where a transfer counts as sent from. Accounts have no country of residence, so who pays in dollars, or with a card that was issued in the
 * United States, has the rights of a sender there (12 CFR 1005.30(g)); who pays in euro has those of PSD2.
 */
export function paidFrom(transfer: { currency: SendCurrency; cardCountry: string | null }): PaidFrom {
  return transfer.currency === 'USD' || transfer.cardCountry === 'US' ? 'united_states' : 'europe';
}

/** The rules for a report. What Regulation E does not call an error, or what comes too late for it, is handled as a complaint. */
export function regimeOf(report: { from: PaidFrom; reason: ComplaintReason; inTime: boolean }): Regime {
  if (report.from === 'europe') return 'psd2';
  return report.reason !== 'general' && report.inTime ? 'reg_e' : 'own';
}

/** The states of a report. */
export const complaintStates = {
  investigating: 'The report is being investigated.',
  awaiting_approval: 'The result is written; a second person has to agree, because it moves much money.',
  correcting: 'The sender knows the result; the money is on its way to where it belongs.',
  closed: 'The sender knows the result, and nothing more has to be done.',
  withdrawn: 'The sender took it back before anything was decided.',
} as const;
export type ComplaintState = keyof typeof complaintStates;
export const complaintStateNames = Object.keys(complaintStates) as [ComplaintState, ...ComplaintState[]];

/**
 * Results of an investigation. `answered`: a request was fulfilled or a general complaint answered, with no error to
 * look for.
 */
export const findings = ['error', 'no_error', 'answered'] as const;
export type Finding = (typeof findings)[number];

/**
 * Remedies for an error: refund part of the charge to the card, refund only the fee, pay the family (again), or nothing
 * because it is already resolved.
 */
export const remedies = ['refund', 'fee_refund', 'pay_again', 'none'] as const;
export type Remedy = (typeof remedies)[number];

/** Findings that a report can end with. */
export function possibleFindings(reason: ComplaintReason): readonly Finding[] {
  return reason === 'information' || reason === 'general' ? findings : ['error', 'no_error'];
}

/** What of a transfer decides about remedies. */
export interface RemedyFacts {
  readonly state: TransferState;
  /** A dispute keeps its money where it is. */
  readonly disputed: boolean;
  /**
   * What of the charge no remedy has given yet, in minor units: it was neither returned, nor is on its way back, nor was its worth paid to
   * the family a second time.
   */
  readonly leftMinor: bigint;
  /** Something else about its money is under way: a refund, or a request that waits for a second person. */
  readonly busy: boolean;
  /** Certainly no payout had an effect, so the money may be refunded instead (core/operations/desk-action.ts). */
  readonly undelivered: boolean;
  /** The most that the family can be paid a second time, at our loss, in centavos. */
  readonly repayableMinor: bigint;
}

/** What a transfer sends: the charge without the fee, in minor units, and the centavos that the family gets for it. */
export interface SentAmounts {
  readonly netMinor: bigint;
  readonly bolivianosMinor: bigint;
}

/** What centavos that are paid a second time are worth of the charge, in minor units, rounded up. */
export function worthOf(centavos: bigint, { netMinor, bolivianosMinor }: SentAmounts): bigint {
  return divide(netMinor * centavos, bolivianosMinor, 'up');
}

/**
 * The amounts left for another remedy after those of all reports of a transfer. Regulation E either refunds the money
 * or sends it again, not both (12 CFR 1005.33(c)(2)), so together they never exceed the charge. `keptMinor`: the part
 * of the charge that was not refunded; `againMinor`: the centavos that second payouts have paid or may pay.
 */
export function leftForRemedies(
  { keptMinor, againMinor }: { keptMinor: bigint; againMinor: bigint },
  sent: SentAmounts,
): Pick<RemedyFacts, 'leftMinor' | 'repayableMinor'> {
  const left = keptMinor - worthOf(againMinor, sent);
  const leftMinor = left > 0n ? left : 0n;
  const worth = divide(sent.bolivianosMinor * leftMinor, sent.netMinor, 'down');
  const unpaid = sent.bolivianosMinor - againMinor;
  if (unpaid < worth) return { leftMinor, repayableMinor: unpaid };
  return { leftMinor, repayableMinor: worth };
}

/**
 * Whether the fee must be refunded in addition to any other remedy, because the money arrived late (12 CFR
 * 1005.33(c)(2)(ii)(B)).
 */
export function owesFee({ regime, reason }: { regime: Regime; reason: ComplaintReason }): boolean {
  return regime === 'reg_e' && (reason === 'late' || reason === 'not_received');
}

/**
 * The remedies possible for an error now. Where the law requires a refund of the fee, `none` is not allowed while money
 * can move.
 */
export function possibleRemedies(
  report: { regime: Regime; reason: ComplaintReason },
  { state, disputed, leftMinor, busy, undelivered, repayableMinor }: RemedyFacts,
): readonly Remedy[] {
  const movable = !disputed && !busy && leftMinor > 0n;
  if (state === 'completed' && movable) {
    const again = repayableMinor > 0n ? (['pay_again'] as const) : [];
    return owesFee(report) ? ['refund', 'fee_refund', ...again] : ['refund', 'fee_refund', ...again, 'none'];
  }
  if (state === 'captured' || state === 'payout_failed') {
    return movable && undelivered ? ['refund', 'pay_again'] : ['pay_again'];
  }
  // The card was not charged, or the money is on its way back, or the card's bank decides about it.
  return finalStates.includes(state) || state === 'refunding' ? ['none'] : [];
}

/** What a remedy moves: back to the card in minor units of its currency, and to the family in centavos. */
export interface RemedyAmounts {
  readonly refundMinor: bigint | null;
  /** The second payout, if the family was paid before. */
  readonly payoutMinor: bigint | null;
}

/**
 * Whether a remedy is possible with its amounts. If the family was not paid, a refund returns the whole charge and a
 * payout pays the promised amount; otherwise either may be partial.
 */
export function isPayable(
  remedy: Remedy,
  { refundMinor: amountMinor, payoutMinor }: RemedyAmounts,
  transfer: Pick<RemedyFacts, 'state' | 'leftMinor' | 'repayableMinor'> &
    SentAmounts & { readonly feeMinor: bigint; readonly feeOwed: boolean },
): boolean {
  const { state, leftMinor, repayableMinor, feeMinor, feeOwed } = transfer;
  if (remedy === 'pay_again') {
    if (state !== 'completed') return payoutMinor === null;
    if (payoutMinor === null || payoutMinor <= 0n || payoutMinor > repayableMinor) return false;
    return worthOf(payoutMinor, transfer) + (amountMinor ?? 0n) <= leftMinor;
  }
  if (payoutMinor !== null) return false;
  if (remedy !== 'refund') return remedy !== 'fee_refund' || feeMinor <= leftMinor;
  if (amountMinor === null || amountMinor <= 0n) return false;
  if (state !== 'completed') return amountMinor === leftMinor;
  return amountMinor <= leftMinor && (!feeOwed || amountMinor >= feeMinor);
}
