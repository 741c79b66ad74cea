import type { JobContext } from '#domain/jobs/job-context';
import type { Database, EntityManager } from '#platform/database/database';

/**
 * Where a process dies: at its n-th commit or outside call (from 0), or at the first of that name, before it happened or after it, with
 * its answer lost.
 */
export interface CrashPoint {
  readonly at: number | string;
  readonly moment: 'before' | 'after';
}

/** What a call gets from a process that has died. */
export class Crash extends Error {}

/** Methods of an entity manager that write outside of a transaction, each with a separate commit. */
const writes = new Set(['nativeUpdate', 'nativeDelete', 'nativeInsert', 'upsert', 'upsertMany', 'insertMany', 'flush']);

/** A process that dies at a crash point, or only counts its points if none is given. */
export class CrashingProcess {
  /** Names of the commits and outside calls so far, such as `commit` or `stripe.paymentIntents.capture`. */
  readonly passed: string[] = [];
  readonly context: JobContext;
  readonly #point: CrashPoint | undefined;
  #dead = false;

  constructor(context: JobContext, point?: CrashPoint) {
    this.#point = point;
    this.context = {
      ...context,
      database: this.#watchDatabase(context.database),
      stripe: this.#watchCalls(context.stripe, 'stripe'),
      bank: this.#watchCalls(context.bank, 'bank'),
    };
  }

  get dead(): boolean {
    return this.#dead;
  }

  async #pass<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
    if (this.#dead) throw new Crash('the process is dead');
    const index = this.passed.push(name) - 1;
    const point = this.#point;
    if (!point || (point.at !== index && point.at !== name)) return act();
    if (point.moment === 'after') await act();
    this.#dead = true;
    throw new Crash(`died ${point.moment} ${name}`);
  }

  /** A process that dies within a transaction does not commit it. */
  async #unlessDead<Result>(work: Promise<Result>): Promise<Result> {
    const result = await work;
    if (this.#dead) throw new Crash('the process is dead');
    return result;
  }

  #watchDatabase(database: Database): Database {
    return new Proxy(database, {
      get: (target, key) => {
        if (key === 'transaction')
          return (work: (em: EntityManager) => Promise<unknown>) =>
            this.#pass('commit', () => target.transaction((em) => this.#unlessDead(work(em))));
        if (key === 'statement')
          return (work: (em: EntityManager) => Promise<unknown>) => this.#pass('commit', () => target.statement(work));
        if (key === 'fork') return () => this.#watchWrites(target.fork());
        return boundTo(target, key);
      },
    });
  }

  #watchWrites(em: EntityManager): EntityManager {
    return new Proxy(em, {
      get: (target, key) => {
        const member = boundTo(target, key);
        if (typeof member !== 'function' || !writes.has(String(key))) return member;
        return (...args: unknown[]) => this.#pass('commit', () => member(...args));
      },
    });
  }

  /** Every method of `client` and of the objects in it is a call to the outside. */
  #watchCalls<Client extends object>(client: Client, path: string): Client {
    return new Proxy(client, {
      get: (target, key) => {
        const member = boundTo(target, key);
        const name = `${path}.${String(key)}`;
        if (typeof member === 'function') return (...args: unknown[]) => this.#pass(name, () => member(...args));
        return typeof member === 'object' && member !== null ? this.#watchCalls(member, name) : member;
      },
    });
  }
}

/** A member of an object whose private fields a proxy does not have. */
function boundTo(target: object, key: string | symbol) {
  const member = Reflect.get(target, key);
  return typeof member === 'function' ? member.bind(target) : member;
}
