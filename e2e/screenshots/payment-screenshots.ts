import type { FrameLocator } from 'playwright-core';
import { cardForm, chooseSending, onrampForm } from '../pages.ts';
import { addRecipient, signUpAs } from './demo-data.ts';
import { openPanel } from './pages.ts';
import { pageOf, type Screenshot } from './screenshot.ts';
import { visit } from './screenshot-writer.ts';

const pages = [
  'stripe-pago',
  'stripe-integration',
  'stripe',
  'fixed-stripe',
  'payment-demo',
  'stripe-basic',
  'stripe-simple',
  'stripe-direct',
  'stripe-redirect',
  'simple-stripe',
] as const;

async function fillCard(form: FrameLocator): Promise<void> {
  await form.getByTestId('card-number').fill('4242424242424242');
  await form.getByTestId('card-expiry').fill('1234');
  await form.getByTestId('card-cvc').fill('123');
}

/** A payment page from its amount to its success. */
const paymentPage = (name: (typeof pages)[number]): Screenshot => ({
  name,
  take: async (context) => {
    const page = await pageOf(context, context.demo.sender);
    await visit(page, `${context.demo.url}/${name}`);
    // The same amount on another page at the same time would be the same draft, whose form moves there.
    await page.getByTestId('pay-amount').fill(String(100 + pages.indexOf(name)));
    await page.locator('[data-testid=pay-continue]:not([aria-disabled])').waitFor();
    await context.writer.capture(page, `${name}-amount`);
    await page.getByTestId('pay-continue').click();
    await cardForm(page).getByTestId('card-number').waitFor();
    await context.writer.capture(page, `${name}-card`);
    await fillCard(cardForm(page));
    await page.getByTestId('pay-submit').click();
    if (name === 'stripe-redirect') {
      await page.waitForURL((url) => url.pathname === '/payment-success');
      await page.locator('[data-testid=return][data-outcome=succeeded]').waitFor();
    } else {
      await page.getByTestId('pay-success').waitFor();
    }
    await context.writer.capture(page, `${name}-success`);
    await page.context().close();
  },
});

/** Every page with a card form. */
export const paymentScreenshots: readonly Screenshot[] = [
  ...pages.map(paymentPage),
  {
    name: 'payment-limit',
    take: async (context) => {
      const person = await signUpAs(context.demo, 'Wilma Poma Arce', 'wilma@example.com');
      await addRecipient(person, { name: 'Rosa Mamani Condori' });
      const page = await openPanel(context, person);
      await chooseSending(page, '2500', 'USD');
      await page.getByTestId('send-above-limit').waitFor();
      await context.writer.capture(page, 'payment-limit-form');
      await page.getByTestId('send-submit').click();
      await page.getByTestId('pay-verify').waitFor();
      await context.writer.capture(page, 'payment-limit-refused', { viewportOnly: true });
      await page.getByTestId('pay-verify').click();
      await page.getByTestId('back-to-payment').waitFor();
      await context.writer.capture(page, 'payment-limit-verify');
      await page.context().close();
    },
  },
  {
    name: 'stripe-pago-visitor',
    take: async ({ writer, demo }) => {
      const page = await writer.page();
      await visit(page, `${demo.url}/stripe-pago`);
      await page.getByTestId('pay-sign-in-note').waitFor();
      await writer.capture(page, 'stripe-pago-visitor');
      await page.context().close();
    },
  },
  {
    name: 'payment-success-unknown',
    take: async (context) => {
      const page = await pageOf(context, context.demo.sender);
      await visit(page, `${context.demo.url}/payment-success`);
      await page.getByText(/Algo salió mal|Something went wrong/).waitFor();
      await context.writer.capture(page, 'payment-success-unknown');
      await page.context().close();
    },
  },
  {
    name: 'waiting-for-recipient',
    take: async (context) => {
      const page = await pageOf(context, context.demo.sender);
      await visit(page, `${context.demo.url}/dashboard`);
      await page.getByTestId('under-way-row').first().click();
      await page.getByTestId('recipient-choose').waitFor();
      await context.writer.capture(page, 'waiting-for-recipient', { viewportOnly: true });
      await page.getByTestId('recipient-choose').click();
      await page.getByTestId('choose-account').waitFor();
      await context.writer.capture(page, 'waiting-for-recipient-choice', { viewportOnly: true });
      await page.context().close();
    },
  },
  {
    name: 'stripe-demo',
    take: async ({ writer, demo }) => {
      const page = await writer.page();
      await visit(page, `${demo.url}/stripe-demo`);
      await writer.capture(page, 'stripe-demo');
      await page.getByTestId('demo-number').fill('4242424242424242');
      await page.getByTestId('demo-expiry').fill('1234');
      await page.getByTestId('demo-cvc').fill('123');
      await page.getByTestId('demo-submit').click();
      await page.getByTestId('demo-success').waitFor();
      await writer.capture(page, 'stripe-demo-success');
      await page.context().close();
    },
  },
  {
    name: 'crypto',
    take: async (context) => {
      const page = await pageOf(context, context.demo.sender);
      await visit(page, `${context.demo.url}/stripe-integration-crypto`);
      await page.getByTestId('crypto-wallet').waitFor();
      await context.writer.capture(page, 'crypto-details');
      await page.getByTestId('crypto-amount').fill('50');
      await page.getByTestId('crypto-continue').click();
      const form = onrampForm(page);
      await form.getByTestId('onramp-pay').waitFor();
      await context.writer.capture(page, 'crypto-card');
      await fillCard(form);
      await form.getByTestId('onramp-pay').click();
      await page.getByTestId('crypto-success').waitFor();
      await page.locator('[data-testid=crypto-row][data-status=fulfillment_complete]').waitFor();
      await context.writer.capture(page, 'crypto-success');
      await page.context().close();
    },
  },
];
