import axe from 'axe-core';
import { expect } from 'vitest';
import { page } from 'vitest/browser';

/** Asserts that axe finds no accessibility violations in the page as it is, dialogs included. */
export async function expectAccessible(): Promise<void> {
  // A component stands alone: the landmarks and headings around it are the page's.
  const rules = {
    region: { enabled: false },
    'page-has-heading-one': { enabled: false },
    'landmark-one-main': { enabled: false },
  };
  const { violations } = await axe.run(document.body, { rules, resultTypes: ['violations'] });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))])).toEqual([]);
}

const schemeAttribute = 'data-mantine-color-scheme';

/**
 * As `expectAccessible`, on the desktop in light colours and on the phone in dark ones, where nothing may be wider than the
 * screen. Leaves the page as wide as the desktop, in light colours.
 */
export async function expectAccessibleAtAnyWidth(): Promise<void> {
  const root = document.documentElement;
  for (const [width, height, scheme] of [
    [390, 844, 'dark'],
    [1280, 900, 'light'],
  ] as const) {
    await page.viewport(width, height);
    root.setAttribute(schemeAttribute, scheme);
    // The layout follows with the next frame.
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
    await expectAccessible();
    expect(root.scrollWidth, `width in px on a screen of ${width} px`).toBeLessThanOrEqual(width);
  }
}
