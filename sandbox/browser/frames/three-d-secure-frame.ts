/** The bank's question (3-D Secure) as a modal dialog with one button per outcome. */
import type { PaymentIntent } from '@stripe/stripe-js';
import { build } from '../dom.ts';
import { amountText } from '../stripe/amount.ts';
import type { ChallengeOutcome } from '../stripe/api.ts';
import type { FromChallenge, ToChallenge } from '../stripe/frame-messages.ts';
import { labelsIn } from '../stripe/messages.ts';
import { linkPage } from './page-link.ts';
import './three-d-secure-frame.css';

const page = linkPage<FromChallenge, ToChallenge>(({ intent, clientSecret }) =>
  new Challenge(intent, clientSecret).show(),
);
const labels = labelsIn(page.language);
page.tell({ type: 'started' });

class Challenge {
  readonly #clientSecret: string;
  readonly #dialog: HTMLDialogElement;
  readonly #status = build('p', { class: 'status', role: 'status', id: 'status' });
  readonly #buttons: HTMLButtonElement[];
  #busy = false;

  constructor(intent: PaymentIntent, clientSecret: string) {
    this.#clientSecret = clientSecret;
    this.#buttons = [
      this.#button('complete', labels.complete, 'primary'),
      this.#button('fail', labels.fail, ''),
      this.#button('cancel', labels.cancel, 'quiet'),
    ];
    const amount = build(
      'dl',
      { class: 'amount' },
      build('dt', {}, labels.amount),
      build('dd', { 'data-testid': '3ds-amount' }, amountText(intent.amount, intent.currency, page.language)),
    );
    this.#dialog = build(
      'dialog',
      { 'aria-labelledby': 'title', 'aria-describedby': 'note', 'data-testid': '3ds-dialog' },
      build('p', { class: 'kind' }, labels.challengeKind),
      build(
        'div',
        { class: 'body' },
        build('h2', { id: 'title' }, labels.challengeTitle),
        amount,
        build('p', { class: 'note', id: 'note' }, labels.challengeNote),
        this.#status,
        build('div', { class: 'actions' }, ...this.#buttons),
      ),
    );
  }

  show(): void {
    document.body.append(this.#dialog);
    this.#dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      void this.#answer('cancel');
    });
    // Browsers close a dialog on a second Escape in any case: it counts as cancel.
    this.#dialog.addEventListener('close', () => {
      this.#dialog.showModal();
      void this.#answer('cancel');
    });
    this.#dialog.showModal();
    this.#buttons[0]?.focus();
  }

  #button(outcome: ChallengeOutcome, label: string, className: string): HTMLButtonElement {
    const button = build(
      'button',
      { type: 'button', class: className || undefined, 'data-testid': `3ds-${outcome}` },
      label,
    );
    button.addEventListener('click', () => void this.#answer(outcome));
    return button;
  }

  /** A connection error keeps the question open. */
  async #answer(outcome: ChallengeOutcome): Promise<void> {
    if (this.#busy) return;
    this.#setBusy(true);
    const result = await page.api.answerChallenge(this.#clientSecret, outcome);
    if (result.error?.type !== 'api_connection_error') return page.tell({ type: 'answered', result });
    this.#setBusy(false);
    this.#status.textContent = result.error.message ?? '';
  }

  /** Buttons stay focusable while the answer is sent: a disabled one would lose the focus. */
  #setBusy(busy: boolean): void {
    this.#busy = busy;
    this.#dialog.setAttribute('aria-busy', String(busy));
    for (const button of this.#buttons) button.setAttribute('aria-disabled', String(busy));
    if (busy) this.#status.textContent = '';
  }
}
