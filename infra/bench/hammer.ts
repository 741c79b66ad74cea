import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * Sends `count` requests over `width` kept connections, the next of each as soon as the last is answered. Returns the seconds it took. Node's own
 * HTTP client costs more than most of what is measured with this, so that it would hide the difference. @throws on an answer other than 200.
 */
export async function hammer(
  { port, width, count }: { port: number; width: number; count: number },
  requestOf: (index: number) => string,
): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: width }, () => open(port)));
  let next = 0;
  const started = performance.now();
  try {
    await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<void>((resolve, reject) => {
            const send = () => {
              if (next >= count) return resolve();
              socket.write(requestOf(next));
              next += 1;
            };
            socket.on('data', answersIn(send, reject));
            socket.once('error', reject);
            socket.once('close', () => reject(new Error('the server closed a connection')));
            send();
          }),
      ),
    );
    return (performance.now() - started) / 1000;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** One request as it is sent. */
export function requestText(line: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const all = { host: 'localhost', 'accept-encoding': 'gzip, deflate, br', ...headers };
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...all, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** Reads answers with a Content-Length and calls `answered` after each. */
function answersIn(answered: () => void, failed: (error: Error) => void): (chunk: Buffer) => void {
  let head = '';
  let missing = 0;
  return (chunk) => {
    let body = chunk.length;
    if (missing === 0) {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (!head.startsWith('HTTP/1.1 200') || !length) return failed(new Error(`answered ${head.slice(0, 400)}`));
      body = head.length - end - 4;
      missing = Number(length);
      head = '';
    }
    missing -= body;
    if (missing === 0) answered();
  };
}
