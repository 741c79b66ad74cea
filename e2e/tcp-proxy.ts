import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy to a local server whose connection can be lost and restored, as a phone's is. */
export interface TcpProxy {
  readonly url: string;
  /** Ends every connection and accepts no new one. */
  disconnect(): void;
  reconnect(): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free port. */
export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const port = Number(new URL(targetUrl).port);
  const open = new Set<Socket>();
  let connected = true;
  const server = createServer((client) => {
    if (!connected) return client.destroy();
    const target = connect(port, 'localhost');
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    disconnect: () => {
      connected = false;
      for (const socket of open) socket.destroy();
    },
    reconnect: () => {
      connected = true;
    },
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
