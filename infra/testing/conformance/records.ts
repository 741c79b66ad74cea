import type { RowId } from './specification.ts';

/** Where a run of the tests keeps its coverage records. */
export const recordsFile = 'test-results/conformance.json';

/** Type of the annotation whose message names a row that the test covers. */
export const coversRow = 'covers';

/** As `coversRow`, for a row seen without the test having waited for it: another run's test may end before. */
export const sawRow = 'saw';

/** One row of the specification that a test covers in the browser. */
export interface CoverageRecord {
  readonly id: RowId;
  /** The test's file, from the root. */
  readonly file: string;
  /** The test's title. */
  readonly test: string;
  /** Seen without the test having waited for it. */
  readonly incidental: boolean;
}
