import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../infra/paths.ts';
import { viewports } from '../../infra/testing/browser.ts';
import { cardForm, senderRow } from '../pages.ts';
import { openAdmin, openPanel } from './pages.ts';
import type { Screenshot } from './screenshot.ts';
import { visit } from './screenshot-writer.ts';

/** As wide as a desktop, and as high as what matters. */
const desktop = (height: number) => ({ ...viewports.desktop, height });

/** As WebP, which Playwright does not write: a third of a PNG's size. */
async function picture(page: Page, name: string, scale = 1): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const clip = { x: 0, y: await page.evaluate(() => scrollY), ...(page.viewportSize() ?? viewports.desktop), scale };
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 86, clip });
  await writeFile(join(root, 'docs/images', `${name}.webp`), Buffer.from(data, 'base64'));
}

/** The pictures of the README; taken only when requested by name, because git keeps them. */
export const readmeScreenshots: Screenshot = {
  name: 'readme',
  take: async (context) => {
    const { writer, demo } = context;
    const landing = await writer.page({ viewport: desktop(740) });
    await visit(landing, demo.url);
    await landing.getByTestId('home-rates').getByText('1 USD =').waitFor();
    await picture(landing, 'landing');
    await landing.context().close();

    const panel = await openPanel(context);
    await panel.setViewportSize(desktop(980));
    await senderRow(panel, 'pending').waitFor();
    await picture(panel, 'dashboard');
    await senderRow(panel, 'pending')
      .getByRole('button', { name: /Ver detalles/ })
      .click();
    await panel.getByTestId('transfer-timeline').waitFor();
    // Under the dialog the panel from its beginning, as a link to the transfer opens it.
    await visit(panel, panel.url());
    await panel.getByTestId('transfer-timeline').waitFor();
    await picture(panel, 'transfer');
    await panel.context().close();

    const phone = await openPanel(context, demo.sender, { viewport: viewports.phone });
    await phone.getByTestId('send-recipient').selectOption({ index: 1 });
    await phone.locator('[data-testid=send-submit]:enabled').click();
    await cardForm(phone).getByTestId('card-number').fill('4242424242424242');
    await cardForm(phone).getByTestId('card-expiry').fill('1234');
    await cardForm(phone).getByTestId('card-cvc').fill('123');
    await picture(phone, 'payment', 2);
    await phone.context().close();

    const desk = await openAdmin(context);
    await desk.setViewportSize(desktop(1060));
    await desk.getByTestId('review-line').first().waitFor();
    await picture(desk, 'admin');
    await desk.context().close();
  },
};
