import { visit } from './camera.ts';
import { openDesk } from './rooms.ts';
import { holdAnswers, pageOf, type Scene } from './scene.ts';

const tab = (name: string, ready: string): Scene => ({
  name: `admin-${name}`,
  play: async (stage) => {
    const page = await openDesk(stage, `/admin?tab=${name}`);
    await page.getByTestId(ready).first().waitFor();
    await stage.camera.shoot(page, `admin-${name}`);
    await page.context().close();
  },
});

/** What administrators work with. */
export const adminScenes: readonly Scene[] = [
  tab('transfers', 'admin-row'),
  tab('users', 'admin-user-row'),
  tab('rates', 'admin-rate-history-row'),
  {
    name: 'admin-loading',
    play: async (stage) => {
      const page = await pageOf(stage, stage.demo.admin);
      const letGo = await holdAnswers(page);
      await page.goto(`${stage.demo.url}/admin`);
      await page.getByTestId('admin-tab-users').waitFor();
      await stage.camera.shoot(page, 'admin-loading');
      await letGo();
      await page.context().close();
    },
  },
  {
    name: 'admin-drawer',
    play: async (stage) => {
      const page = await openDesk(stage, '/admin?status=pending');
      await page.getByTestId('admin-detail').first().click();
      await page.getByTestId('admin-timeline').waitFor();
      await stage.camera.shoot(page, 'admin-drawer', { asSeen: true });
      await stage.camera.shoot(page, 'admin-drawer-end', { asSeen: true, at: page.getByTestId('admin-timeline') });
      await page.context().close();
    },
  },
  {
    name: 'admin-decisions',
    play: async (stage) => {
      const page = await openDesk(stage, '/admin?status=pending');
      for (const decision of ['approve', 'reject']) {
        await page.locator(`[data-testid=admin-${decision}]:enabled`).first().click();
        await page.getByTestId('admin-confirm').waitFor();
        await stage.camera.shoot(page, `admin-${decision}`, { asSeen: true });
        await page.keyboard.press('Escape');
        await page.getByTestId('admin-confirm').waitFor({ state: 'hidden' });
      }
      await page.getByTestId('admin-search').fill('nadie');
      await page.getByText('No se encontraron transacciones').waitFor();
      await stage.camera.shoot(page, 'admin-no-hits', { asSeen: true, at: page.getByTestId('admin-search') });
      await page.context().close();
    },
  },
  {
    name: 'admin-rate-change',
    play: async (stage) => {
      const page = await openDesk(stage);
      await page.getByTestId('admin-rate-sources-EUR').click();
      await page.getByText('Mediana de estas fuentes').first().waitFor();
      await page.getByTestId('admin-rate-input-USD').fill('14,5');
      await page.getByTestId('admin-rate-save-USD').click();
      await page.getByTestId('admin-rate-needed').waitFor();
      await stage.camera.shoot(page, 'admin-rate-reason', { asSeen: true, at: page.getByTestId('admin-rate-desk') });
      await page.getByTestId('admin-rate-reason-USD').fill('El paralelo saltó esta mañana');
      await page.getByTestId('admin-rate-save-USD').click();
      await page.getByTestId('admin-rate-open-USD').waitFor();
      const second = await openDesk(stage, '/admin', stage.demo.secondAdmin);
      await second.getByTestId('admin-rate-confirm-USD').waitFor();
      await stage.camera.shoot(second, 'admin-rate-confirm', {
        asSeen: true,
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
    play: async (stage) => {
      const page = await pageOf(stage, stage.demo.admin);
      await visit(page, `${stage.demo.url}/scraper`);
      await stage.camera.shoot(page, 'admin-scraper');
      await page.context().close();
    },
  },
  {
    name: 'queues',
    play: async (stage) => {
      const page = await pageOf(stage, stage.demo.admin);
      await page.goto(`${stage.demo.url}/ops/queues`);
      await page.getByRole('link').first().waitFor();
      await page.screenshot({ path: 'test-results/queues.png' });
      await page.context().close();
    },
  },
];
