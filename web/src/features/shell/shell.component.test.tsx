import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { type Company, companyAttribute } from '#core/contracts/company';
import languageOffer from '../../app/language-offer.js?raw';
import { documentLoader, keepCompany } from '../../lib/document.ts';
import { chosenLanguage, loadEnglish, showLanguage } from '../../lib/language.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { Shell } from './shell.tsx';

const api = installFakeApi();
const routes = ['/', '/en', '/login', '/en/login', '/dashboard'].map((path) => ({
  path,
  element: <Shell ownHeader={false}>{null}</Shell>,
}));

/** Renders the frame at an address; a link is not followed, only remembered. */
async function open(address: string): Promise<void> {
  api.answer({ paymentConfig: () => ({ publishableKey: 'pk_test_1', scriptUrl: null, mode: 'live' }) });
  await renderApp(routes, address);
}

/** Runs what the document of every page begins with. */
function startDocument(...languages: readonly string[]) {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
  const script = document.createElement('script');
  script.textContent = languageOffer;
  document.head.append(script);
  script.remove();
}

function stayHere() {
  window.addEventListener('click', (event) => event.preventDefault(), { once: true });
}

test('the switch of a public page leads to the same page in the other language, and keeps the choice', async () => {
  await open('/login?signup=true#top');
  const link = page.getByTestId('language-switch');
  await expect.element(link).toHaveTextContent('English');
  await expect.element(link).toHaveAttribute('href', '/en/login?signup=true#top');
  await expect.element(link).toHaveAttribute('lang', 'en');
  stayHere();
  await link.click();
  expect(chosenLanguage()).toBe('en');
});

test('the switch of an English page leads back, and every other link stays in English', async () => {
  showLanguage('en', await loadEnglish('public'));
  await open('/en');
  await expect.element(page.getByTestId('language-switch')).toHaveAttribute('href', '/');
  await expect.element(page.getByTestId('nav-login')).toHaveTextContent('Log in');
  await expect.element(page.getByTestId('nav-login')).toHaveAttribute('href', '/en/login');
  await expect.element(page.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/en/terms');
});

test('the switch of a page with one address in all languages is a button', async () => {
  await open('/dashboard');
  await expect.element(page.getByRole('button', { name: 'English' })).toBeEnabled();
});

test('the small menu of a public page opens it in the other language', async () => {
  const load = vi.spyOn(documentLoader, 'open').mockReturnValue();
  await page.viewport(390, 844);
  await open('/login');
  await page.getByTestId('nav-menu').click();
  await page.getByTestId('nav-language-small').click();
  await expect.poll(() => load.mock.calls).toEqual([['/en/login']]);
  expect(chosenLanguage()).toBe('en');
});

test('an English browser is offered English on a Spanish public page, until it is declined', async () => {
  startDocument('fr', 'en-GB', 'es');
  await open('/login?signup=true');
  const offer = page.getByTestId('language-offer');
  await expect.element(offer).toBeVisible();
  await expect.element(offer).toHaveAttribute('href', '/en/login?signup=true');
  await page.getByRole('button', { name: 'No, thanks' }).click();
  await expect.element(offer).not.toBeVisible();
  expect(chosenLanguage()).toBe('es');
  startDocument('en');
  await expect.element(offer).not.toBeVisible();
});

test('nothing is offered to a browser that asks for the language of the page', async () => {
  startDocument('es-BO', 'en');
  await open('/');
  await expect.element(page.getByTestId('language-switch')).toBeVisible();
  await expect.element(page.getByTestId('language-offer')).not.toBeVisible();
});

const noCompany = { name: null, license: null, regulator: null, registerUrl: null, address: null, funds: null };

test.each<[string, Company, RegExp, RegExp]>([
  [
    'a demonstration, and claims no company',
    { isDemonstration: true, ...noCompany },
    /Modo de demostración.*no hay una empresa con licencia/,
    /Licencia:/,
  ],
  [
    'the company as it is configured',
    {
      ...{ isDemonstration: false, name: 'Envíos Chasqui SRL', license: 'ASFI 12/2026', regulator: 'ASFI' },
      ...{ registerUrl: 'https://register.example/12', address: 'Av. Arce 1, La Paz' },
      funds: { es: 'Está en una cuenta separada.', en: 'It is in a separate account.' },
    },
    /Envíos Chasqui SRL · Av\. Arce 1, La Paz.*Licencia: ASFI 12\/2026.*Supervisa: ASFI.*Está en una cuenta separada/,
    /demostración/,
  ],
])('the foot of a page says that it is %s', async (_, company, said, unsaid) => {
  document.documentElement.setAttribute(companyAttribute, JSON.stringify(company));
  onTestFinished(() => document.documentElement.removeAttribute(companyAttribute));
  await open('/login');
  const notice = page.getByTestId('company');
  await expect.element(notice).toMatchTextContent(said);
  await expect.element(notice).not.toMatchTextContent(unsaid);
  if (company.registerUrl) await expect.element(notice.getByRole('link')).toHaveAttribute('href', company.registerUrl);
});

test('who runs this installation stays on the page where React had to draw the document again', async () => {
  const company = { isDemonstration: true, name: null, license: null, regulator: null, registerUrl: null };
  document.documentElement.setAttribute(companyAttribute, JSON.stringify({ ...company, address: null, funds: null }));
  keepCompany();
  document.documentElement.removeAttribute(companyAttribute);
  onTestFinished(keepCompany);
  await open('/login');
  await expect.element(page.getByTestId('company')).toMatchTextContent(/Modo de demostración/);
});
