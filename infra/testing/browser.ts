import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterEach, test } from 'vitest';
import { root } from '../paths.ts';
import { chromiumLaunchOptions } from './chromium.ts';

/** Long, because on a busy machine a whole product and two browsers share two cores. */
const actionMsMax = 20_000;
const ownHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A Chromium of the caller, who closes it; `debuggingPort` lets other programs drive it too. Tests use `useBrowser`. */
export async function launchBrowser(debuggingPort?: number): Promise<Browser> {
  const { args, ...options } = await chromiumLaunchOptions();
  const debugging = debuggingPort ? [`--remote-debugging-port=${debuggingPort}`] : [];
  return chromium.launch({ ...options, args: [...args, ...debugging] });
}

export interface PageOptions extends Pick<BrowserContextOptions, 'storageState'> {
  viewport?: { width: number; height: number };
  /** A context that no other test had or will have: needed to set a page's clock, which stays with its context. */
  ownContext?: true;
  /** The browser's locale instead of Spanish; only with a separate context. */
  locale?: string;
  /** Errors of the browser that belong to the test, such as the 402 of a declined card or a connection that is cut. */
  expectedErrors?: RegExp[];
}

/** Sizes the product is designed for. */
export const viewports = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 900 },
};

interface Watched {
  page: Page;
  errors: string[];
  ownContext: boolean;
}

/**
 * Vitest keeps the browser for as long as the process that runs test files one after another, and closes it then. With it
 * are kept the contexts of finished tests: in a context whose HTTP cache is filled a page costs half as much.
 */
const keep = () =>
  test.extend(
    'browser',
    { scope: 'worker' },
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads here which other fixtures it needs: none.
    async ({}, { onCleanup }) => {
      const browser = await launchBrowser();
      onCleanup(() => browser.close());
      return { browser, idle: [] as BrowserContext[] };
    },
  );
/** Made at the first use: outside of tests, where `launchBrowser` is used too, Vitest throws here. */
let keeping: ReturnType<typeof keep> | undefined;

/**
 * A browser for a test file; call it at its top level. Every page has separate cookies and storage. A test fails when
 * one of its pages logs an error or a warning, throws, gets no answer or a failure to a request, or asks a foreign host
 * for anything (such requests fail). Errors that belong to the test are listed in `expectedErrors`.
 */
export function useBrowser(): { newPage: (options?: PageOptions) => Promise<Page> } {
  let kept: { browser: Browser; idle: BrowserContext[] };
  let watched: Watched[] = [];

  keeping ??= keep();
  keeping.beforeAll(({ browser }) => {
    kept = browser;
  }, 60_000);

  afterEach(async ({ task }) => {
    const errors = watched.flatMap((entry) => entry.errors);
    const failed = errors.length > 0 || task.result?.state === 'fail';
    const open = watched;
    watched = [];
    for (const [index, { page, ownContext }] of open.entries()) {
      if (failed) await screenshot(page, `${task.name}-${index + 1}`);
      const context = page.context();
      if (ownContext || failed) await context.close();
      else if (await empty(context)) kept.idle.push(context);
    }
    if (errors.length > 0) throw new Error(`The browser reported errors:\n${errors.join('\n')}`);
  });

  return {
    newPage: async ({
      expectedErrors = [],
      viewport = viewports.desktop,
      storageState,
      ownContext = false,
      locale,
    } = {}) => {
      const used = ownContext ? undefined : kept.idle.pop();
      const context = used ?? (await openContext(kept.browser, ownContext, locale));
      if (used || storageState) await context.setStorageState(storageState ?? { cookies: [], origins: [] });
      const page = await context.newPage();
      if (viewport !== viewports.desktop) await page.setViewportSize(viewport);
      const entry: Watched = { page, errors: [], ownContext };
      watched.push(entry);
      watch(entry, expectedErrors);
      return page;
    },
  };
}

async function openContext(browser: Browser, ownContext: boolean, locale = 'es-BO'): Promise<BrowserContext> {
  // Without animations an element can be clicked as soon as it exists.
  const context = await browser.newContext({
    viewport: viewports.desktop,
    locale,
    // As no person's: what a page makes of the zone is the same on every machine.
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(actionMsMax);
  if (!ownContext) {
    for (const method of ['install', 'setFixedTime', 'setSystemTime'] as const) {
      context.clock[method] = () => Promise.reject(new Error('Open a page whose clock is set with `ownContext`.'));
    }
  }
  return context;
}

/** Makes a context ready for another test; false when the test has closed it. */
async function empty(context: BrowserContext): Promise<boolean> {
  try {
    for (const page of context.pages()) await page.close();
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    return true;
  } catch {
    return false;
  }
}

function watch({ page, errors }: Watched, expectedErrors: RegExp[]) {
  const report = (text: string) => {
    if (!expectedErrors.some((expected) => expected.test(text))) errors.push(text);
  };
  page.on('console', (message) => {
    // Chromium looks three seconds after the load event; the router may be loading the styles of the next page just then.
    if (/\.css#? was preloaded using link preload but not used/.test(message.text())) return;
    if (message.type() === 'error' || message.type() === 'warning') {
      report(`console: ${message.text()} (${message.location().url})`);
    }
  });
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && !ownHosts.has(hostname)) report(`foreign host: ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // A page that is left, or that asks again, cancels its earlier requests.
    if (reason !== 'net::ERR_ABORTED') report(`Failed to load resource: ${reason} (${request.url()})`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) report(`Failed to load resource: status of ${response.status()} (${response.url()})`);
  });
  page.on('pageerror', (error) => report(`uncaught: ${error.message}`));
}

/** Helps to find the cause of a failure. */
async function screenshot(page: Page, name: string) {
  const folder = join(root, 'test-results');
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 100)}.png`);
  await page.screenshot({ path, fullPage: true }).catch(() => {});
  console.error(`Screenshot: ${path}`);
}
