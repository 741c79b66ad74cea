import { expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { useBrowser } from '../infra/testing/browser.ts';
import { fillSignUp } from './pages.ts';
import { useApp } from './test-app.ts';

const browser = useBrowser();
const app = useApp();

test('an English browser is offered English, which is kept behind the sign-up and changed in the menu', async () => {
  const page = await browser.newPage({ ownContext: true, locale: 'en-GB' });
  const shown = () => page.locator('html').getAttribute('lang');
  const readBy = async () => (await (await page.request.get(`${app.url()}${endpoints.me.path}`)).json()).user.locale;
  const offer = page.getByTestId('language-offer');
  // Before any script has come.
  await page.route('**/*.js', () => undefined);
  await page.goto(app.url(), { waitUntil: 'commit' });
  await offer.waitFor();
  expect(await offer.getAttribute('href')).toBe('/en');
  await page.unroute('**/*.js');
  await page.goto(`${app.url()}/?from=friend#faq`);
  expect(await shown()).toBe('es-BO');
  await offer.click();
  await page.waitForURL(`${app.url()}/en?from=friend#faq`);
  await page.getByRole('heading', { name: 'Frequently asked questions' }).waitFor();
  expect(await offer.isVisible()).toBe(false);
  await page.getByRole('link', { name: 'Sign up' }).first().click();
  await page.waitForURL(`${app.url()}/en/login?signup=true`);
  await fillSignUp(page);
  await page.waitForURL(`${app.url()}/dashboard`);
  expect([await shown(), await readBy()]).toEqual(['en', 'en']);
  await page.getByTestId('nav-avatar').click();
  await page.getByTestId('nav-language').click();
  await page.locator('html[lang=es-BO]').waitFor();
  await page.getByRole('button', { name: 'Tu cuenta' }).waitFor();
  expect([new URL(page.url()).pathname, await readBy()]).toEqual(['/dashboard', 'es']);
  await page.reload();
  expect(await shown()).toBe('es-BO');
});
