/** confirmPayment, confirmCardPayment and handleNextAction. */
import type { PaymentIntent, StripeError } from '@stripe/stripe-js';
import { type ApiResult, type FormParams, IntegrationError, intentIdOf, type SandboxApi } from './api.ts';
import type { CardForm } from './card-form.ts';
import { runChallenge } from './challenge.ts';
import type { CardElement } from './element.ts';
import type { ElementsGroup } from './elements.ts';
import { localised } from './messages.ts';

export interface ConfirmPaymentOptions {
  elements?: ElementsGroup;
  clientSecret?: string;
  confirmParams?: { return_url?: string; payment_method?: string; [param: string]: unknown };
  redirect?: 'always' | 'if_required';
}

const CARD_REFUSED = 'payment_intent_authentication_failure';

/** A failed attempt as an error, as Stripe.js resolves when the intent requires another payment method. */
function toErrorIfDeclined(result: ApiResult): ApiResult {
  const { paymentIntent } = result;
  if (paymentIntent?.status !== 'requires_payment_method') return result;
  const last = (paymentIntent.last_payment_error ?? {
    type: 'invalid_request_error',
    code: CARD_REFUSED,
  }) as StripeError;
  return { error: localised({ ...last, payment_intent: paymentIntent }) };
}

/** Performs the intent's next action, if it has one. */
async function followNextAction(api: SandboxApi, result: ApiResult, clientSecret: string): Promise<ApiResult> {
  const { paymentIntent } = result;
  if (paymentIntent?.status !== 'requires_action') return result;
  const redirectUrl = paymentIntent.next_action?.redirect_to_url?.url;
  if (redirectUrl) return leaveFor(redirectUrl);
  return toErrorIfDeclined(await runChallenge(api, paymentIntent, clientSecret));
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
  const { payment_method_data: methodData, ...confirmParams } = (options.confirmParams ?? {}) as FormParams;
  const details = typeof methodData === 'object' && methodData !== null ? methodData : {};
  const result = await payWith(api, options.elements?.element?.form, clientSecret, { confirmParams, details });
  if (result.error || options.redirect === 'if_required') return result;
  return leaveFor(returnUrl(options.confirmParams?.return_url as string, result.paymentIntent, clientSecret));
}

/** Data of confirmCardPayment: the Card Element. */
export interface ConfirmCardData {
  payment_method?: { card?: CardElement; billing_details?: FormParams };
}

/** confirmCardPayment of the Card Element: never navigates. Rejects with IntegrationError for misuse only. */
export async function confirmCardPayment(
  api: SandboxApi,
  clientSecret: string,
  data: ConfirmCardData = {},
): Promise<ApiResult> {
  intentIdOf(clientSecret);
  const { card, billing_details } = data.payment_method ?? {};
  if (!card) throw new IntegrationError('The simulator supports stripe.confirmCardPayment with a Card Element only.');
  return payWith(api, card.form, clientSecret, { confirmParams: {}, details: { billing_details } });
}

/** Confirms with the form's card, if there is a form, and performs the next action. */
async function payWith(
  api: SandboxApi,
  form: CardForm | undefined,
  clientSecret: string,
  { confirmParams, details }: { confirmParams: FormParams; details: FormParams },
): Promise<ApiResult> {
  const invalid = form?.check();
  if (invalid) return { error: invalid };
  const params: FormParams = { ...confirmParams };
  if (form) params.payment_method_data = { ...details, type: 'card', card: form.cardParams() };
  const giveFocusBack = keepFocus();
  form?.setReadOnly(true);
  try {
    const confirmed = toErrorIfDeclined(await api.confirm(clientSecret, params));
    const result = await followNextAction(api, confirmed, clientSecret);
    if (result.error) form?.showServerError(result.error);
    return result;
  } finally {
    form?.setReadOnly(false);
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
