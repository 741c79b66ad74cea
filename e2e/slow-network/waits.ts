import { loadavg } from 'node:os';
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { endpoints } from '#core/contracts/http/endpoints';
import { viewports } from '../../infra/testing/browser.ts';
import type { Sandbox } from '../../sandbox/testing/control-client.ts';
import type { ApiClient } from '../api-client.ts';
import { beginSession } from '../pages.ts';

export const kilobitsPerSecond = 400;
/** Of a request and its answer, in ms: Lighthouse's slow 3G. */
export const roundTripMs = 400;

/** A running product with the people of the journeys. */
export interface Prepared {
  url(): string;
  readonly sandbox: Sandbox;
  readonly sandboxUrl: string;
  readonly databaseUrl: string;
  readonly browser: Browser;
  readonly admin: Account;
}

export interface Account {
  readonly email: string;
  readonly password: string;
  readonly client: ApiClient;
}

/** Some waits of a person, one journey through them. */
export interface Part {
  readonly title: string;
  readonly take: (product: Prepared, journey: Journey) => Promise<void>;
}

/** One person with a phone on a slow line, and how long they wait. */
export class Journey {
  /** Each wait with its time in ms, in the order of the journey. */
  readonly waits = new Map<string, number>();
  readonly #contexts: BrowserContext[] = [];

  /** One journey through a part. */
  static async take(part: Part, product: Prepared): Promise<Journey> {
    const journey = new Journey();
    try {
      await part.take(product, journey);
      return journey;
    } finally {
      for (const context of journey.#contexts) await context.close();
    }
  }

  /** A phone on which nothing of the product is stored. */
  async phone({ browser }: Prepared): Promise<Page> {
    const options = { viewport: viewports.phone, locale: 'es-BO', timezoneId: 'Europe/Madrid' };
    const context = await browser.newContext({ ...options, acceptDownloads: true });
    this.#contexts.push(context);
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const bytesPerSecond = (kilobitsPerSecond * 1000) / 8;
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: roundTripMs,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
    return page;
  }

  /** The same for a returning user: what a page at `path` needs is cached. */
  async knownPhone(product: Prepared, { email, password }: Account, path: string): Promise<Page> {
    const page = await this.phone(product);
    await beginSession(page, product.url(), endpoints.login, { email, password });
    await page.goto(product.url() + path, { waitUntil: 'networkidle' });
    return page;
  }

  /** From `start` until `end` is seen. */
  async wait(name: string, start: () => Promise<unknown>, end: Locator | (() => Promise<unknown>)): Promise<void> {
    const from = performance.now();
    await start();
    await (typeof end === 'function' ? end() : end.first().waitFor());
    this.waits.set(name, performance.now() - from);
  }
}

/** Until something of the page is painted: before, a person sees nothing, whatever the document holds. */
export const painted = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);

/** A locator once it shows bolivianos as figures and not as their shape. */
export const withBolivianos = (place: Locator): Locator => place.filter({ hasText: /Bs\s\d/ });

/** The number's field in the card provider's frame: a payment can be made. */
export const cardNumber = (page: Page): Locator => cardFrame(page).getByTestId('card-number');

const cardFrame = (page: Page): FrameLocator => page.frameLocator('[data-stripe-frame=elements-frame]');

/** Fills in a good card and pays. */
export async function pay(page: Page): Promise<void> {
  const card = cardFrame(page);
  await card.getByTestId('card-number').fill('4242424242424242');
  await card.getByTestId('card-expiry').fill('1234');
  await card.getByTestId('card-cvc').fill('123');
  await page.getByTestId('pay-submit').click();
}

/** The section of a part in docs/slow-network.md. */
export function sectionOf({ title }: Part, journeys: readonly Journey[], loadBefore: number): string {
  const rows = [...(journeys[0]?.waits.keys() ?? [])].map((name) => {
    const times = journeys.map(({ waits }) => waits.get(name) ?? Number.NaN).sort((one, other) => one - other);
    const middle = times[Math.floor(times.length / 2)];
    return `| ${name} | ${seconds(middle)} | ${seconds(times[0])}–${seconds(times.at(-1))} |`;
  });
  const load = `${loadBefore.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after`;
  return `## ${title}

${new Date().toISOString().slice(0, 10)}, median and range of ${journeys.length}, load of the machine ${load}.

| Wait for | Seconds | Range |
| --- | --- | --- |
${rows.join('\n')}
`;
}

function seconds(ms: number | undefined): string {
  return ((ms ?? Number.NaN) / 1000).toFixed(1);
}
