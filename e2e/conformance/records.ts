/** Where the records of a run lie, one file per process. */
export const recordsFolder = 'test-results/conformance';
