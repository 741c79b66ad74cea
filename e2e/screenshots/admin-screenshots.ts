import { openAdmin } from './pages.ts';
import { holdAnswers, pageOf, type Screenshot } from './screenshot.ts';
import { visit } from './screenshot-writer.ts';

const tab = (name: string, ready: string): Screenshot => ({
  name: `admin-${name}`,
  take: async (context) => {
    const page = await openAdmin(context, `/admin?tab=${name}`);
    await page.getByTestId(ready).first().waitFor();
    await context.writer.capture(page, `admin-${name}`);
    await page.context().close();
  },
});

/** What administrators work with. */
export const adminScreenshots: readonly Screenshot[] = [
  tab('transfers', 'admin-row'),
  tab('users', 'admin-user-row'),
  tab('rates', 'admin-rate-history-row'),
  tab('reconciliation', 'books-sources'),
  tab('webhooks', 'webhook-add'),
  tab('system', 'system-figures'),
  tab('audit', 'audit-entry'),
  {
    name: 'admin-loading',
    take: async (context) => {
      const page = await pageOf(context, context.demo.admin);
      const letGo = await holdAnswers(page);
      await page.goto(`${context.demo.url}/admin`);
      await page.getByTestId('admin-tab-users').waitFor();
      await context.writer.capture(page, 'admin-loading');
      await letGo();
      await page.context().close();
    },
  },
  {
    name: 'admin-drawer',
    take: async (context) => {
      const page = await openAdmin(context, '/admin?status=pending');
      await page.getByTestId('admin-detail').first().click();
      await page.getByTestId('admin-timeline').waitFor();
      await context.writer.capture(page, 'admin-drawer', { viewportOnly: true });
      await context.writer.capture(page, 'admin-drawer-end', {
        viewportOnly: true,
        at: page.getByTestId('admin-timeline'),
      });
      await page.context().close();
    },
  },
  {
    name: 'admin-filters',
    take: async (context) => {
      const page = await openAdmin(context, '/admin?view=stuck&currency=EUR&least=50');
      await page.getByTestId('admin-filters').click();
      await page.getByTestId('admin-filter-apply').waitFor();
      await context.writer.capture(page, 'admin-filters', {
        viewportOnly: true,
        at: page.getByTestId('admin-filter-apply'),
      });
      await page.context().close();
    },
  },
  {
    name: 'admin-profit',
    take: async (context) => {
      const page = await openAdmin(context, '/admin?status=completed');
      await page.getByTestId('admin-detail').first().click();
      await page.getByTestId('transfer-profit').waitFor();
      await context.writer.capture(page, 'admin-profit', {
        viewportOnly: true,
        at: page.getByTestId('transfer-profit'),
      });
      await page.context().close();
    },
  },
  {
    name: 'admin-decisions',
    take: async (context) => {
      const page = await openAdmin(context, '/admin?status=pending');
      for (const decision of ['approve', 'reject']) {
        await page.locator(`[data-testid=admin-${decision}]:enabled`).first().click();
        await page.getByTestId('admin-confirm').waitFor();
        await context.writer.capture(page, `admin-${decision}`, { viewportOnly: true });
        await page.keyboard.press('Escape');
        await page.getByTestId('admin-confirm').waitFor({ state: 'hidden' });
      }
      await page.getByTestId('admin-search').fill('nadie');
      await page.getByText(/No se encontraron transacciones|No transactions found/).waitFor();
      await context.writer.capture(page, 'admin-no-hits', { viewportOnly: true, at: page.getByTestId('admin-search') });
      await page.context().close();
    },
  },
  {
    name: 'admin-rate-change',
    take: async (context) => {
      const page = await openAdmin(context, '/admin?tab=rates');
      await page.getByTestId('admin-rate-sources-EUR').click();
      await page
        .getByText(/Mediana de estas fuentes|Median of these sources/)
        .first()
        .waitFor();
      await page.getByTestId('admin-rate-input-USD').fill('14,5');
      await page.getByTestId('admin-rate-save-USD').click();
      await page.getByTestId('admin-rate-needed').waitFor();
      await context.writer.capture(page, 'admin-rate-reason', {
        viewportOnly: true,
        at: page.getByTestId('admin-rate-desk'),
      });
      await page.getByTestId('admin-rate-reason-USD').fill('El paralelo saltó esta mañana');
      await page.getByTestId('admin-rate-save-USD').click();
      await page.getByTestId('admin-rate-open-USD').waitFor();
      const second = await openAdmin(context, '/admin?tab=rates', context.demo.secondAdmin);
      await second.getByTestId('admin-rate-confirm-USD').waitFor();
      await context.writer.capture(second, 'admin-rate-confirm', {
        viewportOnly: true,
        at: second.getByTestId('admin-rate-desk'),
      });
      await page.getByTestId('admin-rate-decline-USD').click();
      await page.getByTestId('admin-rate-input-USD').waitFor();
      await second.context().close();
      await page.context().close();
    },
  },
  {
    name: 'admin-scraper',
    take: async (context) => {
      const page = await pageOf(context, context.demo.admin);
      await visit(page, `${context.demo.url}/scraper`);
      await context.writer.capture(page, 'admin-scraper');
      await page.context().close();
    },
  },
  {
    name: 'admin-user',
    take: async (context) => {
      const page = await openAdmin(context, '/admin?tab=users');
      await page.getByTestId('admin-user-row').filter({ hasText: 'Marisol' }).getByTestId('admin-user-open').click();
      await page.getByTestId('user-transfer').first().waitFor();
      await context.writer.capture(page, 'admin-user', { viewportOnly: true });
      await page.getByTestId('user-block-open').click();
      await page.getByTestId('user-block-reason').fill('El documento que mandó es de otra persona.');
      await context.writer.capture(page, 'admin-user-block', { viewportOnly: true });
      await page.getByTestId('user-block-confirm').click();
      await page.getByTestId('account-barred').waitFor();
      await context.writer.capture(page, 'admin-user-blocked', { viewportOnly: true });
      await context.writer.capture(page, 'admin-user-end', {
        viewportOnly: true,
        at: page.getByTestId('user-transfer').last(),
      });
      await visit(page, `${context.demo.url}/admin`);
      await page.getByTestId('sender-blocked').first().waitFor();
      await context.writer.capture(page, 'admin-sender-blocked');
      await page.context().close();
    },
  },
  {
    name: 'queues',
    take: async (context) => {
      const page = await pageOf(context, context.demo.admin);
      await page.goto(`${context.demo.url}/ops/queues`);
      await page.getByRole('link').first().waitFor();
      await page.getByText(/^(Cargando|Loading)/).waitFor({ state: 'detached' });
      // Its content scrolls inside the page.
      await context.writer.capture(page, 'queues', { viewportOnly: true });
      await page.context().close();
    },
  },
];
