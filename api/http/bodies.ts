import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Request } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Failure } from '#core/contracts/failures';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { networkOf } from '../access/network.ts';

/** Endpoints with larger bodies state their limit in the contract. */
const defaultBodyBytesMax = 64 * 1024;

/**
 * Reads the JSON body of a call whose session, role and limits were checked: parsing a large one blocks the process for a second. Only UTF-8 is
 * accepted, because filters miss markup in other encodings. @throws Failure `unsupported_media_type`, `body_too_large`, `malformed_body`.
 */
export async function readBody(request: IncomingMessage, endpoint: Endpoint): Promise<unknown> {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return {};
  if (!isPlainJson(headers['content-type'] ?? '')) throw new Failure('unsupported_media_type');
  if (!endpoint.body) return {};
  const bytes = await readBytes(request, endpoint.bodyBytesMax ?? defaultBodyBytesMax);
  if (bytes.length > defaultBodyBytesMax) await ownTurn();
  const body = parse(bytes);
  if (typeof body !== 'object' || body === null) throw new Failure('malformed_body');
  return body;
}

/** Ends with the last large body that waits. */
let lastTurn: Promise<void> = Promise.resolve();

/** Waits for a turn of the event loop without another large body: each takes up to 100 ms, and several may arrive at once. */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

/** Maximum number of values in a large body: a legitimate one is large because of one base64 file, and a megabyte of brackets takes 100 ms to parse. */
const valuesOfLargeBodyMax = 10_000;

function parse(bytes: Buffer): unknown {
  if (bytes.length > defaultBodyBytesMax && hasManyValues(bytes)) throw new Failure('malformed_body');
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Failure('malformed_body');
  }
}

function hasManyValues(bytes: Buffer): boolean {
  let count = 0;
  for (const sign of ['[', '{', ',']) {
    for (let at = bytes.indexOf(sign); at >= 0; at = bytes.indexOf(sign, at + 1)) {
      count += 1;
      if (count > valuesOfLargeBodyMax) return true;
    }
  }
  return false;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether a Content-Type is that of JSON in UTF-8. */
function isPlainJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  return type.trim() === 'application/json' && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

/**
 * Reads a body of up to `bytesMax` bytes. Compressed bodies are refused: no client of ours sends them, and a small one can unpack into a huge
 * one. @throws Failure `unsupported_media_type`, `body_too_large` as soon as that is known, `malformed_body` when it breaks off.
 */
export function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') return Promise.reject(new Failure('unsupported_media_type'));
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return Promise.reject(new Failure('body_too_large'));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else reject(new Failure('body_too_large'));
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on('error', () => reject(new Failure('malformed_body')));
  });
}

/** Bytes of refused bodies that are read from one network in a minute: twice the largest body. */
const restBytesPerMinute = 24_000_000;

/**
 * Discards the rest of a body after the response, because a client that is cut off while it sends cannot read the response. Closes the connection
 * of a client that sends more than it announced, or whose network sent many large bodies: discarding them delays other visitors, too.
 */
export function restDropper(): (request: Request, response: ServerResponse) => void {
  const budget = new RateLimiterMemory({ points: restBytesPerMinute, duration: 60 });
  return (request, response) => {
    response.once('finish', () => {
      if (request.complete) return;
      const { socket } = request;
      let left = Number(request.headers['content-length'] ?? restBytesPerMinute / 2);
      budget.consume(networkOf(request), left).then(
        () => {
          request.on('data', (chunk: Buffer) => {
            left -= chunk.length;
            if (left < 0) socket.destroy();
          });
          request.resume();
        },
        () => socket.destroy(),
      );
    });
  };
}
