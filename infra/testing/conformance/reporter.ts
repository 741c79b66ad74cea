import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { type CoverageRecord, coversRow, recordsFile, sawRow } from './records.ts';
import type { RowId } from './specification.ts';

/** Vitest reporter: writes down which rows of the specification the tests that passed are annotated with. */
export default class ConformanceReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const records = modules.flatMap((module) =>
      [...module.children.allTests('passed')].flatMap((test) => recordsOf(test, module.relativeModuleId)),
    );
    mkdirSync(dirname(recordsFile), { recursive: true });
    writeFileSync(recordsFile, JSON.stringify(records));
  }
}

const recordsOf = (test: TestCase, file: string): CoverageRecord[] =>
  test
    .annotations()
    .filter(({ type }) => type === coversRow || type === sawRow)
    .map(({ type, message }) => ({ id: message as RowId, file, test: test.fullName, incidental: type === sawRow }));
