import axe from 'axe-core';
import { expect } from 'vitest';

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
