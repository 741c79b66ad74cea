/** The card form of an Element in its frame: the page gets its height and events, never its input. */
import type { StripeError } from '@stripe/stripe-js';
import type { ApiResult, FormParams, SandboxApi } from './api.ts';
import { Frame } from './frame.ts';
import type { CardFormCall, CardFormLook, FromCardForm, ToCardForm } from './frame-messages.ts';
import { labelsIn } from './messages.ts';

/** True while a mouse button or finger is pressed on the page. */
let pressed = false;
window.addEventListener('pointerdown', () => (pressed = true), { capture: true });
for (const type of ['pointerup', 'pointercancel']) {
  window.addEventListener(type, () => (pressed = false), { capture: true });
}

/** Runs now, or after the click in progress: a form that grows during a click would move its target. */
function afterPress(work: () => void): void {
  if (pressed) window.addEventListener('pointerup', () => setTimeout(work), { once: true });
  else work();
}

export type CardFrameEvent = Exclude<FromCardForm, { type: 'started' | 'height' | 'submit' | 'answer' }>;

export class CardFrame {
  readonly #frame: Frame<FromCardForm, ToCardForm>;
  readonly #calls = new Map<number, (answer: never) => void>();
  readonly #events: (event: CardFrameEvent) => void;
  #look: CardFormLook;
  readonly #started = Promise.withResolvers<void>();
  #callNumber = 0;

  constructor(api: SandboxApi, look: CardFormLook, events: (event: CardFrameEvent) => void) {
    this.#events = events;
    this.#look = look;
    this.#frame = new Frame('elements-frame', labelsIn(api.language).frame, api, (message) => this.#receive(message));
    this.element.style.cssText = 'display: block; width: 100%; height: 180px; border: 0; color-scheme: light;';
  }

  get element(): HTMLIFrameElement {
    return this.#frame.element;
  }

  /** Resolves when the form is there. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  destroy(): void {
    this.#frame.destroy();
  }

  setAppearance(appearance: CardFormLook['appearance']): void {
    this.#look = { ...this.#look, appearance };
    this.#frame.tell({ type: 'look', ...this.#look });
  }

  tell(message: Exclude<ToCardForm, { type: 'call' | 'look' }>): void {
    this.#frame.tell(message);
  }

  /** The first problem of the card, or null. Shows every problem and focuses the first. */
  check(): Promise<StripeError | null> {
    return this.#call({ name: 'check' });
  }

  confirm(clientSecret: string, params: FormParams, details: FormParams): Promise<ApiResult> {
    return this.#call({ name: 'confirm', clientSecret, params, details });
  }

  #call<Answer>(what: CardFormCall): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const call = ++this.#callNumber;
    this.#calls.set(call, resolve as (answer: never) => void);
    this.#frame.tell({ type: 'call', call, what });
    return promise;
  }

  #receive(message: FromCardForm): void {
    switch (message.type) {
      // Also after the frame was taken out of the page and put back.
      case 'started':
        this.#frame.tell({ type: 'look', ...this.#look });
        this.#started.resolve();
        break;
      case 'height':
        afterPress(() => {
          this.element.style.height = `${message.height}px`;
        });
        break;
      case 'submit':
        this.element.closest('form')?.requestSubmit();
        break;
      case 'answer':
        this.#calls.get(message.call)?.(message.answer as never);
        this.#calls.delete(message.call);
        break;
      default:
        this.#events(message);
    }
  }
}
