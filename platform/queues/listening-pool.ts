import { EventEmitter } from 'node:events';
import { Client, Pool, type PoolClient, type PoolConfig } from 'pg';

/** A statement that subscribes to a channel, as BullMQ writes it. */
const listenStatement = /^(\s|--[^\n]*\n)*LISTEN\b/i;
/** BullMQ names the connection that a worker listens on; here it is no worker's own. */
const nameStatement = /application_name/;

/**
 * The pool that BullMQ is given. Every one of its workers would check a connection out for good, to listen to the same channel as all others; here
 * one connection listens for all of them. Statements go through the pool.
 */
export class ListeningPool extends Pool {
  readonly #config: PoolConfig;
  readonly #subscribers = new Set<Subscriber>();
  #listening: Promise<Listening> | undefined;

  constructor(config: PoolConfig) {
    super(config);
    this.#config = config;
  }

  /** BullMQ, which waits for a promise, gets a client without a connection of its own; the pool itself gives callbacks. */
  override connect(): Promise<PoolClient>;
  override connect(callback: Parameters<Pool['connect']>[0]): void;
  override connect(callback?: Parameters<Pool['connect']>[0]): Promise<PoolClient> | undefined {
    if (callback) {
      super.connect(callback);
      return undefined;
    }
    const subscriber: Subscriber = new Subscriber({
      query: (text, values) => this.query(text, values),
      listen: (text) => this.#listen(subscriber, text),
      leave: () => this.#subscribers.delete(subscriber),
    });
    return Promise.resolve(subscriber as unknown as PoolClient);
  }

  override async end(): Promise<void> {
    const listening = await this.#listening?.catch(() => undefined);
    this.#listening = undefined;
    await Promise.all([super.end(), listening?.end()]);
  }

  async #listen(subscriber: Subscriber, text: string): Promise<void> {
    this.#subscribers.add(subscriber);
    this.#listening ??= this.#open();
    await (await this.#listening).listen(text);
  }

  /** @throws when the database cannot be reached; the next who listens tries again. */
  #open(): Promise<Listening> {
    const client = new Client(this.#config);
    // All workers subscribe to one channel, at once: the connection is told once, and takes one statement at a time.
    const listened = new Map<string, Promise<unknown>>();
    const listen = (text: string) => {
      const asked = listened.get(text) ?? client.query(text);
      listened.set(text, asked);
      return asked;
    };
    const opened = client.connect().then(() => ({ listen, end: () => client.end() }));
    const lost = (error: Error) => {
      if (this.#listening !== opened) return;
      this.#listening = undefined;
      const subscribers = [...this.#subscribers];
      this.#subscribers.clear();
      for (const subscriber of subscribers) if (subscriber.listenerCount('error') > 0) subscriber.emit('error', error);
    };
    client.on('error', lost);
    client.on('end', () => lost(new Error('the connection that listens has ended')));
    client.on('notification', (message) => {
      for (const subscriber of [...this.#subscribers]) subscriber.emit('notification', message);
    });
    opened.catch(lost);
    return opened;
  }
}

/** The connection that listens for all. */
interface Listening {
  /** Resolves once it listens as this statement says. */
  listen(text: string): Promise<unknown>;
  end(): Promise<void>;
}

interface Ways {
  query(text: string, values?: unknown[]): Promise<unknown>;
  listen(text: string): Promise<void>;
  leave(): void;
}

/** What BullMQ takes for a client of the pool. */
class Subscriber extends EventEmitter {
  readonly #ways: Ways;

  constructor(ways: Ways) {
    super();
    this.setMaxListeners(0);
    this.#ways = ways;
  }

  async query(text: string, values?: unknown[]): Promise<unknown> {
    if (listenStatement.test(text)) return this.#ways.listen(text);
    if (nameStatement.test(text)) return undefined;
    return this.#ways.query(text, values);
  }

  release(): void {
    this.#ways.leave();
  }
}
