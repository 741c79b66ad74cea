/** `stripe.elements(options)`: the group that holds one PaymentIntent's Elements. */
import type { Appearance, PaymentIntent, StripeError } from '@stripe/stripe-js';
import { IntegrationError, type SandboxApi } from './api.ts';
import { CardElement, type ElementType } from './element.ts';
import type { CardFormLook } from './frame-messages.ts';
import { languageOf } from './messages.ts';

export interface ElementsOptions {
  clientSecret?: string;
  mode?: string;
  /** In minor units, with `mode`. */
  amount?: number;
  currency?: string;
  captureMethod?: string;
  locale?: string;
  fonts?: CardFormLook['fonts'];
  appearance?: Appearance;
  [option: string]: unknown;
}

export type SubmitResult =
  | { selectedPaymentMethod: string; error?: undefined }
  | { error: StripeError; selectedPaymentMethod?: undefined };

const SUPPORTED: readonly string[] = ['payment', 'card'];

/** PaymentIntent statuses for which Stripe's Payment Element does not load. */
const TERMINAL: readonly string[] = ['succeeded', 'canceled', 'requires_capture'];

export class ElementsGroup {
  readonly #api: SandboxApi;
  readonly #elements = new Map<ElementType, CardElement>();
  readonly #updateEnd = new Set<() => void>();
  #options: ElementsOptions;
  #submitted = false;

  constructor(api: SandboxApi, options: ElementsOptions = {}) {
    if ('paymentMethodTypes' in options) {
      throw new IntegrationError('`paymentMethodTypes` is no longer supported: use `allowedPaymentMethodTypes`.');
    }
    this.#api = options.locale === undefined ? api : api.in(languageOf(options.locale));
    this.#options = { ...options };
  }

  get clientSecret(): string | undefined {
    return this.#options.clientSecret;
  }

  /** Whether the group was made with `mode` instead of a client secret. */
  get isDeferred(): boolean {
    return this.#options.mode !== undefined;
  }

  /** With `mode` instead of a client secret, `submit()` must have succeeded before the payment is confirmed. */
  get mustSubmit(): boolean {
    return this.#options.mode !== undefined && !this.#submitted;
  }

  /** The server, with messages in the language of the group. */
  get api(): SandboxApi {
    return this.#api;
  }

  /**
   * With `mode` the fields were created before the payment: their parameters must match the payment's, as in Stripe.js.
   * Throws IntegrationError otherwise.
   */
  checkDeferred(intent: PaymentIntent): void {
    const { mode, amount, currency, captureMethod = 'automatic_async' } = this.#options;
    if (mode === undefined) return;
    const pairs = { amount: [amount, intent.amount], currency: [currency, intent.currency] };
    const capture = { capture_method: [captureMethod, intent.capture_method] };
    for (const [name, [given, actual]] of Object.entries({ ...pairs, ...capture })) {
      if (given === actual) continue;
      throw new IntegrationError(
        `The ${name} of the PaymentIntent (${actual}) does not match the ${name} that Elements were created with (${given}).`,
      );
    }
  }

  /** The mounted form; null when the page has none. */
  get element(): CardElement | null {
    return this.#elements.get('payment') ?? this.#elements.get('card') ?? null;
  }

  /** Throws IntegrationError for a type the simulator does not support, or a second element of one type. */
  create(type: string): CardElement {
    if (!SUPPORTED.includes(type)) throw new IntegrationError(`The simulator has no Element of type "${type}".`);
    const elementType = type as ElementType;
    if (this.#elements.has(elementType)) {
      throw new IntegrationError(`Can only create one Element of type ${type} through one Elements group.`);
    }
    const element = new CardElement(elementType, {
      api: this.#api,
      look: { appearance: this.#options.appearance, fonts: this.#options.fonts },
      load: () => this.#load(),
      release: (released) => {
        if (this.#elements.get(elementType) === released) this.#elements.delete(elementType);
      },
    });
    this.#elements.set(elementType, element);
    return element;
  }

  /** By type, or by a react-stripe-js component, which carries its type as `__elementType`. */
  getElement(key: string | { __elementType?: string }): CardElement | null {
    const type = typeof key === 'string' ? key : key?.__elementType;
    return this.#elements.get(type as ElementType) ?? null;
  }

  async update(options: ElementsOptions): Promise<void> {
    this.#options = { ...this.#options, ...options };
    if (options.appearance)
      for (const element of this.#elements.values()) element.form.setAppearance(options.appearance);
    await Promise.resolve();
    for (const handler of this.#updateEnd) handler();
  }

  on(_type: 'update-end', handler: () => void): void {
    this.#updateEnd.add(handler);
  }

  async fetchUpdates(): Promise<{ error?: { message: string } }> {
    const error = await this.#load();
    return error ? { error: { message: error.message ?? '' } } : {};
  }

  /** Resolves invalid input as a `validation_error`, shown at its field; never throws for it. */
  async submit(): Promise<SubmitResult> {
    const { element } = this;
    if (!element) throw new IntegrationError('elements.submit() needs a mounted Element.');
    const error = await element.form.check();
    if (error) return { error };
    this.#submitted = true;
    return { selectedPaymentMethod: 'card' };
  }

  async #load(): Promise<StripeError | null> {
    const { clientSecret } = this.#options;
    if (clientSecret === undefined) {
      // Without an intent there is nothing to load, but `ready` must come after listeners are attached.
      await new Promise((resolve) => setTimeout(resolve));
      return null;
    }
    const { paymentIntent, error } = await this.#api.retrieve(clientSecret);
    if (error) return error;
    if (!TERMINAL.includes(paymentIntent.status)) return null;
    return {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      message: 'This PaymentIntent is in a terminal state and cannot be used to initialize Elements.',
    };
  }
}
