import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterEach, test } from 'vitest';
import { root } from '../places.ts';
import { chromiumLaunchOptions } from './chromium.ts';

/** Generous: on a busy machine a whole product and two browsers share two cores. */
const actionMsMax = 20_000;
const ownHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A Chromium of the caller, who closes it; `debuggingPort` lets other programs drive it too. Tests use `useBrowser`. */
export async function launchBrowser(debuggingPort?: number): Promise<Browser> {
  const { args, ...options } = await chromiumLaunchOptions();
  const debugging = debuggingPort ? [`--remote-debugging-port=${debuggingPort}`] : [];
  return chromium.launch({ ...options, args: [...args, ...debugging] });
}

export interface PageOptions extends BrowserContextOptions {
  /** Complaints of the browser that belong to the test, such as the 402 of a declined card or a connection that is cut. */
  expectedErrors?: RegExp[];
}

/** Sizes the product is designed for. */
export const viewports = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 900 },
};

interface Watched {
  page: Page;
  complaints: string[];
}

/** Vitest keeps the browser for as long as the process that runs test files one after another, and closes it then. */
const keep = () =>
  test.extend(
    'browser',
    { scope: 'worker' },
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads here what else it needs, which is nothing.
    async ({}, { onCleanup }) => {
      const browser = await launchBrowser();
      onCleanup(() => browser.close());
      return browser;
    },
  );
/** Made when a test file asks: outside of tests, where `launchBrowser` is used too, Vitest has nothing to extend. */
let keeping: ReturnType<typeof keep> | undefined;

/**
 * A browser for a test file; call it at its top level. Every page is a person of its own (own cookies). A test fails
 * when one of its pages logs an error or a warning, throws, gets no answer or a failure to a request, or asks a foreign host
 * for anything (such requests are cut off); what a test means to happen it names in `expectedErrors`.
 */
export function useBrowser(): { newPage: (options?: PageOptions) => Promise<Page> } {
  let browser: Browser;
  let watched: Watched[] = [];

  keeping ??= keep();
  keeping.beforeAll(({ browser: kept }) => {
    browser = kept;
  }, 60_000);

  afterEach(async ({ task }) => {
    const complaints = watched.flatMap((entry) => entry.complaints);
    const failed = complaints.length > 0 || task.result?.state === 'fail';
    const open = watched;
    watched = [];
    for (const [index, { page }] of open.entries()) {
      if (failed) await screenshot(page, `${task.name}-${index + 1}`);
      await page.context().close();
    }
    if (complaints.length > 0) throw new Error(`The browser complained:\n${complaints.join('\n')}`);
  });

  return {
    newPage: async ({ expectedErrors = [], ...options } = {}) => {
      // Without motion nothing is drawn that nobody looks at, and what is pressed next is there at once.
      const still = { viewport: viewports.desktop, locale: 'es-BO', reducedMotion: 'reduce' } as const;
      const context = await browser.newContext({ ...still, ...options });
      context.setDefaultTimeout(actionMsMax);
      const page = await context.newPage();
      const entry: Watched = { page, complaints: [] };
      watched.push(entry);
      watch(entry, expectedErrors);
      return page;
    },
  };
}

function watch({ page, complaints }: Watched, expectedErrors: RegExp[]) {
  const complain = (text: string) => {
    if (!expectedErrors.some((expected) => expected.test(text))) complaints.push(text);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      complain(`console: ${message.text()} (${message.location().url})`);
    }
  });
  page.context().on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && !ownHosts.has(hostname)) complain(`foreign host: ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // A page that is left, or that asks for something newer, gives up what it was waiting for.
    if (reason !== 'net::ERR_ABORTED') complain(`Failed to load resource: ${reason} (${request.url()})`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400)
      complain(`Failed to load resource: status of ${response.status()} (${response.url()})`);
  });
  page.on('pageerror', (error) => complain(`uncaught: ${error.message}`));
}

/** For whoever looks into the failure. */
async function screenshot(page: Page, name: string) {
  const folder = join(root, 'test-results');
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 100)}.png`);
  await page.screenshot({ path, fullPage: true }).catch(() => {});
  console.error(`Screenshot: ${path}`);
}
