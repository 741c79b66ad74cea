/** The 3-D Secure challenge as a modal dialog with one button per outcome. */
import type { PaymentIntent } from '@stripe/stripe-js';
import { build } from '../dom.ts';
import { amountText } from './amount.ts';
import type { ApiResult, ChallengeOutcome, SandboxApi } from './api.ts';
import { sheetOf } from './appearance.ts';
import css from './challenge.css?inline';
import { LABELS } from './messages.ts';

/** Open challenges by PaymentIntent: confirm and handleNextAction together show one dialog. */
const open = new Map<string, Promise<ApiResult>>();
let hostOnScreen: HTMLElement | null = null;

/**
 * A real challenge runs in a frame, whose key events the page does not get. Here they are stopped before the page's
 * window listeners, or Escape would also close a dialog of the page. Default actions (Tab, Enter, Escape) still happen.
 */
export function keepChallengeKeysFromPage(): void {
  for (const type of ['keydown', 'keyup', 'keypress'] as const) {
    window.addEventListener(
      type,
      (event) => {
        if (hostOnScreen && event.composedPath().includes(hostOnScreen)) event.stopImmediatePropagation();
      },
      { capture: true },
    );
  }
}

/** Shows the challenge until it is answered; resolves with the intent. A connection error keeps the dialog open. */
export function runChallenge(api: SandboxApi, intent: PaymentIntent, clientSecret: string): Promise<ApiResult> {
  const running = open.get(intent.id);
  if (running) return running;
  const challenge = new ChallengeDialog(api, intent, clientSecret).run().finally(() => open.delete(intent.id));
  open.set(intent.id, challenge);
  return challenge;
}

class ChallengeDialog {
  readonly #api: SandboxApi;
  readonly #clientSecret: string;
  readonly #host = build('div', { 'data-stripe-challenge': true });
  readonly #dialog: HTMLDialogElement;
  readonly #status = build('p', { class: 'status', role: 'status', id: 'status' });
  readonly #buttons: HTMLButtonElement[];
  readonly #result = Promise.withResolvers<ApiResult>();
  #busy = false;

  constructor(api: SandboxApi, intent: PaymentIntent, clientSecret: string) {
    this.#api = api;
    this.#clientSecret = clientSecret;
    this.#buttons = [
      this.#button('complete', LABELS.complete, 'primary'),
      this.#button('fail', LABELS.fail, ''),
      this.#button('cancel', LABELS.cancel, 'quiet'),
    ];
    const amount = build(
      'dl',
      { class: 'amount' },
      build('dt', {}, LABELS.amount),
      build('dd', { 'data-testid': '3ds-amount' }, amountText(intent.amount, intent.currency)),
    );
    this.#dialog = build(
      'dialog',
      { 'aria-labelledby': 'title', 'aria-describedby': 'note', 'data-testid': '3ds-dialog', lang: 'es' },
      build('p', { class: 'kind' }, LABELS.challengeKind),
      build(
        'div',
        { class: 'body' },
        build('h2', { id: 'title' }, LABELS.challengeTitle),
        amount,
        build('p', { class: 'note', id: 'note' }, LABELS.challengeNote),
        this.#status,
        build('div', { class: 'actions' }, ...this.#buttons),
      ),
    );
  }

  async run(): Promise<ApiResult> {
    const root = this.#host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheetOf(css)];
    root.append(this.#dialog);
    document.body.append(this.#host);
    this.#dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      void this.#answer('cancel');
    });
    this.#dialog.addEventListener('close', () => void this.#reopenUnlessDone());
    hostOnScreen = this.#host;
    this.#dialog.showModal();
    this.#buttons[0]?.focus();
    try {
      return await this.#result.promise;
    } finally {
      hostOnScreen = null;
      this.#dialog.close();
      this.#host.remove();
    }
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

  async #answer(outcome: ChallengeOutcome): Promise<void> {
    if (this.#busy) return;
    this.#setBusy(true);
    const result = await this.#api.answerChallenge(this.#clientSecret, outcome);
    if (result.error?.type !== 'api_connection_error') return this.#result.resolve(result);
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

  /** Browsers close a dialog on a second Escape in any case: it counts as cancel. */
  async #reopenUnlessDone(): Promise<void> {
    if (!hostOnScreen) return;
    this.#dialog.showModal();
    await this.#answer('cancel');
  }
}
