import { appendFileSync, mkdirSync } from 'node:fs';
import { relative } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Reached, recordsFolder } from './records.ts';
import { type RowId, wordsOf } from './specification.ts';

/** Records that the running test has reached a row in the browser. Call it after the assertion that shows it. */
export function reached(...ids: RowId[]): void {
  record(ids.map((id) => ({ ...runningTest(), id })));
}

/** Waits until every word of a sentence is on the page, letter for letter, and records it. */
export async function sees(page: Page, id: RowId & `${'sentence' | 'route'} ${string}`): Promise<void> {
  for (const words of wordsOf(id)) {
    // A string would be found in any case of letters.
    const exactly = new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    await page.getByText(exactly).filter({ visible: true }).first().waitFor();
  }
  reached(id);
}

/** The test of this moment, for whoever writes down later what it reached. */
export function runningTest(): Pick<Reached, 'file' | 'test'> {
  const { currentTestName = '', testPath = '' } = expect.getState();
  return { file: relative('.', testPath), test: currentTestName };
}

/** Writes down what was reached. */
export function record(lines: readonly Reached[]): void {
  mkdirSync(recordsFolder, { recursive: true });
  appendFileSync(`${recordsFolder}/${process.pid}.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
