import type { Page } from 'playwright-core';

/** A toast as a page had it; times in ms by the page's own clock. */
export interface SeenToast {
  readonly text: string;
  readonly shownAt: number;
  /** Null: it is still there. */
  readonly goneAt: number | null;
}

/** What a page has written down since it was opened. */
export interface Seen {
  readonly toasts: readonly SeenToast[];
  /** Every address it went to without being loaded anew. */
  readonly moves: readonly { readonly path: string; readonly at: number }[];
}

/** How long a toast takes to come in or go out, and a step of the clock; in ms. */
const slackMs = 900;
const stepMs = 100;
/** Further ahead than the clock can run while it is being stopped, and too short for a live connection to give up. */
const aheadMs = 30_000;

/**
 * Gives a page a clock that can be stopped and turned, and writes down when toasts come and go. Call it before the page is opened.
 * @returns what was seen so far.
 */
export async function watchToasts(page: Page): Promise<() => Promise<Seen>> {
  await page.clock.install();
  await page.addInitScript(() => {
    const toasts: { node: Element; text: string; shownAt: number; goneAt: number | null }[] = [];
    const moves: { path: string; at: number }[] = [];
    Object.assign(window, { seen: { toasts, moves } });
    new MutationObserver(() => {
      const there = [...document.querySelectorAll('.mantine-Notification-root')];
      for (const node of there) {
        const known = toasts.some((toast) => toast.node === node);
        if (!known) toasts.push({ node, text: node.textContent ?? '', shownAt: Date.now(), goneAt: null });
      }
      for (const toast of toasts) if (!there.includes(toast.node)) toast.goneAt ??= Date.now();
    }).observe(document, { childList: true, subtree: true });
    for (const method of ['pushState', 'replaceState'] as const) {
      const original = history[method].bind(history);
      history[method] = (...args: Parameters<History['pushState']>) => {
        original(...args);
        moves.push({ path: window.location.pathname + window.location.search, at: Date.now() });
      };
    }
  });
  return () =>
    page.evaluate(() => {
      const { toasts, moves } = (window as unknown as { seen: Seen }).seen;
      return { toasts: toasts.map(({ text, shownAt, goneAt }) => ({ text, shownAt, goneAt })), moves };
    });
}

/** Stops the page's clock: from here on only `pass` and `passUntil` turn it, so a busy machine does not count as time. */
export async function freeze(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + aheadMs);
}

/** Turns a frozen clock, in steps between which the page can draw. */
export async function pass(page: Page, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await page.clock.runFor(stepMs);
    await drawn(page);
  }
}

/** Turns a frozen clock by as little as can be until something is so, for what also waits for the network. */
export async function passUntil(page: Page, so: () => Promise<boolean>): Promise<void> {
  while (!(await so())) {
    await page.clock.runFor(1);
    await drawn(page);
  }
}

/** React draws in messages that the page sends itself: one sent now comes after those. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        port2.postMessage(null);
      }),
  );
}

/** Whether a measured time is `ms`, give or take coming in and going out. */
export function lastsAbout(ms: number, measured: number): boolean {
  return measured >= ms - stepMs && measured <= ms + slackMs;
}
