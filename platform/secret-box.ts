import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts short secrets for the database (AES-256-GCM). The first key encrypts, every key decrypts: put a new key
 * first, and keep the old one until nothing is encrypted with it. Ciphertexts are bound to an owner, so that a copy in
 * another owner's row cannot be decrypted.
 */
export class SecretBox {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #current: readonly [id: string, key: Buffer];

  /** `keys` are 32 bytes each. @throws RangeError without any. */
  constructor(keys: readonly Buffer[]) {
    const named = keys.map((key) => [idOf(key), key] as const);
    const [first] = named;
    if (!first) throw new RangeError('secrets need a key');
    this.#current = first;
    this.#keys = new Map(named);
  }

  /** The encrypted text, prefixed with its key and nonce. */
  encrypt(text: string, owner: string): string {
    const [id, key] = this.#current;
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${id}.${sealed.toString('base64url')}`;
  }

  /** @throws Error when no key fits, it was changed, or it belongs to another owner. */
  decrypt(encrypted: string, owner: string): string {
    const [id = '', body = ''] = encrypted.split('.');
    const key = this.#keys.get(id);
    if (!key) throw new Error(`no key ${id}: a secret was encrypted with one that is not configured any more`);
    const sealed = Buffer.from(body, 'base64url');
    const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(-tagBytes));
    return decipher.update(sealed.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
  }

  /** Whether the key that it was encrypted with is among the keys. */
  knows(encrypted: string): boolean {
    return this.#keys.has(encrypted.split('.', 1)[0] ?? '');
  }

  /** What everything that is encrypted now begins with. */
  get currentPrefix(): string {
    return `${this.#current[0]}.`;
  }

  /** Whether it is encrypted with an earlier key. */
  isOutdated(encrypted: string): boolean {
    return !encrypted.startsWith(this.currentPrefix);
  }
}

function idOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}
