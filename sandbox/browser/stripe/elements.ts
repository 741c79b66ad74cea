/** `stripe.elements(options)`: the group that holds one PaymentIntent's Elements. */
import type { Appearance, StripeError } from '@stripe/stripe-js';
import { IntegrationError, type SandboxApi } from './api.ts';
import { CardElement, type ElementType } from './element.ts';

export interface ElementsOptions {
  clientSecret?: string;
  mode?: string;
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
    this.#api = api;
    this.#options = { ...options };
  }

  get clientSecret(): string | undefined {
    return this.#options.clientSecret;
  }

  /** With `mode` instead of a client secret, `submit()` must have succeeded before the payment is confirmed. */
  get mustSubmit(): boolean {
    return this.#options.mode !== undefined && !this.#submitted;
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
      appearance: this.#options.appearance,
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
    const error = element.form.check();
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
