/** The onramp's form: price, card, and then the status of the purchase. */
import type { StripeError } from '@stripe/stripe-js';
import { formats } from '#core/locale/format';
import { build } from '../dom.ts';
import { amountText } from './amount.ts';
import type { FormParams } from './api.ts';
import { appearanceSheet, sheetOf } from './appearance.ts';
import { CardForm } from './card-form.ts';
import type { Language } from './messages.ts';
import type { SessionView } from './onramp-api.ts';
import css from './onramp-form.css?inline';

export type OnrampTheme = 'light' | 'dark';

const LABELS = {
  es: {
    title: 'Compra con tarjeta',
    loading: 'Cargando la compra...',
    spend: 'Compras por',
    get: 'Recibes',
    fees: 'Comisiones',
    total: 'Total a pagar',
    wallet: 'Billetera',
    pay: 'Pagar',
    paying: 'Procesando pago...',
  },
  en: {
    title: 'Buy by card',
    loading: 'Loading the purchase...',
    spend: 'You buy for',
    get: 'You get',
    fees: 'Fees',
    total: 'Total to pay',
    wallet: 'Wallet',
    pay: 'Pay',
    paying: 'Processing payment...',
  },
} as const satisfies Record<Language, object>;

const STATUS_LABELS: Record<Language, Partial<Record<SessionView['status'], string>>> = {
  es: {
    fulfillment_processing: 'Pago recibido. Las monedas van en camino a la billetera.',
    fulfillment_complete: 'Las monedas llegaron a la billetera.',
    rejected: 'No podemos hacer esta compra. No se cobró nada.',
  },
  en: {
    fulfillment_processing: 'Payment received. The coins are on their way to the wallet.',
    fulfillment_complete: 'The coins arrived in the wallet.',
    rejected: 'We cannot make this purchase. You have not been charged.',
  },
};

/** Decimal text with two decimals, in cents. */
function cents(text: string | null | undefined): bigint {
  return BigInt((text ?? '0.00').replace('.', ''));
}

export class OnrampForm {
  readonly host = build('div', { 'data-stripe-onramp': true, 'data-testid': 'onramp-form' });
  readonly #root: ShadowRoot;
  readonly #card: CardForm;
  readonly #body = build('div', { class: 'Body' }, build('p', { role: 'status' }));
  readonly #problem = build('p', { class: 'Problem', role: 'alert', 'data-testid': 'onramp-error' });
  readonly #button = build('button', { type: 'submit', class: 'Pay', 'data-testid': 'onramp-pay' });
  readonly #base = sheetOf(css);
  readonly #language: Language;
  readonly #labels: Readonly<Record<keyof (typeof LABELS)['es'], string>>;
  readonly #pay: (card: FormParams) => Promise<StripeError | null>;

  /** @param pay sends the card; resolves with the error, or null. */
  constructor(language: Language, theme: OnrampTheme, pay: (card: FormParams) => Promise<StripeError | null>) {
    this.#pay = pay;
    this.#language = language;
    this.#labels = LABELS[language];
    this.#body.firstElementChild?.append(this.#labels.loading);
    const nothing = () => {};
    const submitted = () => this.#card.host.closest('form')?.requestSubmit();
    this.#card = new CardForm(
      { changed: nothing, focused: nothing, blurred: nothing, escaped: nothing, submitted },
      language,
    );
    this.#root = this.host.attachShadow({ mode: 'open' });
    this.#root.append(build('section', { class: 'Onramp', 'aria-label': this.#labels.title }, this.#body));
    this.setTheme(theme);
  }

  setTheme(theme: OnrampTheme): void {
    const appearance = { theme: theme === 'dark' ? ('night' as const) : ('stripe' as const) };
    this.#root.adoptedStyleSheets = [this.#base, appearanceSheet(appearance)];
    this.#card.setAppearance(appearance);
  }

  showLoadError(message: string): void {
    this.#body.replaceChildren(build('p', { class: 'Problem', role: 'alert', 'data-testid': 'onramp-error' }, message));
  }

  show(session: SessionView): void {
    const label = STATUS_LABELS[this.#language][session.status];
    if (!label) {
      this.#showPayment(session);
      return;
    }
    const tone = session.status === 'rejected' ? 'bad' : 'good';
    const status = build('p', { class: 'Status', role: 'status', tabindex: '-1', 'data-tone': tone }, label);
    const hadFocus = this.#root.activeElement !== null;
    this.#body.replaceChildren(this.#summary(session), status);
    status.dataset.testid = 'onramp-status';
    if (hadFocus) status.focus();
  }

  #showPayment(session: SessionView): void {
    const form = build('form', { novalidate: true }, this.#card.host, this.#problem, this.#button);
    const total = amountText(
      Number(this.#total(session)),
      session.transaction_details.source_currency ?? 'usd',
      this.#language,
    );
    const label = `${this.#labels.pay} ${total}`;
    this.#button.textContent = label;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit(label);
    });
    this.#body.replaceChildren(this.#summary(session), form);
  }

  async #submit(label: string): Promise<void> {
    if (this.#button.getAttribute('aria-disabled') === 'true' || this.#card.check()) return;
    this.#problem.textContent = '';
    this.#button.setAttribute('aria-disabled', 'true');
    this.#button.textContent = this.#labels.paying;
    this.#card.setReadOnly(true);
    const error = await this.#pay(this.#card.cardParams());
    this.#card.setReadOnly(false);
    this.#button.removeAttribute('aria-disabled');
    this.#button.textContent = label;
    if (!error) return this.#card.clear();
    this.#card.showServerError(error);
    this.#problem.textContent = error.message ?? '';
  }

  #total({ transaction_details: { source_amount, fees } }: SessionView): bigint {
    return cents(source_amount) + cents(fees?.network_fee_amount) + cents(fees?.transaction_fee_amount);
  }

  #summary(session: SessionView): HTMLElement {
    const { transaction_details: details } = session;
    const currency = details.source_currency ?? 'usd';
    const money = (amount: bigint) => amountText(Number(amount), currency, this.#language);
    const spent = cents(details.source_amount);
    const wallet = details.wallet_address ?? '';
    const received = formats[this.#language].crypto(
      details.destination_amount ?? '',
      details.destination_currency ?? '',
    );
    const lines: [string, string][] = [
      [this.#labels.spend, money(spent)],
      [this.#labels.get, received],
      [this.#labels.fees, money(this.#total(session) - spent)],
      [this.#labels.total, money(this.#total(session))],
      [this.#labels.wallet, wallet.length > 12 ? `${wallet.slice(0, 4)}…${wallet.slice(-4)}` : wallet],
    ];
    const rows = lines.map(([label, value]) => build('div', {}, build('dt', {}, label), build('dd', {}, value)));
    return build('dl', { class: 'Summary' }, ...rows);
  }
}
