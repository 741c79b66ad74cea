import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call of the worker to a provider. */
export interface ProviderCall {
  readonly method: string;
  /** With its query, such as `/bank/v1/payouts`. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface ProviderAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** The worker's response: an answer, or a connection that ends without one. */
export type Given = ProviderAnswer | 'cut';

/** Decides about one call. `forward` has the provider execute it and returns its answer; without it the provider never hears of it. */
export type Conduct = (call: ProviderCall, forward: () => Promise<ProviderAnswer>) => Promise<Given>;

/** An HTTP server between the worker and the simulated providers. */
export interface ProviderProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a proxy to `targetUrl` that treats every call as `conduct` says. */
export async function startProviderProxy(targetUrl: string, conduct: Conduct): Promise<ProviderProxy> {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(targetUrl);

  const forward = ({ method, path, headers, body }: ProviderCall) =>
    new Promise<ProviderAnswer>((resolve, reject) => {
      const sent = request({
        agent,
        hostname,
        port,
        method,
        path,
        headers: { ...headers, host: `${hostname}:${port}` },
      });
      sent.on('error', reject);
      sent.on('response', async (response) => {
        try {
          resolve({ status: response.statusCode ?? 500, headers: response.headers, body: await bodyOf(response) });
        } catch (error) {
          reject(error);
        }
      });
      sent.end(body);
    });

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const call = { method, path, headers, body: await bodyOf(incoming) };
    const given = await conduct(call, () => forward(call));
    if (given === 'cut') return void response.socket?.destroy();
    const { 'transfer-encoding': _, 'content-length': __, connection: ___, ...rest } = given.headers;
    response.writeHead(given.status, { ...rest, 'content-length': given.body.length });
    response.end(given.body);
  };

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.socket?.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
