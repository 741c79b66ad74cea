import { isPlainName } from '../accounts/names.ts';
import type { Tier } from '../accounts/tiers.ts';
import type { ReviewReason } from '../contracts/http/review.ts';
import { formatMinor } from '../money/money.ts';
import type { NameCheckStatus } from '../recipients/name-check.ts';
import { dayMs, minuteMs } from '../time/time.ts';
import { limitsOfTier, type TieredLimits, type WindowLimits } from '../transfers/limits.ts';
import { type CardRisk, riskyLevels } from './card-risk.ts';
import { countedUsdMinor, type DaySum, dayGroups, type LastDay } from './last-day.ts';
import type { ScreeningStatus } from './screening.ts';

/** The facts for the review of a transfer with an authorized card, and of related transfers. Amounts in US cents. */
export interface ReviewFacts {
  readonly usdMinor: bigint;
  /** Transfers that the sender had paid before this one. */
  readonly earlier: number;
  /** Of these, to the same account; null while there is no recipient. */
  readonly earlierToAccount: number | null;
  /** People who paid to that account in the 30 days before and since, this one counted. */
  readonly sendersToAccount: number;
  /** The sender's payments in the 24 hours before and since, including uncharged ones and this transfer. */
  readonly day: DaySum;
  /**
   * Payments in the 24 hours before and since by the same sender, to the same account and from the same browser,
   * including this transfer.
   */
  readonly lastDay: LastDay;
  /** In the seven days before and since, this transfer counted. */
  readonly weekUsdMinor: bigint;
  /** In the twelve weeks before those seven days. */
  readonly history: { readonly count: number; readonly usdMinor: bigint };
  /** What counts towards the limits of a day and of 30 days, this transfer counted. */
  readonly limited: WindowLimits;
  /** The sender's verification tier, which sets their limits. */
  readonly tier: Tier;
  /** The country of the card (ISO 3166), and those that the sender's phone can be of. */
  readonly cardCountry: string | null;
  readonly phoneCountries: readonly string[];
  /** Other accounts that paid with the same card at any time, and how many of them are blocked. */
  readonly sharedCard: { readonly accounts: number; readonly blocked: number };
  readonly cardRisk: CardRisk | null;
  /** How the card's bank reports the payment as fraud (Stripe's `fraud_type`); null when it does not. */
  readonly fraudWarning: string | null;
  /** Other paid transfers of the sender with the same amount and account, and the time in ms to the nearest; null: none within a day. */
  readonly repeated: { readonly count: number; readonly nearestMs: number } | null;
  /** When it was paid, since when the newest browser that did something for it has known the account (null: not known), and the account's age. */
  readonly device: { readonly paidAt: Date; readonly since: Date | null; readonly accountSince: Date };
  /** Attempts of the sender that were declined in the 24 hours before and since, and how many cards they were made with. */
  readonly declined: { readonly count: number; readonly cards: number };
  readonly screening: ScreeningStatus;
  /** The bank's answer about the account holder; null if not checked. */
  readonly nameCheck: AccountName | null;
  /** The sender's name and the recipient's, where there is one. */
  readonly names: readonly string[];
}

/** The name of the account holder and the name that the sender typed. */
export interface AccountName {
  readonly status: NameCheckStatus;
  readonly typed: string;
  /** The bank's name for it, masked. */
  readonly bankSays: string | null;
  /** Whether the sender confirmed the typed name despite the difference. */
  readonly confirmed: boolean;
}

/** The thresholds of the reasons. */
export const reviewRules = {
  /** People paying to one account in 30 days. */
  sendersToAccount: 3,
  manySendersToAccount: 5,
  /** Other accounts that pay with one card: a family has a few. */
  manyAccountsOfCard: 3,
  /** Up to how far apart two equal transfers of one sender look like one that was paid twice. */
  repeatedMs: 30 * minuteMs,
  /** Transfers of one sender in 24 hours. */
  transfersOfDay: 4,
  /** How long a browser is new to an account that is older than it by so much: the first ones of an account are its owner's. */
  newDeviceMs: 3 * dayMs,
  ownDevicesMs: dayMs,
  /** Declined attempts in 24 hours, and different cards among them: a person has one or two. */
  declinedOfDay: 3,
  declinedCards: 3,
  /** A week compared with the sender's usual week, which requires a minimum number of transfers. */
  weekTimesUsual: 3n,
  historyCount: 3,
  historyWeeks: 12n,
  /** How near under a limit an amount is "just under" it, in percent of the limit. */
  nearLimitPercent: 95n,
  /** From this sum on authorities ask for more about a transfer (31 CFR 1010.410, UIF Bolivia), in US cents. */
  reportingUsdMinor: 300_000n,
} as const;

/** The settings of an installation for reasons. */
export interface ReasonRules {
  /** A sender's limits; what lies just under them is a reason. */
  readonly limits: TieredLimits;
  /** From this amount on (US cents), counted with the last 24 hours, a new browser that pays to a new account is one. */
  readonly newDeviceUsdMinor: bigint;
}

/** Why a person should look twice before approving, the most severe first; reasons of one severity keep the order below. */
export function reviewReasons(facts: ReviewFacts, { limits, newDeviceUsdMinor }: ReasonRules): ReviewReason[] {
  const reasons = [
    ...fraudReasons(facts),
    ...screeningReasons(facts.screening),
    ...unclearNameReasons(facts),
    ...repeatedReasons(facts),
    ...amountReasons(facts, limits),
    ...historyReasons(facts),
    ...cardReasons(facts),
    ...riskReasons(facts),
    ...deviceReasons(facts, newDeviceUsdMinor),
    ...nameReasons(facts),
  ];
  return reasons.sort((a, b) => gravity[b.severity] - gravity[a.severity]);
}

const gravity = { serious: 2, warning: 1, info: 0 } as const;

function fraudReasons({ fraudWarning }: ReviewFacts): ReviewReason[] {
  return fraudWarning === null ? [] : [{ code: 'fraud_warning', severity: 'serious' }];
}

function repeatedReasons({ repeated }: ReviewFacts): ReviewReason[] {
  if (!repeated || repeated.nearestMs > reviewRules.repeatedMs) return [];
  const minutes = Math.max(1, Math.ceil(repeated.nearestMs / minuteMs));
  return [{ code: 'repeated', severity: 'serious', count: repeated.count, minutes }];
}

function screeningReasons(status: ScreeningStatus): ReviewReason[] {
  switch (status) {
    case 'hit':
      return [{ code: 'screening_hit', severity: 'serious' }];
    case 'blocked':
      return [{ code: 'screening_blocked', severity: 'serious' }];
    case 'unavailable':
      return [{ code: 'screening_unavailable', severity: 'serious' }];
    case 'pending':
      return [{ code: 'screening_pending', severity: 'warning' }];
    case 'off':
      return [{ code: 'not_screened', severity: 'warning' }];
    case 'clear':
    case 'checked':
    case 'unclear':
      return [];
  }
}

/** Independent of the lists' answer, since they compare the name as written. */
function unclearNameReasons({ names, screening }: ReviewFacts): ReviewReason[] {
  const unclear = names.filter((name) => !isPlainName(name));
  if (unclear.length === 0 || screening === 'checked') return [];
  return [{ code: 'unclear_name', severity: 'serious', names: unclear }];
}

function amountReasons({ usdMinor, day, lastDay, limited, tier }: ReviewFacts, tiered: TieredLimits): ReviewReason[] {
  const reasons: ReviewReason[] = [];
  const { nearLimitPercent, reportingUsdMinor } = reviewRules;
  const limits = limitsOfTier(tiered, tier);
  const near = (sum: bigint, limit: bigint) => sum <= limit && sum * 100n >= limit * nearLimitPercent;
  const known = [
    { limit: 'transfer', sum: usdMinor, most: limits.paymentUsdMinor },
    { limit: 'day', sum: limited.dayUsdMinor, most: limits.dayUsdMinor },
    { limit: 'month', sum: limited.monthUsdMinor, most: limits.monthUsdMinor },
  ] as const;
  for (const { limit, sum, most } of known) {
    if (!near(sum, most)) continue;
    const figures = { usd: formatMinor(sum), limit_usd: formatMinor(most) };
    reasons.push({ code: 'just_under_limit', severity: 'warning', limit, ...figures });
  }
  const [split] = dayGroups
    .map((by) => ({ by, ...(by === 'sender' ? day : lastDay[by]) }))
    .filter((sum) => sum.count > 1 && sum.usdMinor >= reportingUsdMinor && sum.largestUsdMinor < reportingUsdMinor)
    .sort((a, b) => Number(b.usdMinor - a.usdMinor));
  if (split) {
    const { by, count } = split;
    const figures = { by, count, usd: formatMinor(split.usdMinor), threshold_usd: formatMinor(reportingUsdMinor) };
    reasons.push({ code: 'split_amounts', severity: 'serious', ...figures });
  }
  return reasons;
}

function historyReasons(facts: ReviewFacts): ReviewReason[] {
  const { earlier, earlierToAccount, sendersToAccount, day, weekUsdMinor, history } = facts;
  const reasons: ReviewReason[] = [];
  if (earlier === 0) reasons.push({ code: 'first_transfer', severity: 'warning' });
  else if (earlierToAccount === 0) reasons.push({ code: 'new_account', severity: 'info' });
  if (sendersToAccount >= reviewRules.sendersToAccount) {
    const severity = sendersToAccount >= reviewRules.manySendersToAccount ? 'serious' : 'warning';
    reasons.push({ code: 'shared_account', severity, senders: sendersToAccount });
  }
  if (day.count >= reviewRules.transfersOfDay) {
    reasons.push({ code: 'many_transfers', severity: 'warning', count: day.count, usd: formatMinor(day.usdMinor) });
  }
  const usual = history.usdMinor / reviewRules.historyWeeks;
  if (history.count >= reviewRules.historyCount && weekUsdMinor >= usual * reviewRules.weekTimesUsual) {
    const figures = { usd: formatMinor(weekUsdMinor), usual_usd: formatMinor(usual) };
    reasons.push({ code: 'unusual_sum', severity: 'warning', ...figures });
  }
  return reasons;
}

function cardReasons({ cardCountry, phoneCountries, sharedCard }: ReviewFacts): ReviewReason[] {
  const reasons: ReviewReason[] = [];
  if (sharedCard.accounts > 0) {
    const { accounts, blocked } = sharedCard;
    const isSerious = blocked > 0 || accounts >= reviewRules.manyAccountsOfCard;
    reasons.push({ code: 'shared_card', severity: isSerious ? 'serious' : 'warning', accounts, blocked });
  }
  if (cardCountry !== null && phoneCountries.length > 0 && !phoneCountries.includes(cardCountry)) {
    reasons.push({ code: 'card_country', severity: 'warning', card: cardCountry, profile: phoneCountries.join('/') });
  }
  return reasons;
}

function riskReasons({ cardRisk: risk, declined }: ReviewFacts): ReviewReason[] {
  const level = riskyLevels.find((one) => one === risk?.level);
  const reasons: ReviewReason[] = [];
  if (risk && level) {
    reasons.push({
      code: 'card_risk',
      severity: level === 'highest' ? 'serious' : 'warning',
      level,
      score: risk.score,
    });
  }
  if (declined.count >= reviewRules.declinedOfDay) {
    const severity = declined.cards >= reviewRules.declinedCards ? 'serious' : 'warning';
    reasons.push({ code: 'declined_cards', severity, ...declined });
  }
  if (risk?.review === 'open') reasons.push({ code: 'card_review', severity: 'warning' });
  return reasons;
}

/** Account takeover: new device plus new recipient. */
function deviceReasons(facts: ReviewFacts, thresholdUsdMinor: bigint): ReviewReason[] {
  const { paidAt, since, accountSince } = facts.device;
  const isNew =
    since !== null &&
    paidAt.getTime() - since.getTime() < reviewRules.newDeviceMs &&
    since.getTime() - accountSince.getTime() >= reviewRules.ownDevicesMs;
  const usdMinor = countedUsdMinor(facts);
  if (!isNew || facts.earlierToAccount !== 0 || usdMinor < thresholdUsdMinor) return [];
  const figures = { usd: formatMinor(usdMinor), threshold_usd: formatMinor(thresholdUsdMinor) };
  return [{ code: 'new_device', severity: 'serious', ...figures }];
}

function nameReasons({ nameCheck }: ReviewFacts): ReviewReason[] {
  if (nameCheck?.status !== 'different' && nameCheck?.status !== 'close') return [];
  const { status, typed, bankSays, confirmed } = nameCheck;
  const names = { typed, bank_says: bankSays, confirmed };
  return status === 'different'
    ? [{ code: 'account_name', severity: 'serious', ...names }]
    : [{ code: 'account_name_alike', severity: 'info', ...names }];
}
