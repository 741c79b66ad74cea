import { confirmDecision } from '../pages.ts';
import { senderWithTransfer } from './prepare.ts';
import type { Part } from './waits.ts';

const decisions: Part = {
  title: '9. An admin at work',
  take: async (product, journey) => {
    const { transferId, email } = await senderWithTransfer(product);
    const page = await journey.knownPhone(product, product.admin, '/admin');
    const field = (testid: string) => page.getByTestId(testid);
    const line = page.locator(`[data-testid=review-line][data-row-id="${transferId}"]`);
    const open = () => page.goto(`${product.url()}/admin`, { waitUntil: 'commit' });
    await journey.wait('What waits for a decision', open, field('review-line'));
    await journey.wait('All that wait', () => field('admin-view-to_decide').click(), line);
    await line.focus();
    await journey.wait('The question by “a”', () => page.keyboard.press('a'), field('admin-confirm'));
    const decided = () => line.waitFor({ state: 'detached' });
    await journey.wait('Approved: off the list', () => confirmDecision(page), decided);
    await field('admin-view-all').click();
    // Only this person's rows are left.
    const found = () =>
      page.waitForFunction((id) => {
        const rows = [...document.querySelectorAll<HTMLElement>('[data-testid=admin-row]')];
        return rows.length === 1 && rows[0]?.dataset.transferId === id;
      }, transferId);
    await journey.wait('Found by the sender’s address', () => field('admin-search').fill(email), found);
    await journey.wait('Its details', () => field('admin-detail').first().click(), field('admin-timeline'));
  },
};

export const adminsParts: readonly Part[] = [decisions];
