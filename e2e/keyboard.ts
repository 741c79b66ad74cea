import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What a walk by keyboard found wrong: controls by the beginning of their HTML. */
export interface Walk {
  /** Their focus cannot be seen: no ring, or something lies over them. */
  readonly hidden: readonly string[];
  /** They had the focus and are no part of what was walked through. */
  readonly strayed: readonly string[];
  /** They never had the focus. */
  readonly missed: readonly string[];
}

/** A walk on which everything was well. */
export const wellWalked: Walk = { hidden: [], strayed: [], missed: [] };

const stepsMax = 300;

/** Tabs from the control that has the focus to the last of the page, or of a dialog (`within`, a selector). */
export async function tabThrough(page: Page, within = 'body'): Promise<Walk> {
  const hidden: string[] = [];
  const strayed: string[] = [];
  for (let step = 0; step < stepsMax; step += 1) {
    const seen = await page.evaluate(lookAtFocus, within);
    if (!seen) break;
    if (!seen.visible) hidden.push(seen.name);
    if (!seen.inside) strayed.push(seen.name);
    await page.keyboard.press('Tab');
  }
  return { hidden, strayed, missed: await page.evaluate(findMissed, within) };
}

/** Asserts that every control of a loaded page can be reached by keyboard, from its top, and that its focus can be seen. */
export async function expectKeyboardReachesAll(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root'));
  // Some pages put the focus into a field of theirs; the walk starts at the first control all the same.
  const first = page.locator('a[href], button, input, select, textarea').first();
  expect(await first.textContent()).toBe('Saltar al contenido');
  await first.focus();
  expect(await tabThrough(page), page.url()).toEqual(wellWalked);
}

/** In the browser. Null where the focus is on no control, or on one that had it before. */
function lookAtFocus(within: string): { name: string; visible: boolean; inside: boolean } | null {
  let control = document.activeElement;
  const inside = control?.closest(within) != null;
  // Some fields have a tree of their own.
  while (control?.shadowRoot?.activeElement) control = control.shadowRoot.activeElement;
  // The card provider's are in a frame, which keeps the focus for several stops and shows it by itself.
  if (control instanceof HTMLIFrameElement) return { name: control.name, visible: true, inside };
  if (!(control instanceof HTMLElement || control instanceof SVGElement) || control === document.body) return null;
  // Day, month and year of a date are three stops in one field.
  if (control.dataset.tabbed && !control.matches('[type=date]')) return null;
  control.dataset.tabbed = 'true';
  // Some controls lend their look to a neighbour: a switch its track, a choice its label.
  const lookalikes = [control, control.parentElement, control.nextElementSibling].filter((element) => element !== null);
  const ring = lookalikes.some((element) => {
    const style = getComputedStyle(element);
    return (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
  });
  const { left, top, width, height } = control.getBoundingClientRect();
  const tree = control.getRootNode() as Document | ShadowRoot;
  const above = tree.elementFromPoint(left + width / 2, top + height / 2);
  const bare = lookalikes.some((element) => element.contains(above));
  const visible = bare && (ring || control.matches('input, textarea, select'));
  return { name: control.outerHTML.slice(0, 120), visible, inside };
}

/** In the browser: the controls that were never looked at and should have been. */
function findMissed(within: string): string[] {
  return [...document.querySelectorAll<HTMLElement>(`${within} :is(a[href], button, input, select, textarea)`)]
    .filter(
      (control) =>
        !control.dataset.tabbed && control.tabIndex >= 0 && control.checkVisibility({ visibilityProperty: true }),
    )
    .filter((control) => !control.matches(':disabled, [inert] *, [type=radio]:not(:checked)'))
    .map((control) => control.outerHTML.slice(0, 120));
}
