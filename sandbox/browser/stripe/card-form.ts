/** The card form in a shadow root, out of reach of the page's styles and forms. */
import type { Appearance, StripeError } from '@stripe/stripe-js';
import { build } from '../dom.ts';
import type { FormParams } from './api.ts';
import { appearanceSheet, sheetOf } from './appearance.ts';
import { CardInput } from './card-field.ts';
import css from './card-form.css?inline';
import {
  brandName,
  cvcLengthOf,
  digitsOf,
  formatCvc,
  formatExpiry,
  formatNumber,
  isNumberFull,
  parseExpiry,
  problemOfCvc,
  problemOfExpiry,
  problemOfNumber,
} from './card-rules.ts';
import { type Labels, type Language, labelsIn, validationError } from './messages.ts';
import { testCardList } from './test-card-list.ts';

export interface CardFormListener {
  changed: (state: { empty: boolean; complete: boolean }) => void;
  focused: () => void;
  blurred: () => void;
  escaped: () => void;
  /** Enter was pressed in a field. */
  submitted: () => void;
}

/** Server errors about one field, shown at that field. */
const FIELD_OF_CODE: Record<string, 'number' | 'expiry' | 'cvc'> = {
  incorrect_number: 'number',
  invalid_number: 'number',
  invalid_expiry_month: 'expiry',
  invalid_expiry_year: 'expiry',
  expired_card: 'expiry',
  incorrect_cvc: 'cvc',
  invalid_cvc: 'cvc',
};

export class CardForm {
  readonly host = build('div', { 'data-stripe-element': 'payment' });
  readonly #root: ShadowRoot;
  readonly #listener: CardFormListener;
  readonly #language: Language;
  readonly #labels: Labels;
  readonly #number: CardInput;
  readonly #expiry: CardInput;
  readonly #cvc: CardInput;
  readonly #brand = build('span', { class: 'Brand', 'aria-hidden': 'true' });
  readonly #base = sheetOf(css);

  constructor(listener: CardFormListener, language: Language, appearance?: Appearance) {
    this.#listener = listener;
    this.#language = language;
    this.#labels = labelsIn(language);
    this.#number = new CardInput({
      field: 'number',
      language,
      label: this.#labels.number,
      placeholder: this.#labels.numberPlaceholder,
      autocomplete: 'cc-number',
      format: formatNumber,
      problem: problemOfNumber,
      isFull: isNumberFull,
      onInput: () => this.#changed(),
    });
    this.#expiry = new CardInput({
      field: 'expiry',
      language,
      label: this.#labels.expiry,
      placeholder: this.#labels.expiryPlaceholder,
      autocomplete: 'cc-exp',
      format: formatExpiry,
      problem: (text) => problemOfExpiry(text, new Date()),
      isFull: (text) => parseExpiry(text) !== null,
      onInput: () => this.#changed(),
    });
    this.#cvc = new CardInput({
      field: 'cvc',
      language,
      label: this.#labels.cvc,
      placeholder: '123',
      autocomplete: 'cc-csc',
      format: (text) => formatCvc(text, this.#number.value),
      problem: (text) => problemOfCvc(text, this.#number.value),
      isFull: () => false,
      onInput: () => this.#changed(),
    });
    this.#number.box.append(this.#brand);
    this.#root = this.host.attachShadow({ mode: 'open' });
    this.#render();
    this.setAppearance(appearance);
    this.#listen();
  }

  setAppearance(appearance?: Appearance): void {
    this.#root.adoptedStyleSheets = [this.#base, appearanceSheet(appearance)];
  }

  /** The first problem in reading order, or null when the card is valid. Shows every problem and focuses the first. */
  check(): StripeError | null {
    const wrong = this.#fields().filter((field) => field.problem() !== null);
    for (const field of this.#fields()) field.show(field.problem());
    const [first] = wrong;
    if (!first) return null;
    first.input.focus();
    return validationError(first.problem()!, this.#language);
  }

  /** The card as parameters of Stripe's API. Call after `check()`. */
  cardParams(): FormParams {
    const expiry = parseExpiry(this.#expiry.value);
    return {
      number: digitsOf(this.#number.value),
      exp_month: expiry?.month,
      exp_year: expiry?.year,
      cvc: this.#cvc.value,
    };
  }

  /** Marks the field that a server error is about, if any. */
  showServerError(error: StripeError): void {
    const field = FIELD_OF_CODE[error.code ?? ''];
    const inputs = { number: this.#number, expiry: this.#expiry, cvc: this.#cvc };
    if (field) inputs[field].show(null, error.message);
  }

  /** Makes the fields read-only during a payment; the focus stays. */
  setReadOnly(readOnly: boolean): void {
    for (const field of this.#fields()) field.input.readOnly = readOnly;
  }

  showLoadError(): void {
    this.#root.replaceChildren(build('p', { class: 'LoadError', role: 'alert' }, this.#labels.loadFailed));
  }

  focus(): void {
    this.#number.input.focus();
  }

  blur(): void {
    (this.#root.activeElement as HTMLElement | null)?.blur();
  }

  clear(): void {
    for (const field of this.#fields()) field.fill('');
    this.#changed();
  }

  #fields(): CardInput[] {
    return [this.#number, this.#expiry, this.#cvc];
  }

  #render(): void {
    const fields = this.#fields().map((field) => field.root);
    const group = build('div', { class: 'Block', role: 'group', 'aria-label': this.#labels.cardDetails }, ...fields);
    const cards = testCardList(this.#language, (number) => this.#fillTestCard(number));
    this.#root.append(group, build('p', { class: 'Text' }, this.#labels.testMode), cards);
  }

  #fillTestCard(number: string): void {
    this.#number.fill(number);
    this.#expiry.fill(`12 / ${String((new Date().getFullYear() + 5) % 100).padStart(2, '0')}`);
    this.#cvc.fill('123'.padEnd(cvcLengthOf(number), '4'));
    this.#changed();
  }

  #changed(): void {
    this.#brand.textContent = brandName(this.#number.value);
    const fields = this.#fields();
    this.#listener.changed({
      empty: fields.every((field) => field.value === ''),
      complete: fields.every((field) => field.problem() === null),
    });
  }

  #listen(): void {
    const root = this.#root;
    root.addEventListener('focusin', (event) => {
      if (!(event as FocusEvent).relatedTarget) this.#listener.focused();
    });
    root.addEventListener('focusout', (event) => {
      const to = (event as FocusEvent).relatedTarget as Node | null;
      if (!to || !root.contains(to)) this.#listener.blurred();
    });
    root.addEventListener('keydown', (event) => this.#key(event as KeyboardEvent));
    // As with Stripe's frame, the page gets no input events.
    for (const type of ['keyup', 'keypress', 'beforeinput', 'input', 'change', 'paste', 'copy', 'cut']) {
      root.addEventListener(type, (event) => event.stopPropagation());
    }
  }

  #key(event: KeyboardEvent): void {
    const { key } = event;
    if (key === 'Tab') return;
    event.stopPropagation();
    if (key === 'Escape') this.#listener.escaped();
    if (key === 'Enter' && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      this.#listener.submitted();
    }
  }
}
