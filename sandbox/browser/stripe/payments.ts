/** confirmPayment, confirmCardPayment and handleNextAction. */
import type { PaymentIntent, StripeError } from '@stripe/stripe-js';
import { type ApiResult, type FormParams, IntegrationError, intentIdOf, type SandboxApi } from './api.ts';
import type { CardFrame } from './card-frame.ts';
import { runChallenge } from './challenge.ts';
import type { CardElement } from './element.ts';
import type { ElementsGroup } from './elements.ts';
import { type Language, localised } from './messages.ts';

export interface ConfirmPaymentOptions {
  elements?: ElementsGroup;
  clientSecret?: string;
  confirmParams?: { return_url?: string; payment_method?: string; [param: string]: unknown };
  redirect?: 'always' | 'if_required';
}

const CARD_REFUSED = 'payment_intent_authentication_failure';

/** A failed attempt as an error, as Stripe.js resolves when the intent requires another payment method. */
function toErrorIfDeclined(result: ApiResult, language: Language): ApiResult {
  const { paymentIntent } = result;
  if (paymentIntent?.status !== 'requires_payment_method') return result;
  const last = (paymentIntent.last_payment_error ?? {
    type: 'invalid_request_error',
    code: CARD_REFUSED,
  }) as StripeError;
  return { error: localised({ ...last, payment_intent: paymentIntent }, language) };
}

/** Performs the intent's next action, if it has one. */
async function followNextAction(api: SandboxApi, result: ApiResult, clientSecret: string): Promise<ApiResult> {
  const { paymentIntent } = result;
  if (paymentIntent?.status !== 'requires_action') return result;
  const redirectUrl = paymentIntent.next_action?.redirect_to_url?.url;
  if (redirectUrl) return leaveFor(redirectUrl);
  return toErrorIfDeclined(await runChallenge(api, paymentIntent, clientSecret), api.language);
}

/** Navigates away; the promise never settles. */
function leaveFor(url: string): Promise<never> {
  window.location.assign(url);
  return new Promise(() => {});
}

function returnUrl(base: string, intent: PaymentIntent, clientSecret: string): string {
  const url = new URL(base);
  url.searchParams.set('payment_intent', intent.id);
  url.searchParams.set('payment_intent_client_secret', clientSecret);
  url.searchParams.set('redirect_status', intent.status === 'processing' ? 'pending' : 'succeeded');
  return url.href;
}

/** Remembers the focused element; the function returned restores the focus after a dialog. */
function keepFocus(): () => void {
  const before = document.activeElement;
  return () => {
    const giveBack = () => {
      const lost = document.activeElement === null || document.activeElement === document.body;
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
    giveBack();
    // Pages usually enable their button only after the promise has settled and they have rendered.
    requestAnimationFrame(() => requestAnimationFrame(giveBack));
  };
}

function checkUsage(options: ConfirmPaymentOptions): string {
  const clientSecret = options.clientSecret ?? options.elements?.clientSecret;
  if (options.redirect !== 'if_required' && !options.confirmParams?.return_url) {
    throw new IntegrationError(
      'You must pass confirmParams.return_url to stripe.confirmPayment, or redirect: "if_required".',
    );
  }
  if (options.elements?.mustSubmit) {
    throw new IntegrationError('elements.submit() must be called before stripe.confirmPayment().');
  }
  intentIdOf(clientSecret);
  return clientSecret as string;
}

/** Resolves with `paymentIntent` or `error`; rejects with IntegrationError for misuse only. */
export async function confirmPayment(api: SandboxApi, options: ConfirmPaymentOptions): Promise<ApiResult> {
  const clientSecret = checkUsage(options);
  const { elements } = options;
  if (elements?.isDeferred) await checkDeferred(elements, clientSecret);
  const { payment_method_data: methodData, ...confirmParams } = (options.confirmParams ?? {}) as FormParams;
  const details = typeof methodData === 'object' && methodData !== null ? methodData : {};
  const result = await payWith(elements?.api ?? api, elements?.element?.form, clientSecret, { confirmParams, details });
  if (result.error || options.redirect === 'if_required') return result;
  return leaveFor(returnUrl(options.confirmParams?.return_url as string, result.paymentIntent, clientSecret));
}

async function checkDeferred(elements: ElementsGroup, clientSecret: string): Promise<void> {
  const { paymentIntent } = await elements.api.retrieve(clientSecret);
  if (paymentIntent) elements.checkDeferred(paymentIntent);
}

/** Data of confirmCardPayment: the Card Element. */
export interface ConfirmCardData {
  payment_method?: { card?: CardElement; billing_details?: FormParams };
}

/** confirmCardPayment of the Card Element: never navigates. Rejects with IntegrationError for misuse only. */
export async function confirmCardPayment(clientSecret: string, data: ConfirmCardData = {}): Promise<ApiResult> {
  intentIdOf(clientSecret);
  const { card, billing_details } = data.payment_method ?? {};
  if (!card) throw new IntegrationError('The simulator supports stripe.confirmCardPayment with a Card Element only.');
  return payWith(card.api, card.form, clientSecret, { confirmParams: {}, details: { billing_details } });
}

/** Confirms with the form's card, if there is a form, and performs the next action. */
async function payWith(
  api: SandboxApi,
  form: CardFrame | undefined,
  clientSecret: string,
  { confirmParams, details }: { confirmParams: FormParams; details: FormParams },
): Promise<ApiResult> {
  const giveFocusBack = keepFocus();
  const invalid = await form?.check();
  if (invalid) return { error: invalid };
  form?.tell({ type: 'read_only', readOnly: true });
  try {
    // The frame sends the card: the page never has it.
    const confirmed = form
      ? await form.confirm(clientSecret, confirmParams, details)
      : await api.confirm(clientSecret, confirmParams);
    const result = await followNextAction(api, toErrorIfDeclined(confirmed, api.language), clientSecret);
    if (result.error) form?.tell({ type: 'server_error', error: result.error });
    return result;
  } finally {
    form?.tell({ type: 'read_only', readOnly: false });
    giveFocusBack();
  }
}

/** For an intent confirmed on the server, or whose challenge was interrupted by a reload. */
export async function handleNextAction(api: SandboxApi, clientSecret: string): Promise<ApiResult> {
  const giveFocusBack = keepFocus();
  try {
    return await followNextAction(api, await api.retrieve(clientSecret), clientSecret);
  } finally {
    giveFocusBack();
  }
}
