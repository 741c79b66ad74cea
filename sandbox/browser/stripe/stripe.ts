/**
 * Replaces https://js.stripe.com and https://crypto-js.stripe.com: a classic script that defines `window.Stripe` and
 * `window.StripeOnramp`, so that the unmodified @stripe/stripe-js, @stripe/react-stripe-js and @stripe/crypto work
 * offline. It calls only the server it was loaded from.
 */
import { IntegrationError, SandboxApi } from './api.ts';
import { ElementsGroup, type ElementsOptions } from './elements.ts';
import { languageOf } from './messages.ts';
import { createOnrampConstructor } from './onramp.ts';
import {
  type ConfirmCardData,
  type ConfirmPaymentOptions,
  confirmCardPayment,
  confirmPayment,
  handleNextAction,
} from './payments.ts';

/** The version that @stripe/stripe-js expects; it warns about any other. */
const VERSION = 'endive';

const scriptUrl = (document.currentScript as HTMLScriptElement | null)?.src ?? window.location.href;
const { origin } = new URL(scriptUrl);

function unsupported(method: string): () => Promise<never> {
  return async () => {
    throw new IntegrationError(`The simulator does not support stripe.${method}.`);
  };
}

function createStripe(publishableKey: string, { locale }: { locale?: string } = {}) {
  if (!/^pk_test_/.test(publishableKey)) {
    throw new IntegrationError('The simulator takes publishable keys that begin with pk_test_ only.');
  }
  const api = new SandboxApi(origin, publishableKey, languageOf(locale));
  return {
    elements: (options?: ElementsOptions) => new ElementsGroup(api, options),
    confirmPayment: (options: ConfirmPaymentOptions) => confirmPayment(api, options),
    handleNextAction: (options: { clientSecret: string }) => handleNextAction(api, options.clientSecret),
    retrievePaymentIntent: async (clientSecret: string) => api.retrieve(clientSecret),
    createPaymentMethod: unsupported('createPaymentMethod'),
    createToken: unsupported('createToken'),
    confirmCardPayment: (clientSecret: string, data?: ConfirmCardData) => confirmCardPayment(clientSecret, data),
    registerAppInfo: () => {},
    _registerWrapper: () => {},
  };
}

Object.assign(window, {
  StripeOnramp: createOnrampConstructor(origin),
  Stripe: Object.assign(createStripe, { version: VERSION }),
});
