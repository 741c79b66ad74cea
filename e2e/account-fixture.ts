import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type PageOptions, useBrowser } from '../infra/testing/browser.ts';
import { signUp } from './api-client.ts';
import { useApp } from './test-app.ts';
import type { SeenToast } from './toasts.ts';

export const password = 'una-clave-larga';

/** What the tests of accounts share. Call it at a file's top level. */
export function useAccountFixture() {
  const browser = useBrowser();
  const app = useApp();

  /** A page at an address of the product. */
  async function open(path: string, options: PageOptions = {}): Promise<Page> {
    const page = await browser.newPage(options);
    await page.goto(`${app.url()}${path}`);
    return page;
  }

  async function account(): Promise<string> {
    const client = await signUp(app.url);
    return (await client.request('GET', '/api/auth/me')).body.user.email;
  }

  return { browser, app, open, account };
}

export const refusal = (status: number) => ({ expectedErrors: [new RegExp(`status of ${status}`)] });

/** Delays a call until the returned function is called. */
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

/** How long the only toast with this text was visible, in ms. */
export function lastingOf(toasts: readonly SeenToast[], words: string): number {
  const [toast, ...more] = toasts.filter(({ text }) => text.includes(words));
  expect(more).toEqual([]);
  return (toast?.goneAt ?? Number.POSITIVE_INFINITY) - (toast?.shownAt ?? 0);
}
