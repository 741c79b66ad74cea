/** The bank's question (3-D Secure) in a frame above the whole page, as Stripe.js shows it. */
import type { PaymentIntent } from '@stripe/stripe-js';
import type { ApiResult, SandboxApi } from './api.ts';
import { Frame } from './frame.ts';
import type { FromChallenge, ToChallenge } from './frame-messages.ts';
import { labelsIn } from './messages.ts';

/** Open challenges by PaymentIntent: confirm and handleNextAction together show one question. */
const open = new Map<string, Promise<ApiResult>>();

/** Shows the challenge until it is answered; resolves with the intent. */
export function runChallenge(api: SandboxApi, intent: PaymentIntent, clientSecret: string): Promise<ApiResult> {
  const running = open.get(intent.id);
  if (running) return running;
  const challenge = ask(api, intent, clientSecret).finally(() => open.delete(intent.id));
  open.set(intent.id, challenge);
  return challenge;
}

async function ask(api: SandboxApi, intent: PaymentIntent, clientSecret: string): Promise<ApiResult> {
  const { promise, resolve } = Promise.withResolvers<ApiResult>();
  const frame = new Frame<FromChallenge, ToChallenge>(
    'three-d-secure-frame',
    labelsIn(api.language).challengeFrame,
    api,
    (message) => {
      if (message.type === 'started') frame.element.focus();
      else resolve(message.result);
    },
  );
  frame.element.style.cssText =
    'position: fixed; inset: 0; z-index: 2147483647; width: 100%; height: 100%; border: 0; color-scheme: light;';
  frame.tell({ type: 'ask', intent, clientSecret });
  document.body.append(frame.element);
  try {
    return await promise;
  } finally {
    frame.destroy();
  }
}
