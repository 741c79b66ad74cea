import type { IncomingMessage } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { Server, ServerOptions } from 'socket.io';
import type { ApiConfiguration } from '#platform/configuration/api';
import type { LiveAdapter } from '#platform/live/adapter';
import { addressOf, networkOf } from '../access/network.ts';
import { isFromOurPages } from '../access/origin.ts';
import { RateLimits } from '../access/rate-limits.ts';
import type { Parts } from '../tokens.ts';

/** The api's Socket.IO server: on the api's own port, joined with the other processes, open to our own pages only. */
export class LiveIoAdapter extends IoAdapter {
  readonly #app: NestExpressApplication;
  readonly #live: LiveAdapter;
  readonly #env: ApiConfiguration;
  readonly #stopping: AbortSignal;

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
    const trusts = this.#app.getHttpAdapter().getInstance().get('trust proxy fn');
    return this.#app.get(RateLimits).allows('callsPerNetwork', networkOf({ ip: addressOf(request, trusts) }));
  }
}

function isLiveUpgrade({ url, headers }: IncomingMessage): boolean {
  return /^\/socket\.io\/?(?:\?|$)/.test(url ?? '') && headers.upgrade?.toLowerCase() === 'websocket';
}
