import type { Page } from 'playwright-core';

/** A toast as a page showed it; times in ms of the page's own clock. */
export interface SeenToast {
  readonly text: string;
  readonly shownAt: number;
  /** Null while it is visible. */
  readonly goneAt: number | null;
}

/** What was recorded since the page was opened. */
export interface Seen {
  readonly toasts: readonly SeenToast[];
  /** Every address it navigated to without a reload. */
  readonly moves: readonly { readonly path: string; readonly at: number }[];
}

/** Longest transition of a toast, and a step of the clock; in ms. */
const slackMs = 900;
const stepMs = 100;
/** More than the clock can advance while it is being stopped, and less than the timeouts of requests and the live connection. */
const aheadMs = 20_000;

/**
 * Gives a page with `ownContext` a clock that tests control, and records when toasts appear and disappear. Call it before the
 * page is opened.
 * @returns what was recorded so far.
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

/** Stops the page's clock: from here on only `pass` and `passUntil` advance it, so that a busy machine does not count as time. */
export async function freeze(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + aheadMs);
}

/** Advances a frozen clock, in steps between which the page can render. */
export async function pass(page: Page, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await page.clock.runFor(stepMs);
    await rendered(page);
  }
}

/** Advances a frozen clock by as little as possible until a condition holds, for what also waits for the network. */
export async function passUntil(page: Page, so: () => Promise<boolean>): Promise<void> {
  while (!(await so())) {
    await page.clock.runFor(1);
    await rendered(page);
  }
}

/** React renders in messages that the page posts to itself: a message posted now arrives after those. */
async function rendered(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        port2.postMessage(null);
      }),
  );
}

/** Whether a measured time is `ms`, give or take the transitions. */
export function lastsAbout(ms: number, measured: number): boolean {
  return measured >= ms - stepMs && measured <= ms + slackMs;
}
