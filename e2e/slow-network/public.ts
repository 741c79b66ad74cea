import { type Part, painted, withBolivianos } from './waits.ts';

const prices: Part = {
  title: '7. Calculator and comparison',
  take: async (product, journey) => {
    const page = await journey.phone(product);
    const field = (testid: string) => page.getByTestId(testid);
    await page.goto(product.url());
    await field('first-answer').or(field('calculator')).first().scrollIntoViewIfNeeded();
    const figure = withBolivianos(field('calculator-bs'));
    await figure.waitFor();
    const before = await figure.textContent();
    const another = figure.filter({ hasNotText: before ?? '' });
    await journey.wait('What arrives for another amount', () => field('calculator-amount').fill('340'), another);
    const open = () => page.goto(`${product.url()}/rate-tester`, { waitUntil: 'commit' });
    const row = withBolivianos(field('comparison-row'));
    await journey.wait('The comparison, opened from there', open, row);
    const first = await row.first().textContent();
    const other = row.first().filter({ hasNotText: first ?? '' });
    await journey.wait('… for another amount', () => field('comparison-amount').fill('340'), other);
  },
};

const help: Part = {
  title: '8. Help',
  take: async (product, journey) => {
    const page = await journey.phone(product);
    const field = (testid: string) => page.getByTestId(testid);
    const open = () => page.goto(`${product.url()}/ayuda`, { waitUntil: 'commit' });
    await journey.wait('The page, first visit: its first paint', open, () => painted(page));
    await journey.wait('… whom to write to', async () => undefined, field('help-whatsapp'));
    const search = () => field('help-search').fill('reembolso');
    await journey.wait('Answers to “reembolso”', search, field('help-count').filter({ hasText: /\d/ }));
  },
};

export const publicParts: readonly Part[] = [prices, help];
