import type { EntityManager } from '#platform/database/database';

/** Parameters of the generated data: the same seed and time give the same rows, except for encrypted values. */
export interface Making {
  readonly seed: number;
  readonly transfers: number;
  /** How many of these transfers belong to one sender. */
  readonly ofOne: number;
  readonly senders: number;
  readonly observations: number;
  /** The days before `until` over which transfers and observations are spread. */
  readonly days: number;
  readonly until: Date;
  /** Has the keys of personal data. */
  readonly em: EntityManager;
}
