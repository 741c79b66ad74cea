import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Account, Demo } from './demo-data.ts';
import type { ScreenshotWriter } from './screenshot-writer.ts';

/** What taking a screenshot needs. */
export interface ScreenshotContext {
  readonly writer: ScreenshotWriter;
  readonly demo: Demo;
}

/** One or more pictures that are taken together, because one state leads to the next. */
export interface Screenshot {
  /** What `npm run screenshots -- part` looks for, and how its pictures' names begin. */
  readonly name: string;
  take(context: ScreenshotContext): Promise<void>;
}

/** A page of a signed-in account. */
export async function pageOf(
  { writer, demo }: ScreenshotContext,
  account: Account,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await writer.page(options);
  const { email, password } = account;
  const answer = await page.request.post(`${demo.url}/api/auth/login`, { data: { email, password } });
  if (!answer.ok()) throw new Error(`${email} cannot sign in: ${answer.status()} ${await answer.text()}`);
  const { token } = await answer.json();
  await page.addInitScript((id) => localStorage.setItem('auth_token', id), token);
  return page;
}

/** Delays the api's answers from now on, until the returned function is called. */
export async function holdAnswers(page: Page): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Session and configuration are known; the page's own data is not.
  await page.route(/\/api\/(?!auth\/me|payments\/config)/, async (route) => {
    await released;
    await route.continue().catch(() => {});
  });
  return async () => {
    release();
    await page.unrouteAll({ behavior: 'wait' });
  };
}
