import { load } from 'cheerio';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser, viewports } from '../infra/testing/browser.ts';
import { languageOfPage, publicPages } from '../web/src/lib/paths.ts';
import { recordCalls } from './conformance/calls.ts';
import { covers } from './conformance/coverage.ts';
import { fillSignUp } from './pages.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

const browser = useBrowser();
const app = useApp();

const open = (page: Page, path: string) => page.goto(`${app.url()}${path}`);
const shows = (page: Page, testid: string, text: string | RegExp) =>
  page.getByTestId(testid).filter({ hasText: text }).first().waitFor();
/** A hash of the address, once it led somewhere: the part it names is on screen and has the focus. */
const isAt = (page: Page, id: string) =>
  until(`the page is at #${id}`, async () =>
    page.evaluate((name) => {
      const part = document.getElementById(name);
      const top = part?.getBoundingClientRect().top ?? -1;
      return document.activeElement === part && top >= 0 && top < window.innerHeight / 2;
    }, id),
  );

test('the front page names the scripts it starts with, and connects by itself', async () => {
  const page = await browser.newPage();
  const loaded = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') loaded.add(new URL(request.url()).pathname);
  });
  const live = page.waitForEvent('websocket');
  const answer = await open(page, '/');
  await shows(page, 'home-rates', '1 USD = 11,55 Bs');
  await live;
  const named = new Set((await answer?.text())?.match(/\/[\w./~-]+\.js/g));
  expect(named.size).toBeGreaterThan(3);
  expect([...named].filter((script) => !loaded.has(script))).toEqual([]);
});

test('the calculator carries amount and currency through sign-up into the form, which asks the server again', async () => {
  const page = await browser.newPage({ viewport: viewports.phone });
  recordCalls(page);
  await open(page, '/landing2');
  await page.getByTestId('calculator-amount').fill('150');
  await page.getByTestId('calculator-currency').getByText('EUR').click();
  await shows(page, 'calculator-bs', 'Bs 1.936,75');
  await page.getByTestId('calculator-submit').click();
  await page.waitForURL('**/login?signup=true&next=*');
  await fillSignUp(page);
  await page.waitForURL('**/dashboard?amount=150&currency=EUR#send');
  await shows(page, 'breakdown-bs', 'Bs 1.936,75');
  expect(await page.getByTestId('send-amount').inputValue()).toBe('150');
  await isAt(page, 'send');
  covers('route /landing2');
});

test('a page scrolled before hydration keeps its position, and a link pressed before hydration works', async () => {
  const page = await browser.newPage();
  const scripts = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  // Its scripts belong to what a page waits for.
  await page.goto(`${app.url()}/terms`, { waitUntil: 'commit' });
  await page.getByTestId('footer-faq').hover();
  await page.mouse.down();
  const scrolled = () => page.evaluate(() => window.scrollY);
  const before = await scrolled();
  expect(before).toBeGreaterThan(0);
  scripts.resolve();
  // Only a hydrated page knows the year.
  await page.getByText(/© 20\d\d Chasqui/).waitFor();
  expect(await scrolled()).toBeGreaterThanOrEqual(before);
  await page.mouse.up();
  await page.waitForURL('**/#faq');
});

test('every page of the site map has a description and a preview for sharing', async () => {
  const text = async (path: string) => {
    const answer = await fetch(`${app.url()}${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  };
  const places = [...(await text('/sitemap.xml')).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, place]) => place ?? '');
  expect(places.toSorted()).toEqual(publicPages.map(({ path }) => `${app.url()}${path}`).toSorted());
  const descriptions = new Set<string>();
  for (const place of places) {
    const language = languageOfPage(new URL(place).pathname);
    const html = load(await text(new URL(place).pathname));
    const meta = (name: string) => html(`meta[name="${name}"], meta[property="${name}"]`).attr('content');
    expect([place, html('html').attr('lang')]).toEqual([place, language === 'en' ? 'en' : 'es-BO']);
    const alternates = html('link[rel=alternate]').toArray();
    expect(alternates.map((link) => html(link).attr('hreflang'))).toEqual(['es', 'en', 'x-default']);
    expect(html(`link[rel=alternate][hreflang=${language}]`).attr('href')).toBe(place);
    expect(html('link[rel=canonical]').attr('href')).toBe(place);
    expect(html('head > title').text()).toBe(`${meta('og:title')} · Chasqui`);
    expect(meta('og:url')).toBe(place);
    expect(meta('og:image')).toBe(`${app.url()}/preview.png`);
    expect(meta('description')).toBe(meta('og:description'));
    descriptions.add(meta('description') ?? '');
  }
  expect(descriptions.size).toBe(places.length);
  const picture = Buffer.from(await (await fetch(`${app.url()}/preview.png`)).arrayBuffer());
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630]);
});
