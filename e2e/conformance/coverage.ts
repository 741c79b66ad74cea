import { appendFileSync, mkdirSync } from 'node:fs';
import { relative } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type CoverageRecord, recordsFolder } from './records.ts';
import { type RowId, textsOf } from './specification.ts';

/** Records that the running test covers rows of the specification in the browser. Call it after the assertion that shows it. */
export function covers(...ids: RowId[]): void {
  const file = runningFile();
  record(ids.map((id) => ({ id, file })));
}

/** Waits until every text of a row is visible on the page, letter for letter, and records the row as covered. */
export async function expectText(page: Page, id: RowId & `${'message' | 'route'} ${string}`): Promise<void> {
  for (const text of textsOf(id)) {
    // With a string, getByText would ignore case.
    const exactly = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    await page.getByText(exactly).filter({ visible: true }).first().waitFor();
  }
  covers(id);
}

/** The file of the running test, from the root. */
export function runningFile(): string {
  return relative('.', expect.getState().testPath ?? '');
}

/** Appends coverage records to the run's. */
export function record(lines: readonly CoverageRecord[]): void {
  mkdirSync(recordsFolder, { recursive: true });
  appendFileSync(`${recordsFolder}/${process.pid}.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
