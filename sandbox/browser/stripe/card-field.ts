/**
 * One labelled input of the card form: formats while typing without moving the caret, and shows its validation message.
 */

import { build } from '../dom.ts';
import type { CardField, CardProblem } from './card-rules.ts';
import { digitsOf } from './card-rules.ts';
import { type Language, problemMessage } from './messages.ts';

export interface FieldOptions {
  field: CardField;
  language: Language;
  label: string;
  placeholder: string;
  autocomplete: string;
  format: (text: string) => string;
  problem: (text: string) => CardProblem | null;
  /** True when no further character fits, so that the field is validated before it loses focus. */
  isFull: (text: string) => boolean;
  onInput: () => void;
}

export class CardInput {
  readonly root: HTMLElement;
  readonly input: HTMLInputElement;
  readonly box: HTMLElement;
  readonly #error: HTMLElement;
  readonly #options: FieldOptions;

  constructor(options: FieldOptions) {
    this.#options = options;
    const id = `card-${options.field}`;
    this.input = build('input', {
      id,
      class: 'Input',
      type: 'text',
      inputmode: 'numeric',
      autocomplete: options.autocomplete,
      name: options.field,
      placeholder: options.placeholder,
      spellcheck: 'false',
      'aria-required': 'true',
      'aria-invalid': 'false',
      'aria-describedby': `${id}-error`,
      'data-testid': id,
    });
    this.#error = build('p', {
      id: `${id}-error`,
      class: 'Error',
      'aria-live': 'polite',
      'data-testid': `${id}-error`,
    });
    this.box = build('div', { class: 'Box' }, this.input);
    const label = build('label', { class: 'Label', for: id }, options.label);
    this.root = build('div', { class: `Field Field--${options.field}` }, label, this.box, this.#error);

    this.input.addEventListener('input', () => this.#typed());
    this.input.addEventListener('blur', () => this.#left());
  }

  get value(): string {
    return this.input.value;
  }

  problem(): CardProblem | null {
    return this.#options.problem(this.input.value);
  }

  /** Sets a value as if it had been typed. */
  fill(text: string): void {
    this.input.value = this.#options.format(text);
    this.show(null);
  }

  /** Marks the field invalid with the problem's message (or a given one), or valid with null. */
  show(problem: CardProblem | null, message = this.#messageOf(problem)): void {
    this.input.setAttribute('aria-invalid', String(message !== ''));
    this.input.classList.toggle('Input--invalid', message !== '');
    // Setting the same text again would make screen readers repeat it.
    if (this.#error.textContent !== message) this.#error.textContent = message;
  }

  #messageOf(problem: CardProblem | null): string {
    return problem ? problemMessage(problem, this.#options.language) : '';
  }

  #left(): void {
    const back = (this.input.getRootNode() as ShadowRoot).activeElement === this.input;
    if (this.input.value !== '' && !back) this.show(this.problem());
  }

  #typed(): void {
    const { input } = this;
    const digitsBefore = digitsOf(input.value.slice(0, input.selectionStart ?? input.value.length)).length;
    const atEnd = input.selectionStart === input.value.length;
    const formatted = this.#options.format(input.value);
    if (formatted !== input.value) {
      input.value = formatted;
      const caret = atEnd ? formatted.length : caretAfter(formatted, digitsBefore);
      input.setSelectionRange(caret, caret);
    }
    const problem = this.problem();
    this.show(this.#options.isFull(formatted) ? problem : null);
    this.#options.onInput();
  }
}

function caretAfter(text: string, digits: number): number {
  let seen = 0;
  for (let i = 0; i < text.length; i++) {
    if (seen === digits) return i;
    if (/\d/.test(text[i]!)) seen++;
  }
  return text.length;
}
