import type { PaymentIntentResult, StripeElementsOptions, StripeError } from '@stripe/stripe-js';
import { beforeEach } from 'vitest';

/** What Stripe's form answers; everything goes well unless a test says otherwise. */
interface StripeAnswers {
  /** Whether the fields appear. */
  readonly fields: 'ready' | 'fail';
  /** What is wrong with the entered card before it is asked. */
  readonly submit: () => Promise<{ error?: Partial<StripeError> }>;
  /** What asking the card answers. */
  readonly confirm: () => Promise<{ error?: Partial<StripeError> }>;
}

/** Stripe.js whose answers a component test decides. Its fields are one text field, in the page itself. */
export interface FakeStripe {
  /** Sets or replaces answers. */
  answer(answers: Partial<StripeAnswers>): void;
  /** What `stripe.elements` was called with, oldest first. */
  readonly elements: readonly StripeElementsOptions[];
  /** Which cards were asked, by the client secret of their payment, oldest first. */
  readonly confirmed: readonly string[];
  /** How they were asked, oldest first. */
  readonly calls: readonly { readonly name: string; readonly options: object }[];
}

type Listener = (event: object) => void;

/** Stripe's version as its package expects it. */
const version = 'endive';

let answers: StripeAnswers;
let elements: StripeElementsOptions[] = [];
let confirmed: string[] = [];
let calls: { name: string; options: object }[] = [];

async function confirm(name: string, clientSecret: string, options: object) {
  calls.push({ name, options });
  confirmed.push(clientSecret);
  return (await answers.confirm()) as PaymentIntentResult;
}

function createElements(options: StripeElementsOptions) {
  elements.push(options);
  const created = new Map<string, object>();
  return {
    create: (type: string) => {
      const element = createElement(() => answers.fields, options.locale);
      created.set(type, element);
      return element;
    },
    getElement: (type: string) => created.get(type) ?? null,
    update: () => undefined,
    on: () => undefined,
    submit: () => answers.submit(),
  };
}

/** One for all files: the app and Stripe's package load it once and keep it. */
const stripe = {
  elements: createElements,
  confirmPayment: (options: { clientSecret: string }) => confirm('confirmPayment', options.clientSecret, options),
  confirmCardPayment: (clientSecret: string, options: object) => confirm('confirmCardPayment', clientSecret, options),
  createToken: () => undefined,
  createPaymentMethod: () => undefined,
  registerAppInfo: () => undefined,
  _registerWrapper: () => undefined,
};

/** Stripe.js for the tests of a file; call it at its top level. */
export function installFakeStripe(): FakeStripe {
  beforeEach(() => {
    answers = { fields: 'ready', submit: async () => ({}), confirm: async () => ({}) };
    elements = [];
    confirmed = [];
    calls = [];
    Object.assign(window, { Stripe: Object.assign(() => stripe, { version }) });
  });
  return {
    answer: (more) => {
      answers = { ...answers, ...more };
    },
    get elements() {
      return elements;
    },
    get confirmed() {
      return confirmed;
    },
    get calls() {
      return calls;
    },
  };
}

/** One of Stripe's elements: a text field that is there a moment after it was mounted. */
function createElement(fields: () => StripeAnswers['fields'], locale?: string) {
  const listeners = new Map<string, Listener>();
  const field = document.createElement('input');
  field.dataset.testid = 'card-number';
  field.setAttribute('aria-label', locale === 'en' ? 'Card number' : 'Número de tarjeta');
  return {
    mount(place: HTMLElement) {
      place.replaceChildren(field);
      setTimeout(() =>
        fields() === 'ready' ? listeners.get('ready')?.({}) : listeners.get('loaderror')?.({ error: {} }),
      );
    },
    on: (type: string, listener: Listener) => listeners.set(type, listener),
    off: (type: string) => listeners.delete(type),
    update: () => undefined,
    unmount: () => field.remove(),
    destroy: () => field.remove(),
  };
}
