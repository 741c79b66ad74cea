import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Camera } from './camera.ts';
import type { Account, Demo } from './demo.ts';

/** What a scene works with. */
export interface Stage {
  readonly camera: Camera;
  readonly demo: Demo;
}

/** One or more pictures that belong together, because one state leads to the next. */
export interface Scene {
  /** What `npm run screenshots -- part` looks for, and how its pictures' names begin. */
  readonly name: string;
  play(stage: Stage): Promise<void>;
}

/** A page of somebody who is signed in. */
export async function pageOf(
  { camera, demo }: Stage,
  account: Account,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await camera.page(options);
  const { email, password } = account;
  const answer = await page.request.post(`${demo.url}/api/auth/login`, { data: { email, password } });
  if (!answer.ok()) throw new Error(`${email} cannot sign in: ${answer.status()} ${await answer.text()}`);
  const { token } = await answer.json();
  await page.addInitScript((id) => localStorage.setItem('auth_token', id), token);
  return page;
}

/** Answers to the calls of the product are kept back from now on, until the given function lets them go. */
export async function holdAnswers(page: Page): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Who is signed in is known; what the page shows is not.
  await page.route(/\/api\/(?!auth\/me|payments\/config)/, async (route) => {
    await released;
    await route.continue().catch(() => {});
  });
  return async () => {
    release();
    await page.unrouteAll({ behavior: 'wait' });
  };
}
