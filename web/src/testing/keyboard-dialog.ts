import { expect } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { expectAccessibleAtAnyWidth, expectAccessibleInBothSchemes } from './accessibility.ts';
import { findMissed, lookAtFocus, walk, wellWalked } from './focus-walk.ts';

interface Options {
  /** What it is for a screen reader, if not a dialog; in a menu the arrow keys choose. */
  readonly role?: 'dialog' | 'menu';
  /** It replaces another dialog, which comes back when it closes. */
  readonly replaces?: true;
  /** It stands above another dialog, which stays open: the selector of its own element. */
  readonly above?: string;
  /** At the other width nothing opens it. */
  readonly onlyHere?: true;
  /** Waits until it shows everything. */
  readonly ready?: () => Promise<unknown>;
}

/**
 * Asserts that something that opens over the page is opened by keyboard from `opener`, keeps the focus, leads to every control
 * of its own, closes and gives the focus back; then that it has no accessibility violations, and leaves it open.
 * @param _file where it is written, under web/src: ui/dialogs.test.ts counts these
 */
export async function expectKeyboardDialog(
  _file: string,
  opener: Locator,
  { role = 'dialog', replaces, above, onlyHere, ready }: Options = {},
): Promise<void> {
  const selector = above ?? `[role=${role}]`;
  const find = () => [...document.querySelectorAll(selector)].findLast((element) => element.checkVisibility());
  const holdsFocus = () => document.activeElement?.closest(selector) != null;
  const open = async () => {
    await expect.element(opener).toBeEnabled();
    if (replaces) {
      // The dialog that has the opener may have just opened.
      await expect.poll(holdsFocus).toBe(true);
      await effectsAndTimers();
    }
    (opener.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    if (replaces) await expect.element(opener).not.toBeInTheDocument();
    await expect.poll(find).toBeDefined();
    await ready?.();
    await expect.poll(holdsFocus).toBe(true);
    await effectsAndTimers();
  };
  await open();
  if (role === 'menu') {
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement?.getAttribute('role')).toBe('menuitem');
  } else {
    for (const control of document.querySelectorAll<HTMLElement>('[data-tabbed]')) delete control.dataset.tabbed;
    const next = () => userEvent.tab();
    expect(
      await walk(
        () => lookAtFocus(selector),
        next,
        () => findMissed(selector),
      ),
    ).toEqual(wellWalked);
  }
  await userEvent.keyboard('{Escape}');
  if (replaces) {
    await expect.element(opener).toBeVisible();
    await expect.poll(holdsFocus).toBe(true);
  } else {
    await expect.poll(find).toBeUndefined();
    await expect.element(opener).toHaveFocus();
  }
  await open();
  const element = () => find() ?? document.body;
  await (onlyHere ? expectAccessibleInBothSchemes(element()) : expectAccessibleAtAnyWidth(element));
}

/**
 * Mantine's focus trap focuses the first control twice: a timer after it is mounted, and again a timer after its effect. The second
 * one would take the focus back from a walk that has begun, which then looks as if it had come to its end.
 */
function effectsAndTimers(): Promise<void> {
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
}

/** Presses a button twice before it can show that it is busy, as an impatient thumb does on a busy phone. */
export function pressTwice(testid: string): void {
  const button = page.getByTestId(testid).element() as HTMLButtonElement;
  button.click();
  button.click();
}
