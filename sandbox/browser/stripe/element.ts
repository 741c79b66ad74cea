/**
 * One Element (`payment` or `card`) with the life cycle that react-stripe-js needs: create, mount, destroy, create
 * again.
 */
import type { StripeError } from '@stripe/stripe-js';
import { IntegrationError, type SandboxApi } from './api.ts';
import { CardFrame } from './card-frame.ts';
import type { CardFormLook } from './frame-messages.ts';

export type ElementType = 'payment' | 'card';

type Handler = (event: unknown) => unknown;

/** The interface of an Element's group. */
export interface ElementOwner {
  api: SandboxApi;
  look: CardFormLook;
  /** Resolves when the element may emit `ready`, or with the error for `loaderror`. */
  load: () => Promise<StripeError | null>;
  release: (element: CardElement) => void;
}

/** What a change of the Payment Element says besides. */
const paymentDetail = { collapsed: false, value: { type: 'card' } };

export class CardElement {
  readonly type: ElementType;
  readonly form: CardFrame;
  /** The server, with messages in the language of the form. */
  readonly api: SandboxApi;
  readonly #owner: ElementOwner;
  readonly #handlers = new Map<string, Set<Handler>>();
  #container: HTMLElement | null = null;
  #destroyed = false;

  constructor(type: ElementType, owner: ElementOwner) {
    this.type = type;
    this.#owner = owner;
    this.api = owner.api;
    this.form = new CardFrame(owner.api, owner.look, ({ type: event, ...detail }) =>
      this.#emit(event, event === 'change' && type === 'payment' ? { ...detail, ...paymentDetail } : detail),
    );
  }

  /** Throws IntegrationError when the container does not exist or the element was destroyed. */
  mount(target: string | HTMLElement): void {
    if (this.#destroyed) throw new IntegrationError('This Element has already been destroyed.');
    const container = typeof target === 'string' ? document.querySelector<HTMLElement>(target) : target;
    if (!container) throw new IntegrationError(`The selector you specified (${target}) applies to no DOM elements.`);
    this.#container = container;
    container.replaceChildren(this.form.element);
    container.classList.add('StripeElement');
    void this.#load();
  }

  unmount(): void {
    this.form.element.remove();
    this.#container?.classList.remove('StripeElement');
    this.#container = null;
  }

  destroy(): void {
    this.unmount();
    this.form.destroy();
    this.#destroyed = true;
    this.#handlers.clear();
    this.#owner.release(this);
  }

  /** Applies changed options. Only `readOnly` has an effect. */
  update(options: { readOnly?: boolean }): this {
    if (options.readOnly !== undefined) this.form.tell({ type: 'read_only', readOnly: options.readOnly });
    return this;
  }

  focus(): void {
    this.form.element.focus();
    this.form.tell({ type: 'focus' });
  }

  blur(): void {
    this.form.tell({ type: 'blur' });
  }

  clear(): void {
    this.form.tell({ type: 'clear' });
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
    const [error] = await Promise.all([this.#owner.load(), this.form.started]);
    if (this.#destroyed || !this.#container) return;
    if (!error) return this.#emit('ready');
    this.form.tell({ type: 'load_error' });
    this.#emit('loaderror', { error });
  }

  #emit(type: string, detail: object = {}): void {
    for (const handler of [...(this.#handlers.get(type) ?? [])]) handler({ elementType: this.type, ...detail });
  }
}
