/** Stripe's test cards and their behaviour. Any other number is refused. */

export interface Decline {
  code: string;
  declineCode: string;
  message: string;
  adviceCode: 'confirm_card_data' | 'do_not_try_again' | 'try_again_later' | null;
  networkDeclineCode: string | null;
  /** Blocked by Radar before the card network was reached. */
  blocked?: boolean;
}

/** When the card requires 3-D Secure. */
export type Authentication =
  | 'unsupported'
  | 'optional'
  | 'required'
  | 'unless_set_up'
  | 'on_session'
  | 'required_but_broken';

export interface TestCard {
  number: string;
  /** Ids as `pm_card_<name>`; the first also names the row in storage. */
  names: [string, ...string[]];
  brand: string;
  country: string;
  funding: 'credit' | 'debit';
  authentication: Authentication;
  decline: Decline | null;
  riskLevel: 'normal' | 'elevated' | 'highest';
  cvcCheck: 'pass' | 'fail';
  postalCodeCheck: 'pass' | 'fail';
  /** `later`: pending, then succeeded. `fails`: succeeded, then failed. */
  refund: 'at_once' | 'later' | 'fails';
  /** The cardholder's bank's reaction after the capture, with the reason of the dispute. */
  dispute: 'none' | 'fraudulent' | 'product_not_received' | 'inquiry' | 'several';
  /** Whether the cardholder's bank reports the payment as fraud. */
  fraudWarning: boolean;
  availableAtOnce: boolean;
}

function decline(declineCode: string, message = 'Your card was declined.', more: Partial<Decline> = {}): Decline {
  return { code: 'card_declined', declineCode, message, adviceCode: null, networkDeclineCode: '05', ...more };
}

const GENERIC = decline('generic_decline', undefined, { adviceCode: 'try_again_later' });
const INSUFFICIENT = decline('insufficient_funds', 'Your card has insufficient funds.', {
  adviceCode: 'try_again_later',
  networkDeclineCode: '51',
});
const EXPIRED = decline('expired_card', 'Your card has expired.', {
  code: 'expired_card',
  adviceCode: 'confirm_card_data',
  networkDeclineCode: '54',
});
const WRONG_CVC = decline('incorrect_cvc', "Your card's security code is incorrect.", {
  code: 'incorrect_cvc',
  adviceCode: 'confirm_card_data',
  networkDeclineCode: 'N7',
});
const PROCESSING = decline(
  'processing_error',
  'An error occurred while processing your card. Try again in a little bit.',
  {
    code: 'processing_error',
    adviceCode: 'try_again_later',
    networkDeclineCode: null,
  },
);
const LOST = decline('lost_card', undefined, { adviceCode: 'do_not_try_again', networkDeclineCode: '41' });
const STOLEN = decline('stolen_card', undefined, { adviceCode: 'do_not_try_again', networkDeclineCode: '43' });
const VELOCITY = decline(
  'card_velocity_exceeded',
  'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  {
    adviceCode: 'try_again_later',
    networkDeclineCode: '65',
  },
);
const BLOCKED = decline('fraudulent', undefined, { networkDeclineCode: null, blocked: true });

function card(number: string, names: [string, ...string[]], more: Partial<TestCard> = {}): TestCard {
  return {
    number,
    names,
    brand: 'visa',
    country: 'US',
    funding: 'credit',
    authentication: 'unsupported',
    decline: null,
    riskLevel: 'normal',
    cvcCheck: 'pass',
    postalCodeCheck: 'pass',
    refund: 'at_once',
    dispute: 'none',
    fraudWarning: false,
    availableAtOnce: false,
    ...more,
  };
}

export const TEST_CARDS: readonly TestCard[] = [
  card('4242424242424242', ['visa', 'us'], { authentication: 'optional' }),
  card('4000056655665556', ['visa_debit'], { funding: 'debit' }),
  card('5555555555554444', ['mastercard'], { brand: 'mastercard' }),
  card('5200828282828210', ['mastercard_debit'], { brand: 'mastercard', funding: 'debit' }),
  card('378282246310005', ['amex'], { brand: 'amex' }),
  card('6011111111111117', ['discover'], { brand: 'discover' }),
  card('4000000000000002', ['visa_chargeDeclined', 'chargeDeclined'], { decline: GENERIC }),
  card('4000000000009995', ['visa_chargeDeclinedInsufficientFunds', 'chargeDeclinedInsufficientFunds'], {
    decline: INSUFFICIENT,
  }),
  card('4000000000009987', ['visa_chargeDeclinedLostCard', 'chargeDeclinedLostCard'], { decline: LOST }),
  card('4000000000009979', ['visa_chargeDeclinedStolenCard', 'chargeDeclinedStolenCard'], { decline: STOLEN }),
  card('4000000000006975', ['visa_chargeDeclinedVelocityLimitExceeded', 'chargeDeclinedVelocityLimitExceeded'], {
    decline: VELOCITY,
  }),
  card('4000000000000069', ['chargeDeclinedExpiredCard', 'visa_chargeDeclinedExpiredCard'], { decline: EXPIRED }),
  card('4000000000000127', ['chargeDeclinedIncorrectCvc', 'visa_chargeDeclinedIncorrectCvc'], {
    decline: WRONG_CVC,
    cvcCheck: 'fail',
  }),
  card('4000000000000119', ['chargeDeclinedProcessingError', 'visa_chargeDeclinedProcessingError'], {
    decline: PROCESSING,
  }),
  card('4100000000000019', ['radarBlock'], { decline: BLOCKED, riskLevel: 'highest' }),
  card('4000000000009235', ['riskLevelElevated'], { riskLevel: 'elevated' }),
  card('4000000000000101', ['cvcCheckFail'], { cvcCheck: 'fail' }),
  card('4000000000000036', ['avsZipFail'], { postalCodeCheck: 'fail' }),
  card('4000000000000341', ['chargeCustomerFail'], { decline: GENERIC }),
  card('4000002500003155', ['authenticationRequiredOnSetup'], { authentication: 'unless_set_up', country: 'FR' }),
  card('4000002760003184', ['authenticationRequired'], { authentication: 'required', country: 'DE' }),
  card('4000003800000446', ['authenticationRequiredSetupForOffSession'], {
    authentication: 'on_session',
    country: 'IT',
  }),
  card('4000000000003220', ['threeDSecure2Required', 'threeDSecureRequired'], { authentication: 'required' }),
  card('4000008400001629', ['threeDSecureRequiredChargeDeclined'], { authentication: 'required', decline: GENERIC }),
  card('4000008260003178', ['authenticationRequiredChargeDeclinedInsufficientFunds'], {
    authentication: 'required',
    decline: INSUFFICIENT,
    country: 'GB',
  }),
  card('4000008400001280', ['threeDSecureRequiredProcessingError'], {
    authentication: 'required_but_broken',
    decline: GENERIC,
  }),
  card('4000000000003055', ['threeDSecureOptional'], { authentication: 'optional' }),
  card('4000000000000259', ['createDispute'], { dispute: 'fraudulent' }),
  card('4000000000002685', ['createDisputeProductNotReceived'], { dispute: 'product_not_received' }),
  card('4000000000001976', ['createDisputeInquiry'], { dispute: 'inquiry' }),
  card('4000000000005423', ['createIssuerFraudRecord'], { fraudWarning: true }),
  card('4000000404000079', ['createMultipleDisputes'], { dispute: 'several' }),
  card('4000000000007726', ['pendingRefund'], { refund: 'later' }),
  card('4000000000005126', ['refundFail'], { refund: 'fails' }),
  card('4000000000000077', ['bypassPending'], { availableAtOnce: true }),
];

const byName = new Map<string, TestCard>(
  TEST_CARDS.flatMap((row) => row.names.map((name) => [`pm_card_${name}`, row] as const)),
);
const byNumber = new Map(TEST_CARDS.map((row) => [row.number, row]));

export function testCardByMethod(methodId: string): TestCard | undefined {
  return byName.get(methodId);
}

export function testCardByNumber(number: string): TestCard | undefined {
  return byNumber.get(number);
}

/** @param name a row's first name, as storage keeps it. */
export function testCardByName(name: string): TestCard {
  const row = byName.get(`pm_card_${name}`);
  if (!row) throw new Error(`No test card named ${name}`);
  return row;
}

/** Whether the check digit of a card number is right. */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...number].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
