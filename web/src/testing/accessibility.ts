import axe, { type RunOptions } from 'axe-core';
import { expect } from 'vitest';
import { page } from 'vitest/browser';

/** The axe rules that depend on colours: only these can differ between the two schemes. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** What a person can reach: the modal dialog opened last, since the page behind it is inert and checked without it; else the page. */
function reachable(): Element {
  return [...document.querySelectorAll('[role=dialog][aria-modal=true]')].at(-1) ?? document.body;
}

/** Asserts that axe finds no accessibility violations in what a person can reach of the page as it is, or in one part of it. */
export async function expectAccessible(part: Element = reachable(), options: RunOptions = {}): Promise<void> {
  // A component stands alone: the landmarks and headings around it are the page's.
  const rules = {
    region: { enabled: false },
    'page-has-heading-one': { enabled: false },
    'landmark-one-main': { enabled: false },
  };
  // No rule that runs reads the style sheets, which axe would parse each time.
  const preload = { assets: ['media'] };
  const { violations } = await axe.run(part, { rules, preload, ...options, resultTypes: ['violations'] });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))])).toEqual([]);
}

/** As `expectAccessible`, in both colour schemes, for what is shown at one width only. Leaves the page in light colours. */
export async function expectAccessibleInBothSchemes(part?: Element): Promise<void> {
  await setScheme('dark');
  await expectAccessible(part, { runOnly: colourRules });
  await setScheme('light');
  await expectAccessible(part);
}

/**
 * As `expectAccessible`, on the desktop in light colours and on the phone in dark ones, where nothing may be wider than the
 * screen. Leaves the page as wide as the desktop, in light colours.
 */
export async function expectAccessibleAtAnyWidth(find: () => Element = reachable): Promise<void> {
  for (const [width, height, scheme] of [
    [390, 844, 'dark'],
    [1280, 900, 'light'],
  ] as const) {
    await page.viewport(width, height);
    await setScheme(scheme);
    await expectAccessible(find());
    expect(document.documentElement.scrollWidth, `width in px on a screen of ${width} px`).toBeLessThanOrEqual(width);
  }
}

async function setScheme(scheme: 'light' | 'dark'): Promise<void> {
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
  // The layout follows with the next frame.
  await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
}
