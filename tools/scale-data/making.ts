import type { EntityManager } from '#platform/database/database';

/** What is made, and from what everything follows: the same seed and moment make the same rows, but for what is encrypted. */
export interface Making {
  readonly seed: number;
  readonly transfers: number;
  /** Of these transfers, those of one sender. */
  readonly ofOne: number;
  readonly senders: number;
  readonly observations: number;
  /** The days before `until` that transfers and observations are spread over. */
  readonly days: number;
  readonly until: Date;
  /** With the keys of personal data. */
  readonly em: EntityManager;
}
