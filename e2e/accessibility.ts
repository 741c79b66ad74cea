import axe, { type Result, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { viewports } from '../infra/testing/browser.ts';

/**
 * Asserts that the current page has no accessibility violations (axe) and does not overflow the screen, on phone and
 * desktop: each width once, and each colour scheme at one of them. The widths differ in structure, the schemes in
 * colours. With `part`, a selector, axe checks only that part. Leaves the page at desktop width in the light scheme.
 */
export async function expectAccessibleAtAnyWidth(
  page: Page,
  where: string = page.url(),
  { part }: { part?: string } = {},
): Promise<void> {
  const found: unknown[] = [];
  for (const [viewport, scheme] of [
    [viewports.phone, 'dark'],
    [viewports.desktop, 'light'],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' });
    // The layout follows with the next frame.
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
    const violations = await violationsOf(page, part);
    const described = violations.map(({ id, nodes }) => [
      scheme,
      id,
      nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary ?? ''}`),
    ]);
    found.push(...described, ...(await overflowOf(page)));
  }
  expect(found, where).toEqual([]);
}

/** What a document adds to the parts that component tests check: its language, title, landmarks and headings. */
const documentRules = [
  ...['html-has-lang', 'html-lang-valid', 'document-title', 'meta-viewport', 'bypass', 'skip-link', 'region'],
  ...['page-has-heading-one', 'heading-order', 'landmark-one-main', 'landmark-unique', 'landmark-main-is-top-level'],
  ...['landmark-banner-is-top-level', 'landmark-contentinfo-is-top-level', 'landmark-no-duplicate-main'],
  ...['landmark-no-duplicate-banner', 'landmark-no-duplicate-contentinfo', 'duplicate-id-aria'],
];

/** Asserts that axe finds no violations in the document's structure; component tests check the content. */
export async function expectWellStructured(page: Page): Promise<void> {
  const violations = await violationsOf(page, undefined, documentRules);
  expect(
    violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))]),
    page.url(),
  ).toEqual([]);
}

async function overflowOf(page: Page): Promise<string[]> {
  const [overflow, width] = await page.evaluate(() => [
    document.documentElement.scrollWidth - window.innerWidth,
    window.innerWidth,
  ]);
  return overflow && overflow > 0 ? [`${overflow} px wider than the screen of ${width} px`] : [];
}

/** What axe finds in the page itself: the provider's frames are not ours (the simulator's have tests of their own). */
async function violationsOf(page: Page, part?: string, rules?: string[]): Promise<Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const wanted = {
    part: part ?? null,
    options: {
      iframes: false,
      resultTypes: ['violations'],
      ...(rules && { runOnly: rules }),
    } satisfies RunOptions,
  };
  return page.evaluate(async ({ part, options }) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(part ?? document, options);
    return violations;
  }, wanted);
}
