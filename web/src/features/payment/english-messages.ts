import { formatEnglishAmount, formatEnglishRateLine } from '#core/money/format';
import type { CallFailureCode } from '../../lib/http.ts';
import { toMarket } from '../shared/breakdown.tsx';
import type { PaymentMessages } from './payment-messages.ts';

const time = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit' });

/** Failures a reader can do something about; everything else is named by what it stopped. */
const failures: Partial<Record<CallFailureCode, string>> = {
  amount_too_small: 'The minimum amount is 10 USD.',
  amount_too_large: 'The maximum amount per transfer is 3,000 USD.',
  day_limit_reached:
    'This transfer exceeds your 24-hour limit. Try a smaller amount or wait until 24 hours have passed since your last transfers.',
  month_limit_reached: 'This transfer exceeds your 30-day limit. Try a smaller amount.',
  birth_date_required: 'We need your date of birth for your first transfer.',
  under_age: 'You must be at least 18 years old to send money.',
  rate_unavailable: 'The exchange rate is not available at the moment. Please try again later.',
  payments_paused: 'Payments are paused because we have no recent market rate. Please try again in a few hours.',
};

/** The payment path in English, for the one page that speaks it. */
export const english: PaymentMessages = {
  locale: 'en',
  breakdown: {
    arrives: 'Recipient gets',
    paid: 'You send',
    fee: 'Our fee',
    net: 'Amount exchanged',
    rate: "Today's rate",
    money: formatEnglishAmount,
    market: 'Against the market',
    toMarket: (percent) => toMarket(percent, 'less', 'more'),
    rateLine: formatEnglishRateLine,
  },
  recipient: 'To',
  preparing: 'Preparing your payment...',
  recording: 'Confirming your payment...',
  processing: 'Payment is being processed. Please wait a moment.',
  keptUntil: (iso) => `We keep this rate for you until ${time.format(new Date(iso))}.`,
  pay: (amount) => `Pay Now ${amount}`,
  paying: 'Processing payment...',
  cancel: 'Cancel',
  retry: 'Try again',
  change: 'Edit Amount',
  notStarted: ['Error', 'Failed to create payment intent'],
  renewed: [
    'Your rate expired',
    'You have not been charged. We prepared the payment again: check it and enter your card once more.',
  ],
  notPrepared: 'Failed to create payment intent',
  formNotLoaded: 'Unable to initialize payment. Please try again later.',
  nothingCharged: 'You have not been charged.',
  cardProblem: 'Payment failed',
  problem: {
    declined: 'Payment failed',
    unexpected: 'An unexpected error occurred',
    form_broke: 'An unexpected error occurred',
  },
  unrecorded: { status: 'Error checking payment status', confirmation: 'Failed to confirm transaction' },
  unrecordedAdvice: 'Do not pay again. We keep checking, and your transfer will appear in your panel.',
  checking: {
    title: 'Checking your payment',
    message:
      'The answer about your card got lost and we do not know whether it accepted. Do not pay again: we check as soon as there is a connection.',
  },
  unknown: 'We could not check whether your card accepted the payment.',
  sessionEnded: {
    title: 'Your session ended',
    held: 'Your card accepted and your transfer is safe: it goes on. Do not pay again. Sign in again to follow it.',
    unknown:
      'We do not know yet whether your card accepted the payment. Do not pay again: sign in again and see how your transfer stands.',
    signIn: 'Sign in',
  },
  notMade: (status) => `Payment ${status}: Please try again`,
  backToPanel: 'Go to your panel',
  failure: (code) => failures[code] ?? 'Unable to initialize payment. Please try again later.',
  rateChanged: {
    message: 'The rate changed while you were preparing your transfer. Check the new amount and accept it.',
    before: 'Before',
    now: 'Now',
    same: (amount) => `You pay the same: ${amount}, fee included.`,
    accept: 'Accept and continue',
  },
  rateNotice: {
    worse: (iso) => `The rate went down. Your accepted rate is kept until ${time.format(new Date(iso))}.`,
    title: 'There is a better rate',
    better: (rateLine, arrives) => `Now ${rateLine}: for what you pay, ${arrives} would arrive.`,
    use: 'Use the new rate',
    carryOn: (iso) => `If you carry on, your accepted rate is kept until ${time.format(new Date(iso))}.`,
    movedAgain: 'The rate moved again.',
    stillYours: 'You can pay at the rate you accepted.',
  },
};
