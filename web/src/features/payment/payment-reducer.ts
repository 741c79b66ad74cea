import type { paymentEndpoints } from '#core/contracts/http/payments';
import type { QuoteView } from '#core/contracts/http/rates';
import type { Offer, PreparedPayment } from '../../data/payments.ts';
import type { CallFailureCode } from '../../lib/http.ts';
import type { NextTier } from '../shared/next-tier.ts';

/** The quote that the sender accepted, and the number of the request that opens its payment. */
export interface Accepted {
  readonly quote: QuoteView;
  /** Makes the idempotency key: the same request again opens nothing twice. */
  readonly request: number;
  /** Opened before this page, and gone on with. */
  readonly opened: PreparedPayment | null;
}

/** Why a payment could not be opened: a failed call with its message for the sender, or a card form that did not load. */
export type OpenFailure =
  | {
      readonly code: CallFailureCode;
      readonly message: string;
      /** With which step the sender may send so much. */
      readonly next?: NextTier | null;
    }
  | { readonly code: 'form_not_loaded' };

/** What was wrong with the card, with the provider's message for its holder; or with the attempt to ask it. */
export interface CardProblem {
  readonly code: 'declined' | 'unexpected' | 'form_broke';
  readonly message?: string;
}

/** What the provider said: the card holds the money; it does not; the payment is over; or the answer got lost. */
export type CardOutcome =
  | { readonly kind: 'held' }
  | { readonly kind: 'declined'; readonly problem: CardProblem }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown'; readonly problem: CardProblem };

/** What our server says became of a payment. */
export type FoundOutcome = 'held' | 'declined' | 'gone';

/** Going over to a payment with a better quote, while the one that is open stays. */
export type RateChange =
  | { readonly is: 'idle' }
  | { readonly is: 'asking'; readonly to: Accepted }
  | { readonly is: 'failed'; readonly failure: OpenFailure | 'moved_again' };

interface Common {
  readonly accepted: Accepted;
  /** How many requests to open a payment have had a number. */
  readonly requests: number;
}
interface WithPayment extends Common {
  readonly payment: PreparedPayment;
}

/** Where a payment by card stands. */
export type PaymentState =
  /** The quote is being frozen and the card form loaded. `expired`: the payment before this one ran out. */
  | (Common & { readonly name: 'opening'; readonly expired: boolean })
  | (Common & { readonly name: 'not_opened'; readonly failure: OpenFailure })
  /** The rate moved; nothing is opened until the sender accepts the new quote. */
  | (Common & { readonly name: 'rate_changed'; readonly offered: QuoteView })
  /** The card can be entered. `problem`: the last one was not accepted, and nothing was charged. */
  | (WithPayment & { readonly name: 'form'; readonly problem: CardProblem | null; readonly change: RateChange })
  /** The card is asked, 3-D Secure included. `slow`: for so long that our server is asked too. */
  | (WithPayment & { readonly name: 'confirming'; readonly slow: boolean })
  /** The answer about the card got lost: our server is asked. `problem` is shown should the card hold nothing. */
  | (WithPayment & { readonly name: 'checking'; readonly problem: CardProblem })
  /** The card holds the money, and our server is notified. `processing`: the provider is not done yet. */
  | (WithPayment & { readonly name: 'recording'; readonly processing: boolean })
  | (WithPayment & { readonly name: 'paid' })
  /** The provider says that nothing was held; `status` is its word. */
  | (WithPayment & { readonly name: 'not_made'; readonly status: string })
  | (WithPayment & { readonly name: 'not_recorded'; readonly gaveUp: 'status' | 'confirmation' })
  /** Nobody can say whether the card holds the money. */
  | (WithPayment & { readonly name: 'outcome_unknown' })
  /** The session ended after the card was asked; `held`: it is certain that the card accepted. */
  | (WithPayment & { readonly name: 'session_ended'; readonly held: boolean });

/** What happens to a payment. */
export type PaymentEvent =
  | { readonly type: 'opened'; readonly payment: PreparedPayment }
  | { readonly type: 'open_failed'; readonly failure: OpenFailure }
  | { readonly type: 'rate_moved'; readonly offered: QuoteView }
  | { readonly type: 'quote_accepted' }
  | { readonly type: 'retried' }
  | { readonly type: 'form_failed' }
  | { readonly type: 'submitted' }
  | { readonly type: 'card_answered'; readonly outcome: CardOutcome }
  | { readonly type: 'card_slow' }
  | { readonly type: 'outcome_found'; readonly outcome: FoundOutcome }
  | { readonly type: 'outcome_refused' }
  | { readonly type: 'processing' }
  | { readonly type: 'recorded' }
  | { readonly type: 'not_made'; readonly status: string }
  | { readonly type: 'record_failed'; readonly gaveUp: 'status' | 'confirmation' }
  | { readonly type: 'session_ended' }
  | { readonly type: 'change_asked'; readonly quote: QuoteView }
  | { readonly type: 'change_opened'; readonly payment: PreparedPayment }
  | { readonly type: 'change_failed'; readonly failure: OpenFailure | 'moved_again' };

/** A payment begins with what the sender accepted, or with the one they left unpaid. */
export const beginPayment = ({ quote, payment }: Offer): PaymentState => ({
  name: 'opening',
  accepted: { quote, request: 1, opened: payment ?? null },
  requests: 1,
  expired: false,
});

/** The next state. What cannot happen in a state, such as a second press of the pay button, leaves it as it is. */
export function paymentReducer(state: PaymentState, event: PaymentEvent): PaymentState {
  switch (state.name) {
    case 'opening':
      return afterOpening(state, event);
    case 'not_opened':
      return event.type === 'retried' && canRetry(state.failure) ? again(state) : state;
    case 'rate_changed':
      return event.type === 'quote_accepted' ? anew(state, state.offered) : state;
    case 'form':
      return inForm(state, event);
    case 'confirming':
      return whileConfirming(state, event);
    case 'checking':
      return whileChecking(state, event);
    case 'recording':
      return whileRecording(state, event);
    case 'not_made':
      if (event.type !== 'retried') return state;
      // Its payment takes another card, unless it is over.
      return state.status === 'requires_payment_method' ? again(state) : expired(state);
    case 'paid':
    case 'not_recorded':
    case 'outcome_unknown':
    case 'session_ended':
      return state;
  }
}

function afterOpening(state: Of<'opening'>, event: PaymentEvent): PaymentState {
  switch (event.type) {
    case 'opened':
      return toForm({ ...state, payment: event.payment });
    case 'open_failed':
      return { ...commonOf(state), name: 'not_opened', failure: event.failure };
    case 'rate_moved':
      return { ...commonOf(state), name: 'rate_changed', offered: event.offered };
    case 'form_failed':
      return formFailed(state);
    default:
      return state;
  }
}

function inForm(state: Of<'form'>, event: PaymentEvent): PaymentState {
  const { change } = state;
  switch (event.type) {
    // Of asking the card and changing the payment only one happens at a time.
    case 'submitted':
      return change.is === 'asking' ? state : { ...paymentOf(state), name: 'confirming', slow: false };
    case 'form_failed':
      return formFailed(state);
    case 'change_asked': {
      if (change.is === 'asking') return state;
      const to = { quote: event.quote, request: state.requests + 1, opened: null };
      return { ...state, requests: to.request, change: { is: 'asking', to } };
    }
    case 'change_opened':
      return change.is === 'asking' ? toForm({ ...state, accepted: change.to, payment: event.payment }) : state;
    case 'change_failed':
      return change.is === 'asking' ? { ...state, change: { is: 'failed', failure: event.failure } } : state;
    // Paid in another tab, or run out meanwhile.
    case 'outcome_found':
      return event.outcome === 'declined' ? state : found(state, event.outcome);
    default:
      return state;
  }
}

function whileConfirming(state: Of<'confirming'>, event: PaymentEvent): PaymentState {
  switch (event.type) {
    case 'card_answered':
      if (event.outcome.kind === 'declined') return toForm(state, event.outcome.problem);
      if (event.outcome.kind !== 'unknown') return found(state, event.outcome.kind);
      return { ...paymentOf(state), name: 'checking', problem: event.outcome.problem };
    case 'card_slow':
      return state.slow ? state : { ...state, slow: true };
    // The card may still hold the money a moment later: only a final answer counts.
    case 'outcome_found':
      return event.outcome === 'declined' ? state : found(state, event.outcome);
    case 'session_ended':
      return { ...paymentOf(state), name: 'session_ended', held: false };
    default:
      return state;
  }
}

function whileChecking(state: Of<'checking'>, event: PaymentEvent): PaymentState {
  switch (event.type) {
    case 'outcome_found':
      return event.outcome === 'declined' ? toForm(state, state.problem) : found(state, event.outcome);
    case 'outcome_refused':
      return { ...paymentOf(state), name: 'outcome_unknown' };
    case 'session_ended':
      return { ...paymentOf(state), name: 'session_ended', held: false };
    default:
      return state;
  }
}

function whileRecording(state: Of<'recording'>, event: PaymentEvent): PaymentState {
  switch (event.type) {
    case 'processing':
      return state.processing ? state : { ...state, processing: true };
    case 'recorded':
      return { ...paymentOf(state), name: 'paid' };
    case 'not_made':
      return { ...paymentOf(state), name: 'not_made', status: event.status };
    case 'record_failed':
      return { ...paymentOf(state), name: 'not_recorded', gaveUp: event.gaveUp };
    case 'session_ended':
      return { ...paymentOf(state), name: 'session_ended', held: true };
    default:
      return state;
  }
}

type Of<Name extends PaymentState['name']> = Extract<PaymentState, { name: Name }>;

const commonOf = ({ accepted, requests }: Common): Common => ({ accepted, requests });
const paymentOf = ({ accepted, requests, payment }: WithPayment): WithPayment => ({ accepted, requests, payment });

const toForm = (state: WithPayment, problem: CardProblem | null = null): PaymentState => ({
  ...paymentOf(state),
  name: 'form',
  problem,
  change: { is: 'idle' },
});

const found = (state: WithPayment, outcome: 'held' | 'gone'): PaymentState =>
  outcome === 'gone' ? expired(state) : { ...paymentOf(state), name: 'recording', processing: false };

const formFailed = (state: Common): PaymentState => ({
  ...commonOf(state),
  name: 'not_opened',
  failure: { code: 'form_not_loaded' },
});

/** The same request once more. */
const again = (state: Common): PaymentState => ({ ...commonOf(state), name: 'opening', expired: false });

/** Another payment, for the quote that the sender accepted now. */
const anew = ({ requests }: Common, quote: QuoteView): Of<'opening'> => ({
  name: 'opening',
  accepted: { quote, request: requests + 1, opened: null },
  requests: requests + 1,
  expired: false,
});

/** Another payment in place of one that cannot be paid any more. */
const expired = (state: Common): PaymentState => ({ ...anew(state, state.accepted.quote), expired: true });

/** What the sender can do when a payment was not opened. */
export type WayOn =
  /** The same request may work when it is made again. */
  | 'retry'
  /** Something in their form has to change first. */
  | 'change'
  /** The recipient has to be corrected, or their name confirmed. */
  | 'recipient'
  /** Nothing on this page helps. */
  | 'none';

type OpeningCall = 'createPaymentIntent' | 'createDemoPayment' | 'resumePayment';
/** Every failure that a call which opens a payment declares. */
export type OpeningFailure = (typeof paymentEndpoints)[OpeningCall]['failures'][number];

const ways: Readonly<Record<OpeningFailure | 'invalid_input', WayOn>> = {
  too_many_requests: 'retry',
  account_blocked: 'none',

  // Requested again with the retry, like the second factor.
  email_unproven: 'retry',
  second_factor_stale: 'retry',
  rate_unavailable: 'change',
  payments_paused: 'change',
  rate_changed: 'retry',
  amount_too_small: 'change',
  amount_too_large: 'change',
  day_limit_reached: 'change',
  month_limit_reached: 'change',
  too_many_unpaid_transfers: 'change',
  too_many_declines: 'change',
  reminder_closed: 'change',
  birth_date_required: 'change',
  under_age: 'none',
  not_found: 'change',
  invalid_input: 'change',
  name_not_confirmed: 'recipient',
  // The same key with other data is refused every time.
  idempotency_key_reused: 'change',
  payment_not_started: 'retry',
  transfer_not_payable: 'change',
};

/** What helps after a failure. Undeclared failures, such as a lost connection, may succeed on a retry. */
export const wayOn = ({ code }: OpenFailure): WayOn =>
  Object.hasOwn(ways, code) ? ways[code as OpeningFailure] : 'retry';

/** Whether the same request may work when it is made again. */
export const canRetry = (failure: OpenFailure): boolean => wayOn(failure) === 'retry';

/** Whether the card was asked: from here on what became of it stays on screen, also when the session ends. */
export function isAfterCard({ name }: PaymentState): boolean {
  return !['opening', 'not_opened', 'rate_changed', 'form'].includes(name);
}

/** Whether leaving now would take away a form or an answer that is about to come. */
export function mustStay(state: PaymentState): boolean {
  return (state.name === 'confirming' && !state.slow) || (state.name === 'recording' && !state.processing);
}

/** Whether the card may hold the money although nobody has said so on screen yet. */
export function isUnresolved({ name }: PaymentState): boolean {
  return name === 'confirming' || name === 'checking' || name === 'recording';
}
