import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const argon2Async = promisify(argon2);

/** Cost of computing a hash: memory in KiB, and passes. */
export interface PasswordCost {
  readonly memory: number;
  readonly passes: number;
}

/** OWASP's recommended minimum for argon2id (Password Storage Cheat Sheet): 19 MiB, 2 passes, 1 lane. */
export const defaultPasswordCost: PasswordCost = { memory: 19_456, passes: 2 };

const shape = { parallelism: 1, tagLength: 32 } as const;

/** Hash of the random secret of a cookie or link. Unlike a password it cannot be guessed, so a fast hash is enough. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Hashes a password into a PHC string. */
export async function hashPassword(password: string, { memory, passes } = defaultPasswordCost): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await argon2Async('argon2id', { message: password, nonce, memory, passes, ...shape });
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${memory},t=${passes},p=${shape.parallelism}$${encode(nonce)}$${encode(tag)}`;
}

/**
 * Whether a password matches a PHC string. With null it does the same work, at `cost`, and returns false, so that the
 * response time does not reveal whether an account exists.
 */
export async function verifyPassword(
  password: string,
  hash: string | null,
  cost = defaultPasswordCost,
): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash ?? '');
  const [memory, passes, parallelism] = match
    ? [Number(match[1]), Number(match[2]), Number(match[3])]
    : [cost.memory, cost.passes, shape.parallelism];
  const nonce = match ? Buffer.from(match[4] as string, 'base64') : randomBytes(16);
  const expected = match ? Buffer.from(match[5] as string, 'base64') : randomBytes(shape.tagLength);
  const parameters = { message: password, nonce, memory, passes, parallelism, tagLength: expected.length };
  const tag = await argon2Async('argon2id', parameters);
  return timingSafeEqual(tag, expected) && match !== null;
}
