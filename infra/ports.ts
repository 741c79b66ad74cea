import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { errorCode } from './failure.ts';

/** Whether somebody could listen on the port now. Throws where that is forbidden (EACCES). */
export async function isPortFree(port: number, host?: string): Promise<boolean> {
  try {
    await listenOnce(port, host);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') return false;
    throw error;
  }
}

/** A port nobody listens on; the operating system does not give it out again at once. */
export function freePort(host = '127.0.0.1'): Promise<number> {
  return listenOnce(0, host);
}

async function listenOnce(port: number, host?: string): Promise<number> {
  const server = createServer().listen({ port, host, exclusive: true });
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return address.port;
}
