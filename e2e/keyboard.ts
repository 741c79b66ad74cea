import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findMissed, lookAtFocus, type Walk, walk, wellWalked } from '../web/src/testing/focus-walk.ts';

/** Tabs from the control that has the focus to the last of the page, or of a dialog (`within`, a selector). */
export function tabThrough(page: Page, within = 'body'): Promise<Walk> {
  return walk(
    () => page.evaluate(lookAtFocus, within),
    () => page.keyboard.press('Tab'),
    () => page.evaluate(findMissed, within),
  );
}

/** Asserts that every control of a loaded page can be reached by keyboard, from its top, and that its focus can be seen. */
export async function expectKeyboardReachesAll(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root'));
  // Those of an earlier walk, through another state of the page.
  await page.evaluate(() => {
    for (const control of document.querySelectorAll<HTMLElement>('[data-tabbed]')) delete control.dataset.tabbed;
  });
  // Some pages focus a field on load; start at the first control regardless.
  const first = page.locator('a[href], button, input, select, textarea').first();
  expect(await first.textContent()).toBe('Saltar al contenido');
  await first.focus();
  expect(await tabThrough(page), page.url()).toEqual(wellWalked);
}
