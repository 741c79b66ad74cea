/** `window.StripeOnramp`: sessions with the life cycle @stripe/crypto describes, with the simulator's own form in a frame. */
import { IntegrationError, SandboxApi } from './api.ts';
import { Frame } from './frame.ts';
import type { FromOnramp, ToOnramp } from './frame-messages.ts';
import { labelsIn, languageOf } from './messages.ts';
import { type SessionView, sessionIdOf } from './onramp-api.ts';
import type { OnrampTheme } from './onramp-form.ts';

type EventType = 'onramp_ui_loaded' | 'onramp_session_updated';
interface OnrampEvent {
  type: EventType;
  payload: { session: object };
}
type Listener = (event: OnrampEvent) => void;

interface SessionOptions {
  clientSecret: string;
  appearance?: { theme?: OnrampTheme };
  locale?: string;
}

class OnrampSession {
  readonly #frame: Frame<FromOnramp, ToOnramp>;
  readonly #clientSecret: string;
  readonly #listeners = new Map<EventType | '*', Set<Listener>>();
  #theme: OnrampTheme;

  /** Throws IntegrationError when the text is not a session's client secret. */
  constructor(api: SandboxApi, clientSecret: string, theme: OnrampTheme) {
    sessionIdOf(clientSecret);
    this.#clientSecret = clientSecret;
    this.#theme = theme;
    this.#frame = new Frame('onramp-frame', labelsIn(api.language).frame, api, (message) => this.#receive(message));
    this.#frame.element.style.cssText = 'display: block; width: 100%; height: 460px; border: 0; color-scheme: light;';
  }

  /** Throws IntegrationError when the container does not exist. */
  mount(target: string | HTMLElement): this {
    const container = typeof target === 'string' ? document.querySelector<HTMLElement>(target) : target;
    if (!container) throw new IntegrationError(`The selector you specified (${target}) applies to no DOM elements.`);
    container.replaceChildren(this.#frame.element);
    return this;
  }

  addEventListener(type: EventType | '*', listener: Listener): this {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return this;
  }

  removeEventListener(type: EventType | '*', listener: Listener): this {
    this.#listeners.get(type)?.delete(listener);
    return this;
  }

  setAppearance({ theme }: { theme?: OnrampTheme }): this {
    this.#theme = theme ?? 'light';
    this.#frame.tell({ type: 'look', theme: this.#theme });
    return this;
  }

  #receive(message: FromOnramp): void {
    switch (message.type) {
      // Also after the frame was taken out of the page and put back.
      case 'started':
        this.#frame.tell({ type: 'open', clientSecret: this.#clientSecret, theme: this.#theme });
        break;
      case 'height':
        this.#frame.element.style.height = `${message.height}px`;
        break;
      case 'loaded':
        this.#emit('onramp_ui_loaded', message.session);
        break;
      case 'updated':
        this.#emit('onramp_session_updated', message.session);
    }
  }

  #emit(type: EventType, session: SessionView): void {
    const { id, object, livemode, client_secret, status, transaction_details: details } = session;
    const payload = {
      session: { id, object, livemode, client_secret, status, quote: null, wallet_address: details.wallet_address },
    };
    for (const listener of [...(this.#listeners.get(type) ?? []), ...(this.#listeners.get('*') ?? [])]) {
      listener({ type, payload });
    }
  }
}

function unsupported(): never {
  throw new IntegrationError('The simulator does not support StripeOnramp.Standalone.');
}

/** @param origin of the sandbox server. */
export function createOnrampConstructor(origin: string) {
  const construct = (publishableKey: string) => {
    if (!/^pk_test_/.test(publishableKey)) {
      throw new IntegrationError('The simulator takes publishable keys that begin with pk_test_ only.');
    }
    return {
      createSession: ({ clientSecret, appearance, locale }: SessionOptions) => {
        const api = new SandboxApi(origin, publishableKey, languageOf(locale));
        return new OnrampSession(api, clientSecret, appearance?.theme ?? 'light');
      },
    };
  };
  return Object.assign(construct, { Standalone: unsupported });
}
