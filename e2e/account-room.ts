import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type PageOptions, useBrowser } from '../infra/testing/browser.ts';
import { signUp } from './caller.ts';
import { useHouse } from './house.ts';
import type { SeenToast } from './toasts.ts';

export const password = 'una-clave-larga';

/** What the tests of accounts share. Call it at a file's top level. */
export function useAccountRoom() {
  const browser = useBrowser();
  const house = useHouse();

  /** A page at one of ours, with a refusal of the server expected where the test wants one. */
  async function open(path: string, options: PageOptions = {}): Promise<Page> {
    const page = await browser.newPage(options);
    await page.goto(`${house.url()}${path}`);
    return page;
  }

  async function account(): Promise<string> {
    const caller = await signUp(house.url);
    return (await caller.request('GET', '/api/auth/me')).body.user.email;
  }

  return { browser, house, open, account };
}

export const refusal = (status: number) => ({ expectedErrors: [new RegExp(`status of ${status}`)] });

/** Holds a call's answer back until it is let go. */
export async function hold(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${path}`, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

export async function fillLogin(page: Page, email: string, secret = password) {
  await page.getByTestId('login-email').fill(email);
  await page.getByTestId('login-password').fill(secret);
}

export async function fillSignup(page: Page, email: string) {
  await page.getByTestId('signup-name').fill('Carmen Rojas');
  await page.getByTestId('signup-email').fill(email);
  await page.getByTestId('signup-password').fill(password);
  await page.getByTestId('signup-confirm').fill(password);
}

export const stored = (page: Page) =>
  page.evaluate(() => ['auth_token', 'user_data'].map((name) => window.localStorage.getItem(name)));
export const sessionCookie = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === 'chasqui_session');
export const live = (page: Page) =>
  page.locator('[data-testid=live-status][data-state=connected]').waitFor({ state: 'attached' });

/** The one toast with these words, and how long it was there (ms). */
export function lastingOf(toasts: readonly SeenToast[], words: string): number {
  const [toast, ...more] = toasts.filter(({ text }) => text.includes(words));
  expect(more).toEqual([]);
  return (toast?.goneAt ?? Number.POSITIVE_INFINITY) - (toast?.shownAt ?? 0);
}
