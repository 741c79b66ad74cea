import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** Crockford's alphabet: no letter is taken for another one when it is read out. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const requests = new AsyncLocalStorage<string | undefined>();

/** Bytes per id, and ids per batch of random bytes: the call for random bytes is the most expensive part. */
const idBytes = 12;
const idsAtOnce = 256;

let random = Buffer.alloc(0);

/** An id of 60 random bits that is easy to read aloud, such as "7K3M9QXD2F4T". */
export function newRequestId(): string {
  if (random.length === 0) random = randomBytes(idBytes * idsAtOnce);
  let id = '';
  for (const byte of random.subarray(0, idBytes)) id += alphabet[byte % 32];
  random = random.subarray(idBytes);
  return id;
}

/** The request id given by a proxy or another caller if it is safe for logs; otherwise a new one. */
export function requestIdOf(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9-]{8,64}$/.test(given) ? given : newRequestId();
}

/**
 * Runs `work` and everything it awaits as part of that request: its log lines and requests carry the id. Without an id
 * it belongs to no request, even if another request started it.
 */
export function runForRequest<Result>(id: string | null | undefined, work: () => Result): Result {
  return requests.run(id ?? undefined, work);
}

/** The id of the request that led here, also through a job. */
export function currentRequestId(): string | undefined {
  return requests.getStore();
}

/** The id that the data of a job or push carries. */
export function requestIdIn(data: unknown): string | undefined {
  const id = (data as { requestId?: unknown } | null | undefined)?.requestId;
  return typeof id === 'string' ? id : undefined;
}
