import type { RowId } from './specification.ts';

/** Where a run keeps its coverage records, one file per process. */
export const recordsFolder = 'test-results/conformance';

/** One row of the specification that a test covers in the browser. */
export interface CoverageRecord {
  readonly id: RowId;
  /** The test's file, from the root. */
  readonly file: string;
  /** Seen without the test having waited for it; in another run the test may end before the answer. */
  readonly incidental?: true;
}
