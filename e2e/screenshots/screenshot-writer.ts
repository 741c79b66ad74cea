import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Locale } from '#core/locale/locale';
import { viewports } from '../../infra/testing/browser.ts';
import { publicPathIn } from '../../web/src/lib/paths.ts';

const widths = { 390: viewports.phone, 1280: viewports.desktop } as const;
const schemes = ['light', 'dark'] as const;
const actionMsMax = 30_000;

export interface CaptureOptions {
  /** Captures the viewport without scrolling, for dialogs and menus; otherwise the whole page. */
  readonly viewportOnly?: boolean;
  /** Captures this width only, for content that the other one lacks. */
  readonly only?: keyof typeof widths;
  /** Captures the light scheme only, for a page that no longer follows a change of it. */
  readonly lightOnly?: boolean;
  /** Scrolled into view first; only with `viewportOnly`. */
  readonly at?: Locator;
}

/** Opens pages and writes screenshots of them. */
export class ScreenshotWriter {
  readonly #browser: Browser;
  readonly #folder: string;
  readonly #language: Locale;
  taken = 0;

  private constructor(browser: Browser, folder: string, language: Locale) {
    this.#browser = browser;
    this.#folder = folder;
    this.#language = language;
  }

  /** `language` is the one that the browser asks for. */
  static async open(browser: Browser, folder: string, language: Locale): Promise<ScreenshotWriter> {
    await mkdir(folder, { recursive: true });
    return new ScreenshotWriter(browser, folder, language);
  }

  /** A page with its own cookies and without animations. */
  async page(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({
      viewport: viewports.desktop,
      locale: this.#language === 'en' ? 'en-US' : 'es-BO',
      timezoneId: 'Europe/Madrid',
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(actionMsMax);
    if (this.#language === 'en') {
      // Scripts name public pages by their Spanish paths.
      await context.route(
        ({ pathname }) => (publicPathIn('en', pathname) ?? pathname) !== pathname,
        async (route) => {
          const { pathname, search } = new URL(route.request().url());
          if (!route.request().isNavigationRequest()) return route.continue();
          await route.fulfill({ status: 302, headers: { location: `${publicPathIn('en', pathname)}${search}` } });
        },
      );
    }
    return context.newPage();
  }

  /** `name.390.light.png` (in English `name.en.390.light.png`) and its three siblings, of the page as it is. Leaves the page light and wide. */
  async capture(page: Page, name: string, options: CaptureOptions = {}): Promise<void> {
    for (const [width, viewport] of Object.entries(widths)) {
      if (options.only && Number(width) !== options.only) continue;
      await page.setViewportSize(viewport);
      for (const scheme of schemes) {
        if (options.lightOnly && scheme !== 'light') continue;
        await page.emulateMedia({ colorScheme: scheme });
        const followed = `html[data-mantine-color-scheme=${scheme}], html:not([data-mantine-color-scheme])`;
        await page.locator(followed).waitFor({ state: 'attached' });
        await settle(page);
        if (options.at) await options.at.scrollIntoViewIfNeeded();
        // A picture of the whole page shows the bar where the page was scrolled to.
        else if (!options.viewportOnly) await page.evaluate(() => scrollTo(0, 0));
        const file = `${name}.${this.#language === 'en' ? 'en.' : ''}${width}.${scheme}.png`;
        const path = join(this.#folder, file);
        await page.screenshot({ path, fullPage: !options.viewportOnly, animations: 'disabled', caret: 'hide' });
        this.taken += 1;
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(viewports.desktop);
  }
}

/** Waits until fonts are loaded and the layout has followed the width. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  });
}

/** Opens an address and waits until the page is hydrated and nothing on it is loading. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(() => document.querySelector('[data-hydrated]'));
  // Parts of a public page load at the first interaction.
  await page.mouse.move(1, 1);
  await page.waitForFunction(
    () =>
      !document.querySelector(
        '[aria-label^=Cargando], [aria-label^=Loading], [aria-busy=true]:not([role=progressbar])',
      ),
  );
}
