/** A frame of the sandbox's origin on the page, as Stripe.js mounts one of Stripe's. */
import { build } from '../dom.ts';
import type { SandboxApi } from './api.ts';
import type { FrameStart } from './frame-messages.ts';

let frames = 0;

/** @template In messages from the frame, @template Out messages to it. */
export class Frame<In extends { readonly type: string }, Out> {
  readonly element: HTMLIFrameElement;
  readonly #origin: string;
  readonly #listener: (message: In) => void;
  /** Messages queued until the frame is ready. */
  #waiting: Out[] | null = [];
  readonly #receive = (event: MessageEvent<In>) => {
    if (event.origin !== this.#origin || event.source !== this.element.contentWindow) return;
    if (event.data.type === 'started') this.#start();
    this.#listener(event.data);
  };

  /** @param page of the sandbox, such as "elements-frame". */
  constructor(page: string, title: string, api: SandboxApi, listener: (message: In) => void) {
    const start: FrameStart = {
      pageOrigin: window.location.origin,
      publishableKey: api.publishableKey,
      language: api.language,
    };
    this.#origin = api.origin;
    this.#listener = listener;
    this.element = build('iframe', {
      name: `__privateStripeFrame${++frames}`,
      title,
      src: `${api.origin}/${page}.html#${encodeURIComponent(JSON.stringify(start))}`,
      allow: 'payment *',
      'data-stripe-frame': page,
    });
    window.addEventListener('message', this.#receive);
  }

  /** Messages sent before the frame is ready are queued. */
  tell(message: Out): void {
    if (this.#waiting) this.#waiting.push(message);
    else this.element.contentWindow?.postMessage(message, this.#origin);
  }

  destroy(): void {
    window.removeEventListener('message', this.#receive);
    this.element.remove();
  }

  #start(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const message of waiting) this.tell(message);
  }
}
