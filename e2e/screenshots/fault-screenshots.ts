import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { transferAddress } from '../../core/contracts/page-addresses.ts';
import { openPanel } from './pages.ts';
import { pageOf, type Screenshot } from './screenshot.ts';
import { visit } from './screenshot-writer.ts';

/** Answers whatever a page asks for, but not who it is of, as a server that is broken. */
const failAnswers = (page: Page) =>
  page.route(/\/api\/(?!auth\/me|payments\/config)/, (route) => route.fulfill({ status: 500, json: {} }));

/** Where links and numbers of nothing lead, and one that is not for senders. */
const unknown = {
  tracking: `/seguimiento#${'A'.repeat(43)}`,
  paper: '/verificar/AAAA-AAAA-AAAA-AAAA-AAAA',
  transfer: transferAddress(randomUUID()),
  receipt: `/recibo/${randomUUID()}`,
  admin: '/admin',
} as const;

/** Pages for failed, missing or ended things (docs/fault-matrix.md). */
export const faultScreenshots: readonly Screenshot[] = [
  {
    name: 'failed',
    take: async (context) => {
      for (const [name, account, path] of [
        ['dashboard', context.demo.sender, '/dashboard'],
        ['transfers', context.demo.sender, '/dashboard/envios'],
        ['account', context.demo.sender, '/cuenta#limites'],
        ['admin', context.demo.admin, '/admin'],
      ] as const) {
        const page = await pageOf(context, account);
        await failAnswers(page);
        await page.goto(`${context.demo.url}${path}`);
        await page
          .getByText(/No se pudo cargar|Could not be loaded/)
          .first()
          .waitFor();
        // Every part has given up by then, not just the quickest.
        await page.locator('[aria-busy=true]:not([role=progressbar])').first().waitFor({ state: 'detached' });
        await context.writer.capture(page, `failed-${name}`);
        await page.context().close();
      }
    },
  },
  {
    name: 'offline',
    take: async ({ writer, demo }) => {
      const page = await writer.page();
      await visit(page, demo.url);
      await page.locator('#calculator').scrollIntoViewIfNeeded();
      await page.locator('[data-testid=calculator-submit]:enabled').waitFor();
      await page.context().setOffline(true);
      await page.getByTestId('calculator-amount').fill('250');
      const estimate = page.getByTestId('calculator-estimate');
      await estimate.waitFor();
      await writer.capture(page, 'offline', { viewportOnly: true, at: estimate });
      await page.context().close();
    },
  },
  {
    name: 'session-ended',
    take: async (context) => {
      const page = await openPanel(context, context.demo.newcomer);
      await page.request.post(`${context.demo.url}/api/auth/logout`);
      await page.getByText(/Tu sesión terminó|Your session (has )?ended/).waitFor();
      await context.writer.capture(page, 'session-ended');
      await page.context().close();
    },
  },
  {
    name: 'unknown',
    take: async (context) => {
      for (const [name, path] of Object.entries(unknown)) {
        const page = await pageOf(context, context.demo.sender);
        await visit(page, `${context.demo.url}${path}`);
        await context.writer.capture(page, `unknown-${name}`, { viewportOnly: true });
        await page.context().close();
      }
    },
  },
];
