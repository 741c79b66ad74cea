import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure } from '#core/contracts/failures';
import type { Endpoint } from '#core/contracts/http/endpoint';

/** Our usual requests are far below. */
const usualBodyBytesMax = 64 * 1024;

/**
 * Reads the body of a call: once its session, role and limits were checked, because a large one takes a second of everybody's time. It is plain
 * JSON in UTF-8, in which filters see every `<`. @throws Failure `unsupported_media_type`, `body_too_large`, `malformed_body`.
 */
export async function readBody(request: IncomingMessage, endpoint: Endpoint): Promise<unknown> {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return {};
  if (!isPlainJson(headers['content-type'] ?? '')) throw new Failure('unsupported_media_type');
  if (!endpoint.body) return {};
  const bytes = await readBytes(request, endpoint.bodyBytesMax ?? usualBodyBytesMax);
  const body = parse(bytes);
  if (typeof body !== 'object' || body === null) throw new Failure('malformed_body');
  return body;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Failure('malformed_body');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether a Content-Type is that of JSON in UTF-8. */
function isPlainJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  return type.trim() === 'application/json' && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

/**
 * Reads a body as bytes, and no more than so many. Compressed ones are refused: no caller of ours sends them, and a small one can unpack into a
 * huge one. @throws Failure `unsupported_media_type`, `body_too_large` as soon as that is known, `malformed_body` when it breaks off.
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

/** Most bytes, and the longest time in ms, that are taken of a request that has its answer. */
const restBytesMax = 12_000_000;
const restMs = 10_000;

/**
 * Takes what a request still sends after its answer, so that its sender can read that, and hangs up on one that sends on: nothing of it is kept.
 */
export function dropRest(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    const { socket } = request;
    const timer = setTimeout(() => socket.destroy(), restMs).unref();
    let left = restBytesMax;
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) socket.destroy();
    });
    request.once('close', () => clearTimeout(timer));
    request.resume();
  });
}
