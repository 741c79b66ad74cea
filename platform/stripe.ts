import type { IncomingMessage } from 'node:http';
import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible';
import { Stripe } from 'stripe';
import type { StripeConfiguration } from './configuration/variables.ts';
import { BodyTooLargeError } from './http/bounded-body.ts';
import { ForeignAnswerError } from './stripe-errors.ts';
import { providerCall, withoutIds } from './telemetry/provider-call.ts';

/** Largest answer that is read: a page of a hundred balance transactions with their sources has a few hundred kilobytes. */
const maxAnswerBytes = 16 * 1024 * 1024;

/** Longest wait (s) for the request budget. */
const longestWaitS = 10;

/** Time limit of one HTTP request until its answer begins, in ms; shorter than people wait. */
const requestMs = 15_000;

/** How often the SDK repeats a request that was not answered, or that Stripe could not handle then. */
const repetitions = 2;

/** Longest time for the body of an answer, in ms: the SDK's own limit is for silence, which a slow trickle never reaches. */
const bodyMs = 20_000;

/**
 * One budget for all requests of a process, so that a backlog waits here instead of meeting Stripe's limit. A request that would wait too
 * long is refused at once, which the SDK reports like a Stripe that does not answer.
 */
function requestBudget(perSecond: number): () => Promise<unknown> {
  // In small windows: a whole second at once, twice in a row, would be twice the limit.
  const points = Math.max(1, Math.floor(perSecond / 5));
  const limiter = new RateLimiterMemory({ points, duration: points / perSecond });
  const queue = new RateLimiterQueue(limiter, { maxQueueSize: perSecond * longestWaitS });
  return () => queue.removeTokens(1);
}

/** What differs in tests. */
interface StripeLimits {
  /** Largest body of an answer, in bytes. */
  readonly answerBytesMax?: number;
  /** Longest time for an answer's body, in ms. */
  readonly answerMsMax?: number;
  /** Time limit of one HTTP request until its answer begins, in ms. */
  readonly requestMsMax?: number;
  /** How often the SDK repeats a request. */
  readonly repetitionsMax?: number;
}

/**
 * The Stripe client of api and worker. The SDK repeats a call under the same idempotency key, so a repeat never does the thing twice. It
 * follows no redirects. An answer that is an error without being Stripe's counts as unreadable: the SDK itself goes by the body alone.
 */
export function createStripe(env: StripeConfiguration, limits: StripeLimits = {}): Stripe {
  const httpClient = createBoundedClient(env, limits);
  const options = {
    maxNetworkRetries: limits.repetitionsMax ?? repetitions,
    timeout: limits.requestMsMax ?? requestMs,
    telemetry: false,
    appInfo: { name: 'chasqui' },
    httpClient,
  };
  if (!env.apiUrl) return new Stripe(env.secretKey, options);
  const { protocol, hostname, port } = new URL(env.apiUrl);
  return new Stripe(env.secretKey, {
    ...options,
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
  });
}

/** The SDK's own client, which has a budget, is measured, and gives up on answers that are too large or take too long. */
function createBoundedClient(
  { requestsPerSecond }: StripeConfiguration,
  { answerBytesMax = maxAnswerBytes, answerMsMax = bodyMs }: StripeLimits,
) {
  const client = Stripe.createNodeHttpClient();
  const makeRequest = client.makeRequest.bind(client);
  const takeFromBudget = requestsPerSecond === null ? null : requestBudget(requestsPerSecond);
  client.makeRequest = async (...request) => {
    await takeFromBudget?.();
    const [, , path, method] = request;
    const answer = await providerCall(
      { provider: 'stripe', call: `${method} ${withoutIds(path)}` },
      () => makeRequest(...request),
      (answer) => answer.getStatusCode(),
    );
    const status = answer.getStatusCode();
    const readJson = answer.toJSON.bind(answer);
    answer.toJSON = async () => {
      const body = answer.getRawResponse() as IncomingMessage;
      let received = 0;
      const timer = setTimeout(() => body.destroy(new Error('the answer took too long')), answerMsMax);
      body.once('close', () => clearTimeout(timer));
      body.on('data', (chunk: string | Buffer) => {
        received += chunk.length;
        if (received > answerBytesMax) body.destroy(new BodyTooLargeError(answerBytesMax));
      });
      const read = await readJson().catch((error: unknown) => {
        throw status >= 400 && error instanceof SyntaxError ? new ForeignAnswerError(status) : error;
      });
      if (status >= 400 && !isStripeError(read)) throw new ForeignAnswerError(status);
      return read;
    };
    return answer;
  };
  return client;
}

function isStripeError(read: unknown): boolean {
  return typeof read === 'object' && read !== null && 'error' in read;
}
