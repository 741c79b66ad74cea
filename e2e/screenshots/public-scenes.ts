import { viewports } from '../../infra/testing/browser.ts';
import { visit } from './camera.ts';
import type { Scene } from './scene.ts';

/** A page that is looked at as it comes. */
const plain = (name: string, path: string): Scene => ({
  name,
  play: async ({ camera, demo }) => {
    const page = await camera.page();
    await visit(page, `${demo.url}${path}`);
    await camera.shoot(page, name);
    await page.context().close();
  },
});

/** What a visitor sees. */
export const publicScenes: readonly Scene[] = [
  {
    name: 'landing-a',
    play: async ({ camera, demo }) => {
      const page = await camera.page();
      await visit(page, demo.url);
      await page.locator('[data-testid=calculator-submit]:enabled').waitFor();
      await camera.shoot(page, 'landing-a');
      await page.setViewportSize(viewports.phone);
      await page.getByTestId('nav-menu').click();
      await page.getByTestId('nav-signup-small').waitFor();
      await camera.shoot(page, 'small-menu', { asSeen: true, only: 390 });
      await page.context().close();
    },
  },
  {
    name: 'landing-b',
    play: async ({ camera, demo }) => {
      const page = await camera.page();
      await visit(page, `${demo.url}/landing2`);
      await page.locator('[data-testid=calculator-submit]:enabled').waitFor();
      await camera.shoot(page, 'landing-b');
      await page.setViewportSize(viewports.phone);
      await page.getByTestId('b-menu').click();
      await page.getByTestId('b-start-small').waitFor();
      await camera.shoot(page, 'landing-b-menu', { asSeen: true, only: 390 });
      await page.context().close();
    },
  },
  {
    name: 'help',
    play: async ({ camera, demo }) => {
      const page = await camera.page();
      await visit(page, `${demo.url}/ayuda`);
      await camera.shoot(page, 'help');
      await page.getByTestId('help-search').fill('tasa');
      await camera.shoot(page, 'help-search');
      await page.getByTestId('help-search').fill('zapatos');
      await camera.shoot(page, 'help-nothing');
      await page.context().close();
    },
  },
  {
    name: 'login',
    play: async ({ camera, demo }) => {
      const page = await camera.page();
      await visit(page, `${demo.url}/login`);
      await camera.shoot(page, 'login');
      await page.getByTestId('login-submit').click();
      await page.getByText('Campos incompletos').waitFor();
      await camera.shoot(page, 'login-incomplete', { asSeen: true });
      await visit(page, `${demo.url}/login?recover=true`);
      await camera.shoot(page, 'login-recover');
      await page.context().close();
    },
  },
  {
    name: 'signup',
    play: async ({ camera, demo }) => {
      const page = await camera.page();
      await visit(page, `${demo.url}/login?signup=true`);
      await camera.shoot(page, 'signup');
      await page.getByTestId('signup-terms').check();
      await page.getByTestId('signup-name').fill('Carmen Rojas');
      await camera.shoot(page, 'signup-terms-accepted');
      await page
        .getByRole('button', { name: /términos/i })
        .first()
        .click();
      await page.getByTestId('legal-understood').waitFor();
      await camera.shoot(page, 'signup-terms-modal', { asSeen: true });
      await page.context().close();
    },
  },
  {
    name: 'new-password',
    play: async ({ camera, demo }) => {
      const page = await camera.page();
      await visit(page, `${demo.url}/recuperar`);
      await camera.shoot(page, 'new-password-dead-link');
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
    play: async ({ camera, demo }) => {
      const page = await camera.page();
      // What happens after a deployment: the page's own file is gone.
      await page.route(/\/assets\/terms-/, (route) => route.abort());
      await page.goto(`${demo.url}/login`);
      await page.evaluate(() => {
        window.history.pushState({}, '', '/terms');
        window.dispatchEvent(new PopStateEvent('popstate'));
      });
      await page.getByText('Algo salió mal').waitFor();
      await camera.shoot(page, 'error');
      await page.context().close();
    },
  },
];
