/** confirmPayment, handleNextAction and retrievePaymentIntent: a PaymentIntent from the card form to its next resting state. */
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

/** Makes a failed attempt an error: Stripe.js resolves so when the intent is back to wanting another card. */
function toErrorIfDeclined(result: ApiResult): ApiResult {
  const { paymentIntent } = result;
  if (paymentIntent?.status !== 'requires_payment_method') return result;
  const last = (paymentIntent.last_payment_error ?? {
    type: 'invalid_request_error',
    code: CARD_REFUSED,
  }) as StripeError;
  return { error: localised({ ...last, payment_intent: paymentIntent }) };
}

/** Carries out what the intent asks of the person, if anything. */
async function followNextAction(api: SandboxApi, result: ApiResult, clientSecret: string): Promise<ApiResult> {
  const { paymentIntent } = result;
  if (paymentIntent?.status !== 'requires_action') return result;
  const redirectUrl = paymentIntent.next_action?.redirect_to_url?.url;
  if (redirectUrl) return leaveFor(redirectUrl);
  return toErrorIfDeclined(await runChallenge(api, paymentIntent, clientSecret));
}

/** Navigates away; the promise never settles, as the page is going. */
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

/** The person's place on the page, to be given back after a dialog even if the page disabled the button meanwhile. */
function keepFocus(): () => void {
  const before = document.activeElement;
  return () => {
    const giveBack = () => {
      const lost = document.activeElement === null || document.activeElement === document.body;
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
    giveBack();
    // The page usually enables its button again only after the promise has settled and it has rendered.
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

/** What the older call takes: the Card Element, which the person has filled in. */
export interface ConfirmCardData {
  payment_method?: { card?: CardElement; billing_details?: FormParams };
}

/** The older call of the Card Element: it never leaves the page. Rejects with IntegrationError for misuse only. */
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

/** Sends the form's card, if there is a form, and follows what the bank asks. */
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

/** For an intent confirmed on the server, or left in the middle of its challenge by a reload. */
export async function handleNextAction(api: SandboxApi, clientSecret: string): Promise<ApiResult> {
  const giveFocusBack = keepFocus();
  try {
    return await followNextAction(api, await api.retrieve(clientSecret), clientSecret);
  } finally {
    giveFocusBack();
  }
}
