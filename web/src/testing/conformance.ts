import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { covers } from '../../../infra/testing/conformance/coverage.ts';
import { type RowId, textsOf } from '../../../infra/testing/conformance/specification.ts';

export { covers };

/** Waits until every text of a row is visible on the page, letter for letter, and records the row as covered. */
export async function expectText(id: RowId & `${'message' | 'route'} ${string}`): Promise<void> {
  for (const text of textsOf(id)) {
    // With a string, getByText would ignore case.
    const exactly = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    await expect.element(page.getByText(exactly).first()).toBeVisible();
  }
  covers(id);
}
