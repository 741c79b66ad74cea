import type { IncomingMessage } from 'node:http';
import { Stripe } from 'stripe';
import type { StripeConfiguration } from './configuration/variables.ts';
import { BodyTooLargeError } from './http/bounded-body.ts';
import { providerCall, withoutIds } from './telemetry/provider-call.ts';

/** Largest answer that is read: a page of a hundred balance transactions with their sources has a few hundred kilobytes. */
const maxAnswerBytes = 16 * 1024 * 1024;

/** What differs in tests. */
interface StripeLimits {
  /** Largest body of an answer, in bytes. */
  readonly answerBytesMax?: number;
  /** Longest time for an answer's body, in ms: the SDK's own limit is for silence, which a slow trickle never reaches. */
  readonly answerMsMax?: number;
}

/**
 * The Stripe client of api and worker. Timeouts (ms) are shorter than people wait; the SDK repeats a call with its
 * own idempotency key, so a repeat never does the thing twice. It follows no redirects.
 */
export function createStripe(env: StripeConfiguration, limits: StripeLimits = {}): Stripe {
  const httpClient = createBoundedClient(limits);
  const options = { maxNetworkRetries: 2, timeout: 15_000, telemetry: false, appInfo: { name: 'chasqui' }, httpClient };
  if (!env.apiUrl) return new Stripe(env.secretKey, options);
  const { protocol, hostname, port } = new URL(env.apiUrl);
  return new Stripe(env.secretKey, {
    ...options,
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
  });
}

/** The SDK's own client, which is measured, and gives up on answers that are too large or take too long. */
function createBoundedClient({ answerBytesMax = maxAnswerBytes, answerMsMax = 20_000 }: StripeLimits) {
  const client = Stripe.createNodeHttpClient();
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = async (...request) => {
    const [, , path, method] = request;
    const answer = await providerCall(
      { provider: 'stripe', call: `${method} ${withoutIds(path)}` },
      () => makeRequest(...request),
      (answer) => answer.getStatusCode(),
    );
    const readJson = answer.toJSON.bind(answer);
    answer.toJSON = () => {
      const body = answer.getRawResponse() as IncomingMessage;
      let received = 0;
      const timer = setTimeout(() => body.destroy(new Error('the answer took too long')), answerMsMax);
      body.once('close', () => clearTimeout(timer));
      body.on('data', (chunk: string | Buffer) => {
        received += chunk.length;
        if (received > answerBytesMax) body.destroy(new BodyTooLargeError(answerBytesMax));
      });
      return readJson();
    };
    return answer;
  };
  return client;
}
