import { failureResponses as failures } from '../../api/http/failure-responses.ts';
import { accountRoutes } from '../../core/contracts/http/account-routes.ts';
import { accountSections, limitsAddress } from '../../core/contracts/page-addresses.ts';
import { identify, signUpAs } from './demo-data.ts';
import { openPanel } from './pages.ts';
import { pageOf, type Screenshot } from './screenshot.ts';
import { visit } from './screenshot-writer.ts';

/** The account's own page, by section and by how well the person is known. */
export const accountScreenshots: readonly Screenshot[] = [
  {
    name: 'account',
    take: async (context) => {
      const page = await openPanel(context);
      await visit(page, `${context.demo.url}/cuenta`);
      await page.getByTestId(`account-${accountSections.details}`).waitFor();
      await context.writer.capture(page, 'account');
      for (const [name, section] of Object.entries(accountSections)) {
        await page.getByTestId(`account-${section}`).click();
        await page.waitForFunction((id) => {
          const open = document.querySelector(`#${id} [role=region]`);
          return open?.textContent !== '' && !open?.querySelector('[aria-busy=true]');
        }, section);
        await context.writer.capture(page, `account-${name}`);
      }
      await page.context().close();
    },
  },
  {
    name: 'passkeys',
    take: async (context) => {
      const page = await context.writer.page({});
      const { url } = context.demo;
      const account = { name: 'Ana Flores', email: 'ana.flores@example.com', password: 'una-clave-larga' };
      const answer = await page.request.post(`${url}/api/auth/register`, { data: { ...account, acceptedTerms: true } });
      const { token } = await answer.json();
      await page.addInitScript((id) => localStorage.setItem('auth_token', id), token);
      const device = await page.context().newCDPSession(page);
      await device.send('WebAuthn.enable');
      await device.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
        },
      });
      await page.goto(`${url}/cuenta#${accountSections.security}`);
      await page.getByTestId('passkey-add').click();
      await page.getByTestId('factor-password').fill(account.password);
      await context.writer.capture(page, 'passkeys-create');
      await page.getByTestId('factor-change').click();
      await page.getByTestId('recovery-kept').waitFor();
      await context.writer.capture(page, 'recovery-codes');
      await page.getByTestId('recovery-kept').click();
      await page.getByTestId('factor').waitFor();
      await context.writer.capture(page, 'passkeys');
      await page.request.post(`${url}/api/auth/logout`);
      await page.evaluate(() => localStorage.clear());
      const visitor = await context.writer.page({});
      await visitor.goto(`${url}/login`);
      await visitor.getByTestId('login-passkey').waitFor();
      await context.writer.capture(visitor, 'passkeys-login');
      await visitor.getByTestId('login-email').fill(account.email);
      await visitor.getByTestId('login-password').fill(account.password);
      await visitor.getByTestId('login-submit').click();
      await visitor.getByTestId('factor-passkey').waitFor();
      await context.writer.capture(visitor, 'passkeys-second-step');
      await visitor.context().close();
      await page.context().close();
    },
  },
  {
    name: 'identity',
    take: async (context) => {
      for (const [name, number] of [
        ['accepted', '48219999'],
        ['waiting', '48221111'],
        ['declined', '48220000'],
        ['document-unreadable', '48222222'],
      ] as const) {
        const person = await signUpAs(context.demo, 'Juana Poma Arce', `juana.${name}@example.com`);
        await identify(person, 'Juana Poma Arce', { number, shows: name === 'document-unreadable' });
        const page = await pageOf(context, person);
        await visit(page, `${context.demo.url}${limitsAddress}`);
        await page.getByTestId('tier').waitFor();
        await context.writer.capture(page, `identity-${name}`);
        await page.context().close();
      }
    },
  },
  {
    name: 'step-up',
    take: async (context) => {
      const other = await pageOf(context, context.demo.newcomer);
      const page = await pageOf(context, context.demo.newcomer);
      const { status, message } = failures.second_factor_stale;
      await page.route(`**${accountRoutes.endSession.path.replace('{id}', '*')}`, (route) =>
        route.fulfill({ status, json: { code: 'second_factor_stale', message, app: false, passkey: false } }),
      );
      await visit(page, `${context.demo.url}/cuenta#${accountSections.sessions}`);
      await page.getByTestId('session-end').first().click();
      await page.getByTestId('factor-password').waitFor();
      await context.writer.capture(page, 'step-up-password', { viewportOnly: true });
      await page.context().close();
      await other.context().close();
    },
  },
];
