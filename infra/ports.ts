import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { errorCode } from './failure.ts';

/** Whether the port is free. Throws if listening on it is forbidden (EACCES). */
export async function isPortFree(port: number, host?: string): Promise<boolean> {
  try {
    await listenOnce(port, host);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') return false;
    throw error;
  }
}

/**
 * Below the ports that operating systems give to connections by themselves (from 32768 on Linux, 49152 elsewhere), which could
 * take one of those before its server listens, and above one that browsers refuse (10080).
 */
const [portMin, portMax] = [11_000, 32_000];

/** Finds a free port for a server. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = randomInt(portMin, portMax);
    if (await isPortFree(port, host)) return port;
  }
}

async function listenOnce(port: number, host?: string): Promise<void> {
  const server = createServer().listen({ port, host, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
