import type { Page } from 'playwright-core';
import { visit } from './camera.ts';
import { pageOf, type Scene } from './scene.ts';

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

async function fillCard(page: Page): Promise<void> {
  await page.getByTestId('card-number').fill('4242424242424242');
  await page.getByTestId('card-expiry').fill('1234');
  await page.getByTestId('card-cvc').fill('123');
}

/** A payment page from its amount to its success. */
const paymentPage = (name: (typeof pages)[number]): Scene => ({
  name,
  play: async (stage) => {
    const page = await pageOf(stage, stage.demo.sender);
    await visit(page, `${stage.demo.url}/${name}`);
    await page.locator('[data-testid=pay-continue]:not([aria-disabled])').waitFor();
    await stage.camera.shoot(page, `${name}-amount`);
    await page.getByTestId('pay-continue').click();
    await page.getByTestId('card-number').waitFor();
    await stage.camera.shoot(page, `${name}-card`);
    await fillCard(page);
    await page.getByTestId('pay-submit').click();
    if (name === 'stripe-redirect') {
      await page.waitForURL((url) => url.pathname === '/payment-success');
      await page.locator('[data-testid=return][data-outcome=succeeded]').waitFor();
    } else {
      await page.getByTestId('pay-success').waitFor();
    }
    await stage.camera.shoot(page, `${name}-success`);
    await page.context().close();
  },
});

/** Every page on which a card is asked for. */
export const paymentScenes: readonly Scene[] = [
  ...pages.map(paymentPage),
  {
    name: 'stripe-pago-visitor',
    play: async ({ camera, demo }) => {
      const page = await camera.page();
      await visit(page, `${demo.url}/stripe-pago`);
      await page.getByTestId('pay-sign-in-note').waitFor();
      await camera.shoot(page, 'stripe-pago-visitor');
      await page.context().close();
    },
  },
  {
    name: 'payment-success-unknown',
    play: async (stage) => {
      const page = await pageOf(stage, stage.demo.sender);
      await visit(page, `${stage.demo.url}/payment-success`);
      await page.getByText('Algo salió mal').waitFor();
      await stage.camera.shoot(page, 'payment-success-unknown');
      await page.context().close();
    },
  },
  {
    name: 'waiting-for-recipient',
    play: async (stage) => {
      const page = await pageOf(stage, stage.demo.sender);
      await visit(page, `${stage.demo.url}/dashboard`);
      await page.getByTestId('waiting').waitFor();
      await stage.camera.shoot(page, 'waiting-for-recipient', { asSeen: true });
      await page.context().close();
    },
  },
  {
    name: 'stripe-demo',
    play: async ({ camera, demo }) => {
      const page = await camera.page();
      await visit(page, `${demo.url}/stripe-demo`);
      await camera.shoot(page, 'stripe-demo');
      await page.getByTestId('demo-number').fill('4242424242424242');
      await page.getByTestId('demo-expiry').fill('1234');
      await page.getByTestId('demo-cvc').fill('123');
      await page.getByTestId('demo-submit').click();
      await page.getByTestId('demo-success').waitFor();
      await camera.shoot(page, 'stripe-demo-success');
      await page.context().close();
    },
  },
  {
    name: 'crypto',
    play: async (stage) => {
      const page = await pageOf(stage, stage.demo.sender);
      await visit(page, `${stage.demo.url}/stripe-integration-crypto`);
      await page.getByTestId('crypto-wallet').waitFor();
      await stage.camera.shoot(page, 'crypto-details');
      await page.getByTestId('crypto-amount').fill('50');
      await page.getByTestId('crypto-continue').click();
      await page.getByTestId('onramp-pay').waitFor();
      await stage.camera.shoot(page, 'crypto-card');
      await fillCard(page);
      await page.getByTestId('onramp-pay').click();
      await page.getByTestId('crypto-success').waitFor();
      await page.locator('[data-testid=crypto-row][data-status=fulfillment_complete]').waitFor();
      await stage.camera.shoot(page, 'crypto-success');
      await page.context().close();
    },
  },
];
