/**
 * One Element (`payment` or `card`) with the life cycle that react-stripe-js needs: create, mount, destroy, create
 * again.
 */
import type { Appearance, StripeError } from '@stripe/stripe-js';
import { IntegrationError } from './api.ts';
import { CardForm } from './card-form.ts';

export type ElementType = 'payment' | 'card';

type Handler = (event: unknown) => unknown;

/** What an Element needs from its group. */
export interface ElementOwner {
  appearance: Appearance | undefined;
  /** Resolves when the element may emit `ready`, or with the error for `loaderror`. */
  load: () => Promise<StripeError | null>;
  release: (element: CardElement) => void;
}

export class CardElement {
  readonly type: ElementType;
  readonly form: CardForm;
  readonly #owner: ElementOwner;
  readonly #handlers = new Map<string, Set<Handler>>();
  #container: HTMLElement | null = null;
  #destroyed = false;

  constructor(type: ElementType, owner: ElementOwner) {
    this.type = type;
    this.#owner = owner;
    this.form = new CardForm(
      {
        changed: ({ empty, complete }) =>
          this.#emit('change', {
            empty,
            complete,
            ...(type === 'payment' ? { collapsed: false, value: { type: 'card' } } : {}),
          }),
        focused: () => this.#emit('focus'),
        blurred: () => this.#emit('blur'),
        escaped: () => this.#emit('escape'),
      },
      owner.appearance,
    );
  }

  /** Throws IntegrationError when the container does not exist or the element was destroyed. */
  mount(target: string | HTMLElement): void {
    if (this.#destroyed) throw new IntegrationError('This Element has already been destroyed.');
    const container = typeof target === 'string' ? document.querySelector<HTMLElement>(target) : target;
    if (!container) throw new IntegrationError(`The selector you specified (${target}) applies to no DOM elements.`);
    this.#container = container;
    container.replaceChildren(this.form.host);
    container.classList.add('StripeElement');
    void this.#load();
  }

  unmount(): void {
    this.form.host.remove();
    this.#container?.classList.remove('StripeElement');
    this.#container = null;
  }

  destroy(): void {
    this.unmount();
    this.#destroyed = true;
    this.#handlers.clear();
    this.#owner.release(this);
  }

  /** Applies changed options. Only `readOnly` has an effect. */
  update(options: { readOnly?: boolean }): this {
    if (options.readOnly !== undefined) this.form.setReadOnly(options.readOnly);
    return this;
  }

  focus(): void {
    this.form.focus();
  }

  blur(): void {
    this.form.blur();
  }

  clear(): void {
    this.form.clear();
  }

  collapse(): this {
    return this;
  }

  on(type: string, handler: Handler): this {
    const handlers = this.#handlers.get(type) ?? new Set();
    this.#handlers.set(type, handlers.add(handler));
    return this;
  }

  once(type: string, handler: Handler): this {
    const once: Handler = (event) => {
      this.off(type, once);
      handler(event);
    };
    return this.on(type, once);
  }

  off(type: string, handler?: Handler): this {
    if (handler) this.#handlers.get(type)?.delete(handler);
    else this.#handlers.delete(type);
    return this;
  }

  /** Listeners are attached after `mount`, so nothing is emitted before the group has answered. */
  async #load(): Promise<void> {
    const error = await this.#owner.load();
    if (this.#destroyed || !this.#container) return;
    if (!error) return this.#emit('ready');
    this.form.showLoadError();
    this.#emit('loaderror', { error });
  }

  #emit(type: string, detail: object = {}): void {
    for (const handler of [...(this.#handlers.get(type) ?? [])]) handler({ elementType: this.type, ...detail });
  }
}
