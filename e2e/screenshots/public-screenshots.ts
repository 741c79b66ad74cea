import type { Page } from 'playwright-core';
import { viewports } from '../../infra/testing/browser.ts';
import type { Screenshot } from './screenshot.ts';
import { visit } from './screenshot-writer.ts';

/** A page that is looked at as it comes. */
const plain = (name: string, path: string): Screenshot => ({
  name,
  take: async ({ writer, demo }) => {
    const page = await writer.page();
    await visit(page, `${demo.url}${path}`);
    await writer.capture(page, name);
    await page.context().close();
  },
});

/** The calculator loads when it comes into view, which it is not at first on every width and in each language. */
async function showCalculator(page: Page): Promise<void> {
  await page.locator('#calculator').scrollIntoViewIfNeeded();
  await page.locator('[data-testid=calculator-submit]:enabled').waitFor();
  await page.evaluate(() => window.scrollTo(0, 0));
}

/** What a visitor sees. */
export const publicScreenshots: readonly Screenshot[] = [
  {
    name: 'landing-a',
    take: async ({ writer, demo }) => {
      const page = await writer.page();
      await visit(page, demo.url);
      await showCalculator(page);
      await writer.capture(page, 'landing-a');
      await page.setViewportSize(viewports.phone);
      await page.getByTestId('nav-menu').click();
      await page.getByTestId('nav-signup-small').waitFor();
      await writer.capture(page, 'small-menu', { viewportOnly: true, only: 390 });
      await page.context().close();
    },
  },
  {
    name: 'landing-b',
    take: async ({ writer, demo }) => {
      const page = await writer.page();
      await visit(page, `${demo.url}/landing2`);
      await showCalculator(page);
      await writer.capture(page, 'landing-b');
      await page.setViewportSize(viewports.phone);
      await page.getByTestId('b-menu').click();
      await page.getByTestId('b-start-small').waitFor();
      await writer.capture(page, 'landing-b-menu', { viewportOnly: true, only: 390 });
      await page.context().close();
    },
  },
  {
    name: 'help',
    take: async ({ writer, demo }) => {
      const page = await writer.page();
      await visit(page, `${demo.url}/ayuda`);
      await writer.capture(page, 'help');
      await page.getByTestId('help-search').fill('tasa');
      await writer.capture(page, 'help-search');
      await page.getByTestId('help-search').fill('zapatos');
      await writer.capture(page, 'help-nothing');
      await page.context().close();
    },
  },
  {
    name: 'login',
    take: async ({ writer, demo }) => {
      const page = await writer.page();
      await visit(page, `${demo.url}/login`);
      await writer.capture(page, 'login');
      await page.getByTestId('login-submit').click();
      await page.getByText(/Campos incompletos|Incomplete fields/).waitFor();
      await writer.capture(page, 'login-incomplete', { viewportOnly: true });
      await visit(page, `${demo.url}/login?recover=true`);
      await writer.capture(page, 'login-recover');
      await page.context().close();
    },
  },
  {
    name: 'signup',
    take: async ({ writer, demo }) => {
      const page = await writer.page();
      await visit(page, `${demo.url}/login?signup=true`);
      await writer.capture(page, 'signup');
      await page.getByTestId('signup-terms').check();
      await page.getByTestId('signup-name').fill('Carmen Rojas');
      await writer.capture(page, 'signup-terms-accepted');
      await page
        .getByRole('button', { name: /términos|terms/i })
        .first()
        .click();
      await page.getByTestId('legal-understood').waitFor();
      await writer.capture(page, 'signup-terms-modal', { viewportOnly: true });
      await page.context().close();
    },
  },
  {
    name: 'new-password',
    take: async ({ writer, demo }) => {
      const page = await writer.page();
      await visit(page, `${demo.url}/recuperar`);
      await writer.capture(page, 'new-password-dead-link');
      await page.route('**/api/auth/email-link', (route) =>
        route.fulfill({ json: { purpose: 'undo', email: 'carmen.rojas@example.com' } }),
      );
      await visit(page, `${demo.url}/correo#${'A'.repeat(43)}`);
      await page.getByTestId('email-link-use').waitFor();
      await writer.capture(page, 'email-taken-back');
      await page.context().close();
    },
  },
  plain('terms', '/terms'),
  plain('privacy', '/privacy'),
  plain('not-found', '/no/such/page'),
  plain('rate-tester', '/rate-tester'),
  plain('scraper', '/scraper'),
  plain('test-login', '/test-login'),
  {
    name: 'error',
    take: async ({ writer, demo }) => {
      const page = await writer.page();
      // The page's own file is lost, also after the reload that helps after a deployment.
      await page.route(/\/assets\/scraper-/, (route) => route.abort());
      await page.goto(`${demo.url}/login`);
      await page.evaluate(() => {
        window.history.pushState({}, '', '/scraper');
        window.dispatchEvent(new PopStateEvent('popstate'));
      });
      await page.getByText(/Algo salió mal|Something went wrong/).waitFor();
      await writer.capture(page, 'error', { lightOnly: true });
      await page.context().close();
    },
  },
];
