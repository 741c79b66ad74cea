/** The frame of an onramp session: its form pays and then polls the session on the server. */
import type { FromOnramp, ToOnramp } from '../stripe/frame-messages.ts';
import { OnrampApi, type SessionView } from '../stripe/onramp-api.ts';
import { OnrampForm, type OnrampTheme } from '../stripe/onramp-form.ts';
import { linkPage, tellHeight } from './page-link.ts';

/** Polling interval in milliseconds: sessions also change on the server. */
const POLL_MS = 700;
const FINAL: readonly string[] = ['fulfillment_complete', 'rejected'];

const page = linkPage<FromOnramp, ToOnramp>(receive);
let shown: OpenSession | null = null;
page.tell({ type: 'started' });

function receive(message: ToOnramp): void {
  if (message.type === 'look') shown?.form.setTheme(message.theme);
  else shown ??= new OpenSession(new OnrampApi(page.api, message.clientSecret), message.theme);
}

class OpenSession {
  readonly form: OnrampForm;
  readonly #api: OnrampApi;
  #status: SessionView['status'] | null = null;

  constructor(api: OnrampApi, theme: OnrampTheme) {
    this.#api = api;
    this.form = new OnrampForm(page.language, theme, async (card) => {
      const { session, error } = await api.pay(card);
      if (session) this.#take(session);
      return error ?? null;
    });
    const { host } = this.form;
    document.body.append(host);
    tellHeight(host, page.tell);
    void this.#open();
  }

  async #open(): Promise<void> {
    const { session, error } = await this.#api.start();
    if (error) return this.form.showLoadError(error.message ?? '');
    this.#status = session.status;
    this.form.show(session);
    page.tell({ type: 'loaded', session });
    this.#poll();
  }

  #poll(): void {
    setTimeout(async () => {
      const { session } = await this.#api.read();
      if (session) this.#take(session);
      if (!FINAL.includes(this.#status ?? '')) this.#poll();
    }, POLL_MS);
  }

  #take(session: SessionView): void {
    if (this.#status === session.status) return;
    this.#status = session.status;
    this.form.show(session);
    page.tell({ type: 'updated', session });
  }
}
