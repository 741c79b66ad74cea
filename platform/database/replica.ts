import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';

/** How long a read waits for the replica to have what was committed before, in ms, and how long between two looks. */
const waitMsMax = 250;
const lookMs = 10;
/** Pause before a replica that was unreachable, too far behind or no longer a standby is used again, in ms. */
const restMs = 5_000;

/** Called with the reason when the replica is no longer used, and with null when it is used again. */
export type ReplicaListener = (reason: string | null) => void;

/**
 * A standby of the database for expensive reads. A read uses it only if it has everything committed before the read
 * began, so that no reader sees older data than before or than a push announced. Otherwise the primary is read.
 */
export class Replica {
  readonly #orm: MikroORM;
  readonly #listener: ReplicaListener;
  #restUntil = 0;

  constructor(orm: MikroORM, listener: ReplicaListener) {
    this.#orm = orm;
    this.#listener = listener;
  }

  /** The replica for one read, or null. `primary` says how far the database is. */
  async reader(primary: EntityManager): Promise<EntityManager | null> {
    if (Date.now() < this.#restUntil) return null;
    try {
      const [now] = await primary.execute<[{ lsn: string }]>('select pg_current_wal_flush_lsn()::text as lsn');
      const em = this.#orm.em.fork();
      for (const end = Date.now() + waitMsMax; ; ) {
        const [seen] = await em.execute<[{ standby: boolean; reached: boolean | null }]>(
          'select pg_is_in_recovery() as standby, pg_last_wal_replay_lsn() >= ?::pg_lsn as reached',
          [now.lsn],
        );
        if (!seen.standby) return this.rest('it is no standby');
        if (seen.reached) break;
        if (Date.now() > end) return this.rest('it is too far behind');
        await new Promise((resolve) => setTimeout(resolve, lookMs));
      }
      if (this.#restUntil > 0) this.#listener(null);
      this.#restUntil = 0;
      return em;
    } catch (error) {
      return this.rest(error instanceof Error ? error.name : 'it does not answer');
    }
  }

  /** Leaves it alone for a while. */
  rest(reason: string): null {
    if (this.#restUntil === 0) this.#listener(reason);
    this.#restUntil = Date.now() + restMs;
    return null;
  }

  close(): Promise<void> {
    return this.#orm.close(true);
  }
}
