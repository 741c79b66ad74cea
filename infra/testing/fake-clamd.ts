import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';

/** The harmless text that every scanner reports, split so that scanners do not report this file (eicar.org). */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/** Answers as clamd does, to INSTREAM alone: a file with that text in it is infected. */
export class FakeClamd {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  /** A different answer; null for none at all. */
  says: string | null | undefined;
  /** Whole files that it was given. */
  readonly files: Buffer[] = [];

  private constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      let received = Buffer.alloc(0);
      socket.on('data', (piece) => {
        received = Buffer.concat([received, piece]);
        const file = wholeFile(received);
        if (!file) return;
        this.files.push(file);
        const verdict = file.includes(eicar) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK';
        if (this.says !== null) socket.end(`${this.says ?? verdict}\0`);
      });
    });
  }

  static async start(): Promise<FakeClamd> {
    const fake = new FakeClamd();
    fake.#server.listen(0, '127.0.0.1');
    await once(fake.#server, 'listening');
    return fake;
  }

  get url(): string {
    return `tcp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** The file in the pieces after the command, once the empty one has come. */
function wholeFile(received: Buffer): Buffer | null {
  const command = 'zINSTREAM\0';
  if (!received.subarray(0, command.length).equals(Buffer.from(command))) return null;
  const pieces: Buffer[] = [];
  for (let at = command.length; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at);
    if (length === 0) return Buffer.concat(pieces);
    pieces.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}
