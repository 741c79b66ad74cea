import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Intent {
  id: string;
  client_secret: string;
  status: string;
  [field: string]: unknown;
}

/** Answers only the Stripe calls that the api makes; tests that need more of Stripe use the sandbox. */
export class FakeStripe {
  readonly url: string;
  /** Every payment intent and onramp session created, by its idempotency key. */
  readonly intents: ReadonlyMap<string, Intent>;
  readonly #state: { down: boolean };
  readonly close: () => Promise<void>;

  private constructor(url: string, intents: Map<string, Intent>, state: { down: boolean }, close: () => Promise<void>) {
    this.url = url;
    this.intents = intents;
    this.#state = state;
    this.close = close;
  }

  static async start(): Promise<FakeStripe> {
    const intents = new Map<string, Intent>();
    const state = { down: false };
    const server = createServer(async (request, response) => {
      const answer = state.down ? null : await answerTo(request, intents);
      response.writeHead(state.down ? 500 : answer ? 200 : 404, {
        'content-type': 'application/json',
        'stripe-should-retry': 'false',
      });
      response.end(JSON.stringify(answer ?? { error: { type: 'api_error', message: 'no' } }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new FakeStripe(`http://127.0.0.1:${port}`, intents, state, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
  }

  /** From now on it answers 500, or answers again. */
  setDown(down: boolean): void {
    this.#state.down = down;
  }

  /** Changes an intent as the card form would. */
  setStatus(id: string, status: string): void {
    for (const intent of this.intents.values()) if (intent.id === id) intent.status = status;
  }
}

const kinds = [
  { path: '/v1/payment_intents', prefix: 'pi', status: 'requires_payment_method' },
  { path: '/v1/crypto/onramp_sessions', prefix: 'cos', status: 'initialized' },
];

async function answerTo(request: IncomingMessage, intents: Map<string, Intent>): Promise<Intent | null> {
  const path = request.url ?? '';
  const kind = kinds.find((one) => path.startsWith(one.path));
  if (!kind) return null;
  if (request.method === 'GET') {
    const id = path.split('/').at(-1)?.split('?')[0];
    return [...intents.values()].find((intent) => intent.id === id) ?? null;
  }
  if (path !== kind.path) return null;
  let body = '';
  for await (const chunk of request) body += chunk;
  const key = String(request.headers['idempotency-key']);
  const id = `${kind.prefix}_${intents.size + 1}${Math.random().toString(36).slice(2)}`;
  const fresh = {
    id,
    client_secret: `${id}_secret_x`,
    status: kind.status,
    ...Object.fromEntries(new URLSearchParams(body)),
  };
  const intent = intents.get(key) ?? fresh;
  intents.set(key, intent);
  return intent;
}
