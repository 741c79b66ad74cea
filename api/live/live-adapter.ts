import type { IncomingMessage } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { Server, ServerOptions } from 'socket.io';
import type { ApiConfiguration } from '#platform/configuration/api';
import type { LiveAdapter } from '#platform/live/adapter';
import { isFromOurPages } from '../access/origin.ts';

/** The api's Socket.IO server: on the api's own port, joined with the other processes, open to our own pages only. */
export class LiveIoAdapter extends IoAdapter {
  readonly #live: LiveAdapter;
  readonly #env: ApiConfiguration;

  constructor(app: INestApplicationContext, live: LiveAdapter, env: ApiConfiguration) {
    super(app);
    this.#live = live;
    this.#env = env;
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const server: Server = super.createIOServer(port, {
      ...options,
      serveClient: false,
      maxHttpBufferSize: 16_384,
      // A cookie travels with every connection, so another site's page must not open one.
      allowRequest: (request, decide) => decide(null, isFromOurPages(request.headers, this.#env)),
    } as ServerOptions);
    server.adapter(this.#live.adapter);
    // Other requests with an Upgrade header (`curl --http2`, Java's HttpClient) are answered as if they had none.
    // Nest gives the server no options, and Node reads this one from the server at every request.
    Object.assign(this.httpServer, { shouldUpgradeCallback: isLiveUpgrade });
    return server;
  }
}

function isLiveUpgrade({ url, headers }: IncomingMessage): boolean {
  return /^\/socket\.io\/?(?:\?|$)/.test(url ?? '') && headers.upgrade?.toLowerCase() === 'websocket';
}
