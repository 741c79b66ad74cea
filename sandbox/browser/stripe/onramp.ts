/** `window.StripeOnramp`: sessions with the life cycle @stripe/crypto describes, with the simulator's own form. */
import { IntegrationError } from './api.ts';
import { OnrampApi, type SessionView } from './onramp-api.ts';
import { OnrampForm, type OnrampTheme } from './onramp-form.ts';

type EventType = 'onramp_ui_loaded' | 'onramp_session_updated';
interface OnrampEvent {
  type: EventType;
  payload: { session: object };
}
type Listener = (event: OnrampEvent) => void;

interface SessionOptions {
  clientSecret: string;
  appearance?: { theme?: OnrampTheme };
}

/** Polling interval of a mounted form in milliseconds: sessions also change on the server. */
const POLL_MS = 700;
const FINAL: readonly string[] = ['fulfillment_complete', 'rejected'];

class OnrampSession {
  readonly #api: OnrampApi;
  readonly #form: OnrampForm;
  readonly #listeners = new Map<EventType | '*', Set<Listener>>();
  #shown: SessionView | null = null;

  constructor(api: OnrampApi, theme: OnrampTheme) {
    this.#api = api;
    this.#form = new OnrampForm(theme, (card) => this.#pay(card));
  }

  /** Throws IntegrationError when the container does not exist. */
  mount(target: string | HTMLElement): this {
    const container = typeof target === 'string' ? document.querySelector<HTMLElement>(target) : target;
    if (!container) throw new IntegrationError(`The selector you specified (${target}) applies to no DOM elements.`);
    container.replaceChildren(this.#form.host);
    void this.#open();
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
    this.#form.setTheme(theme ?? 'light');
    return this;
  }

  async #open(): Promise<void> {
    const { session, error } = await this.#api.start();
    if (!this.#form.host.isConnected) return;
    if (error) return this.#form.showLoadError(error.message ?? '');
    this.#shown = session;
    this.#form.show(session);
    this.#emit('onramp_ui_loaded', session);
    this.#poll();
  }

  async #pay(card: Parameters<OnrampApi['pay']>[0]) {
    const { session, error } = await this.#api.pay(card);
    if (session) this.#take(session);
    return error ?? null;
  }

  #poll(): void {
    setTimeout(async () => {
      if (!this.#form.host.isConnected) return;
      const { session } = await this.#api.read();
      if (session) this.#take(session);
      if (!FINAL.includes(this.#shown?.status ?? '')) this.#poll();
    }, POLL_MS);
  }

  #take(session: SessionView): void {
    if (!this.#form.host.isConnected || this.#shown?.status === session.status) return;
    this.#shown = session;
    this.#form.show(session);
    this.#emit('onramp_session_updated', session);
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
      createSession: ({ clientSecret, appearance }: SessionOptions) =>
        new OnrampSession(new OnrampApi(origin, publishableKey, clientSecret), appearance?.theme ?? 'light'),
    };
  };
  return Object.assign(construct, { Standalone: unsupported });
}
