import { AxeBuilder } from '@axe-core/playwright';
import axe, { type Result, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { viewports } from '../infra/testing/browser.ts';

/** Of axe's rules those that depend on colours: all that can differ between the two schemes. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * Nothing stands in anybody's way on the page as it is: no violation of axe in either colour scheme, and nothing wider than
 * the screen. With `part`, a selector, axe looks at no more than that. Leaves the page in the light scheme.
 */
export async function expectNoObstacles(page: Page, where: string = page.url(), part?: string): Promise<void> {
  const found: unknown[] = [];
  for (const scheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' });
    const violations = await violationsOf(page, scheme === 'dark' ? { runOnly: colourRules } : {}, part);
    found.push(...violations.map(({ id, nodes }) => [scheme, id, nodes.map(({ html }) => html.slice(0, 160))]));
  }
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (wider > 0) found.push(`${wider} px wider than the screen`);
  expect(found, where).toEqual([]);
}

/**
 * What axe finds. A page without frames is asked directly, in a sixth of the time: the builder reads axe three times for every
 * look and puts the answer together in a second page, which is needed only where frames answer too.
 */
async function violationsOf(page: Page, options: RunOptions, part?: string): Promise<Result[]> {
  if (page.frames().length > 1) {
    const builder = new AxeBuilder({ page }).options(options);
    return (await (part ? builder.include(part) : builder).analyze()).violations;
  }
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const wanted = { part: part ?? null, options: { ...options, resultTypes: ['violations'] } satisfies RunOptions };
  return page.evaluate(async ({ part, options }) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(part ?? document, options);
    return violations;
  }, wanted);
}

/** As `expectNoObstacles`, on the phone and on the desktop. */
export async function expectNoObstaclesAtAnyWidth(page: Page, where: string = page.url()): Promise<void> {
  for (const [width, viewport] of Object.entries(viewports)) {
    await page.setViewportSize(viewport);
    // The layout follows with the next frame.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await expectNoObstacles(page, `${where} ${width}`);
  }
}
