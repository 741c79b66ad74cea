import { connect as connectPlain } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { withinTime } from './http/time-limit.ts';

/** Longest wait for the verdict on one file, in ms. */
const timeoutMs = 10_000;
/** Largest answer that is read, in bytes: a line. */
const maxAnswerBytes = 1024;
const usualPort = 3310;

/** Looks for viruses in files. */
export interface VirusScanner {
  /**
   * The name of the virus found, null for a clean file. @throws Error when the scanner does not answer, or gives no
   * verdict.
   */
  find(bytes: Uint8Array): Promise<string | null>;
}

/** Speaks INSTREAM with ClamAV's daemon (man clamd). `url`: `tcp://host:port`, or `tls://` for one behind TLS. */
export function connectClamd(url: string, { waitMs = timeoutMs }: { waitMs?: number } = {}): VirusScanner {
  return {
    async find(bytes) {
      const answer = await withinTime(waitMs, (signal) => ask(new URL(url), bytes, signal));
      if (answer === 'stream: OK') return null;
      const [, found] = /^stream: (\S+) FOUND$/.exec(answer) ?? [];
      if (!found) throw new Error('the virus scanner gave no verdict on a file');
      return found;
    },
  };
}

async function ask(url: URL, bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  const host = url.hostname.replace(/[[\]]/g, '');
  const place = { host, port: Number(url.port) || usualPort };
  const socket = url.protocol === 'tls:' ? connectTls({ ...place, servername: host }) : connectPlain(place);
  addAbortSignal(signal, socket);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  // One piece, and then an empty one, which ends the file.
  socket.write(Buffer.concat([Buffer.from('zINSTREAM\0'), length, bytes, Buffer.alloc(4)]));
  let answer = '';
  // Leaving the loop closes the connection.
  for await (const piece of socket) {
    answer += piece;
    if (answer.includes('\0') || answer.length > maxAnswerBytes) break;
  }
  return answer.split('\0', 1)[0] as string;
}
