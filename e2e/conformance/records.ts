import type { RowId } from './specification.ts';

/** Where the records of a run lie, one file per process. */
export const recordsFolder = 'test-results/conformance';

/** A row that a test reached in the browser. */
export interface Reached {
  readonly id: RowId;
  /** The test's file, from the root. */
  readonly file: string;
  /** Its name with those of the groups around it. */
  readonly test: string;
  /** Seen passing by, without a test having waited for it: it may be over before the answer another time. */
  readonly byTheWay?: true;
}
