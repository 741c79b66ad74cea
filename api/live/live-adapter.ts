import type { IncomingMessage } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { Server, ServerOptions, Socket } from 'socket.io';
import type { ApiConfiguration } from '#platform/configuration/api';
import type { LiveAdapter } from '#platform/live/adapter';
import { addressOf, networkOf } from '../access/network.ts';
import { isFromOurPages } from '../access/origin.ts';
import { RateLimits } from '../access/rate-limits.ts';
import type { Parts } from '../tokens.ts';

/** Live connections that a process takes of one network: phone networks and offices have one address for many people. */
const connectionsPerNetworkMax = 1000;

/** The api's Socket.IO server: on the api's own port, joined with the other processes, open to our own pages only. */
export class LiveIoAdapter extends IoAdapter {
  readonly #app: NestExpressApplication;
  readonly #live: LiveAdapter;
  readonly #env: ApiConfiguration;
  readonly #stopping: AbortSignal;
  /** Live connections that are open, by their network. */
  readonly #open = new Map<string, number>();

  constructor(app: NestExpressApplication, live: LiveAdapter, { env, stopping }: Pick<Parts, 'env' | 'stopping'>) {
    super(app);
    this.#app = app;
    this.#live = live;
    this.#env = env;
    this.#stopping = stopping;
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const server: Server = super.createIOServer(port, {
      ...options,
      serveClient: false,
      maxHttpBufferSize: 16_384,
      allowRequest: (request, decide) => {
        this.#allows(request).then(
          (allowed) => decide(null, allowed),
          () => decide(null, false),
        );
      },
    } as ServerOptions);
    server.adapter(this.#live.adapter);
    server.engine.on('connection', (connection: Socket['conn']) => this.#count(connection));
    // Other requests with an Upgrade header (`curl --http2`, Java's HttpClient) are answered as if they had none.
    // Nest gives the server no options, and Node reads this one from the server at every request.
    Object.assign(this.httpServer, { shouldUpgradeCallback: isLiveUpgrade });
    return server;
  }

  /** A cookie travels with every connection, so another site's page must not open one; nor may a network open any number. */
  async #allows(request: IncomingMessage): Promise<boolean> {
    // The client tries again, and another replica takes it.
    if (this.#stopping.aborted) return false;
    if (!isFromOurPages(request.headers, this.#env)) return false;
    const network = this.#networkOf(request);
    if ((this.#open.get(network) ?? 0) >= connectionsPerNetworkMax) return false;
    return this.#app.get(RateLimits).allows('callsPerNetwork', network);
  }

  #networkOf(request: IncomingMessage): string {
    const trusts = this.#app.getHttpAdapter().getInstance().get('trust proxy fn');
    return networkOf({ ip: addressOf(request, trusts) });
  }

  #count(connection: Socket['conn']): void {
    const network = this.#networkOf(connection.request);
    const add = (by: number) => {
      const open = (this.#open.get(network) ?? 0) + by;
      if (open > 0) this.#open.set(network, open);
      else this.#open.delete(network);
    };
    add(1);
    connection.once('close', () => add(-1));
  }
}

function isLiveUpgrade({ url, headers }: IncomingMessage): boolean {
  return /^\/socket\.io\/?(?:\?|$)/.test(url ?? '') && headers.upgrade?.toLowerCase() === 'websocket';
}
