import { TestRunner } from 'vitest';
import { coversRow, sawRow } from './records.ts';
import type { RowId } from './specification.ts';

/**
 * Annotates the running test with rows of the specification that it covers in the browser. Call it after the assertion that
 * shows it. Works in Node and in the browser.
 * @throws outside of a test, in a hook of the file for example
 */
export function covers(...ids: RowId[]): void {
  const test = TestRunner.getCurrentTest();
  if (!test) throw new Error(`no test is running that could cover ${ids.join(', ')}`);
  // Vitest itself waits for annotations that are not awaited.
  for (const id of ids) void test.context.annotate(id, coversRow);
}

/** Annotates the running test, if there is one, with a row that it did not wait for. */
export function saw(id: RowId): void {
  const test = TestRunner.getCurrentTest();
  if (!test || (test.result && test.result.state !== 'run')) return;
  void test.context.annotate(id, sawRow);
}
