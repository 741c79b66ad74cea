import { appendFileSync, mkdirSync } from 'node:fs';
import { relative } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { recordsFolder } from './records.ts';
import { type RowId, wordsOf } from './specification.ts';

/** Records that the running test has reached a row in the browser. Call it after the assertion that shows it. */
export function reached(...ids: RowId[]): void {
  const { currentTestName = '', testPath = '' } = expect.getState();
  mkdirSync(recordsFolder, { recursive: true });
  const lines = ids.map((id) => JSON.stringify({ id, file: relative('.', testPath), test: currentTestName }));
  appendFileSync(`${recordsFolder}/${process.pid}.jsonl`, `${lines.join('\n')}\n`);
}

/** Waits until every word of a sentence is on the page, and records it. */
export async function sees(page: Page, id: RowId & `${'sentence' | 'route'} ${string}`): Promise<void> {
  for (const words of wordsOf(id)) await page.getByText(words).first().waitFor();
  reached(id);
}
