import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { viewports } from '../../infra/testing/browser.ts';

const widths = { 390: viewports.phone, 1280: viewports.desktop } as const;
const schemes = ['light', 'dark'] as const;
const actionMsMax = 30_000;

export interface ShotOptions {
  /** As the person sees it without scrolling, as dialogs and menus are looked at; otherwise the whole page. */
  readonly asSeen?: boolean;
  /** Only at this width: what the other one does not have. */
  readonly only?: keyof typeof widths;
  /** What is scrolled to first, for pictures of what the person sees. */
  readonly at?: Locator;
}

/** Takes the pictures and opens the pages they are taken of. */
export class Camera {
  readonly #browser: Browser;
  readonly #folder: string;
  taken = 0;

  private constructor(browser: Browser, folder: string) {
    this.#browser = browser;
    this.#folder = folder;
  }

  static async open(browser: Browser, folder: string): Promise<Camera> {
    await mkdir(folder, { recursive: true });
    return new Camera(browser, folder);
  }

  /** A page of a person of its own, at rest: nothing on it moves. */
  async page(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({
      viewport: viewports.desktop,
      locale: 'es-BO',
      timezoneId: 'Europe/Madrid',
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(actionMsMax);
    return context.newPage();
  }

  /** `name.390.light.png` and its three siblings, of the page as it stands. Leaves it light and wide. */
  async shoot(page: Page, name: string, options: ShotOptions = {}): Promise<void> {
    for (const [width, viewport] of Object.entries(widths)) {
      if (options.only && Number(width) !== options.only) continue;
      await page.setViewportSize(viewport);
      for (const scheme of schemes) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' });
        await settle(page);
        if (options.at) await options.at.scrollIntoViewIfNeeded();
        const path = join(this.#folder, `${name}.${width}.${scheme}.png`);
        await page.screenshot({ path, fullPage: !options.asSeen, animations: 'disabled', caret: 'hide' });
        this.taken += 1;
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(viewports.desktop);
  }
}

/** Fonts are there and the layout has followed the width. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  });
}

/** Goes to an address and waits until the page is alive and nothing on it is on its way any more. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(() => !document.querySelector('[data-drawn]'));
  // Some of a public page waits for the first sign of a person.
  await page.mouse.move(1, 1);
  await page.waitForFunction(
    () => !document.querySelector('[aria-label^=Cargando], [aria-busy=true]:not([role=progressbar])'),
  );
}
