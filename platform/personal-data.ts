import { createHmac, randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { SecretBox } from './secret-box.ts';

const keyBytes = 32;
/** Of a hash's 32 bytes: enough that two numbers never share one by chance. */
const hashBytes = 16;
/** After how long (ms) the keys are read again, to encrypt with one that another process made. */
const freshMs = 10 * 60_000;

interface DataKey {
  readonly id: string;
  readonly purpose: 'encryption' | 'lookup';
  readonly wrapped: string;
}

interface Keys {
  readonly box: SecretBox;
  readonly lookup: Buffer;
  readonly readAt: number;
}

/** The stored value cannot be decrypted with any key, belongs to another row, or is not encrypted at all. */
export class UnreadablePersonalData extends Error {
  override name = 'UnreadablePersonalData';
}

/**
 * Encrypts personal data for the database, with keys that are rows of it, encrypted themselves with one that only the configuration has
 * (envelope encryption). The newest data key encrypts, each decrypts. A process reads them when it starts and has them in memory from then on.
 */
export class PersonalData {
  readonly #wrapping: SecretBox | null;
  readonly #fork: () => EntityManager;
  #keys: Keys | null = null;
  #reading: Promise<Keys> | null = null;

  /** `wrappingKeys`: 32 bytes each, the first one encrypts; none for processes that read no personal data. */
  constructor(wrappingKeys: readonly Buffer[], fork: () => EntityManager) {
    this.#wrapping = wrappingKeys.length > 0 ? new SecretBox(wrappingKeys) : null;
    this.#fork = fork;
  }

  /** Reads the data keys; the first process makes them. @throws Error when the configured key is not the one that they were encrypted with. */
  async load(): Promise<void> {
    const rows = await findDataKeys(this.#fork());
    if (!rows.some(({ purpose }) => purpose === 'lookup')) await this.#makeFirst();
    await this.#read();
  }

  /** The encrypted text; it opens for the same owner alone, "recipient:<id>". @throws Error before `load`. */
  seal(text: string, owner: string): string {
    const keys = this.#loaded();
    if (Date.now() - keys.readAt > freshMs) this.#read().catch(() => {});
    return keys.box.encrypt(text, owner);
  }

  /** The text again; reads the keys again when another process encrypted it with one made since. @throws UnreadablePersonalData also when it is not this owner's. */
  async open(sealed: string, owner: string): Promise<string> {
    const keys = this.#keys?.box.knows(sealed) ? this.#keys : await this.#read();
    try {
      return keys.box.decrypt(sealed, owner);
    } catch (cause) {
      throw new UnreadablePersonalData(`what is encrypted for ${owner} cannot be read`, { cause });
    }
  }

  /**
   * Keyed hash of a text for equality searches; it cannot be computed or guessed without the key. @throws Error before
   * `load`.
   */
  hash(text: string): string {
    return createHmac('sha256', this.#loaded().lookup)
      .update(text)
      .digest()
      .subarray(0, hashBytes)
      .toString('base64url');
  }

  /** The prefix of everything encrypted with the newest key in the database. */
  async currentPrefix(): Promise<string> {
    return (await this.#read()).box.currentPrefix;
  }

  /** Creates a data key for all future encryption; other processes follow within minutes. */
  async addKey(): Promise<void> {
    await insertDataKey(this.#fork(), this.#wrap('encryption'));
    await this.#read();
  }

  /** Encrypts the data keys with the first of the configured keys. Returns how many were encrypted with another one. */
  async rewrapKeys(): Promise<number> {
    const wrapping = this.#configured();
    const outdated = (await findDataKeys(this.#fork())).filter(({ wrapped }) => wrapping.isOutdated(wrapped));
    for (const { id, wrapped } of outdated) {
      const again = wrapping.encrypt(wrapping.decrypt(wrapped, ownerOf(id)), ownerOf(id));
      await this.#fork().execute('update data_key set wrapped = ? where id = ? and wrapped = ?', [again, id, wrapped]);
    }
    return outdated.length;
  }

  #configured(): SecretBox {
    if (!this.#wrapping) throw new Error('this process has no PERSONAL_DATA_KEY');
    return this.#wrapping;
  }

  #loaded(): Keys {
    if (!this.#keys) throw new Error('the keys of personal data were not read');
    return this.#keys;
  }

  async #makeFirst(): Promise<void> {
    const made = [this.#wrap('encryption'), this.#wrap('lookup')];
    await this.#fork().transactional(async (em) => {
      // Another process that starts makes them too, or waits here and finds them.
      await em.execute("select pg_advisory_xact_lock(hashtext('chasqui-data-keys'))");
      if ((await findDataKeys(em)).length > 0) return;
      for (const key of made) await insertDataKey(em, key);
    });
  }

  #wrap(purpose: DataKey['purpose']): DataKey {
    const id = randomBytes(8).toString('hex');
    return { id, purpose, wrapped: this.#configured().encrypt(randomBytes(keyBytes).toString('base64'), ownerOf(id)) };
  }

  /** Shares one read among concurrent callers. */
  #read(): Promise<Keys> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readNow(): Promise<Keys> {
    const wrapping = this.#configured();
    const rows = await findDataKeys(this.#fork());
    const keysFor = (purpose: DataKey['purpose']) =>
      rows
        .filter((row) => row.purpose === purpose)
        .map(({ id, wrapped }) => Buffer.from(wrapping.decrypt(wrapped, ownerOf(id)), 'base64'));
    const [lookup] = keysFor('lookup');
    if (!lookup) throw new Error('there are no keys of personal data');
    this.#keys = { box: new SecretBox(keysFor('encryption')), lookup, readAt: Date.now() };
    return this.#keys;
  }
}

const ownerOf = (id: string) => `data_key:${id}`;

/** The newest first. */
function findDataKeys(em: EntityManager): Promise<DataKey[]> {
  return em.execute<DataKey[]>('select id, purpose, wrapped from data_key order by created_at desc, id');
}

async function insertDataKey(em: EntityManager, { id, purpose, wrapped }: DataKey): Promise<void> {
  await em.execute('insert into data_key (id, purpose, wrapped, created_at) values (?, ?, ?, clock_timestamp())', [
    ...[id, purpose, wrapped],
  ]);
}
