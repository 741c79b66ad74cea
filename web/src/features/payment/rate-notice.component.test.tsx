import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { QuoteView } from '#core/contracts/http/rates';
import { expectAccessible } from '../../testing/accessibility.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeLive } from '../../testing/fake-live.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { quoteFor, sampleBoard } from '../../testing/sample-rates.ts';
import { RateNotice } from './rate-notice.tsx';

const api = installFakeApi();
const live = installFakeLive();
const hundred = { amount: '100.00', currency: 'USD' };
const notice = page.getByTestId('pay-rate-notice');

beforeEach(() => api.answer({ getRates: () => sampleBoard(), quote: ({ body }) => quoteFor(body) }));

async function open({ locked = false, betterRate = true } = {}) {
  const taken: QuoteView[] = [];
  const element = (
    <RateNotice
      accepted={{ ...quoteFor(hundred), betterRate, expiresAt: '2026-11-20T14:30:00.000Z' }}
      change={locked ? null : { is: 'idle' }}
      onChange={(quote) => void taken.push(quote)}
    />
  );
  await renderApp([{ path: '/', element }]);
  const kept = betterRate
    ? /^Te guardamos esta tasa hasta las \d\d:\d\d\. Si mejora antes de que aprobemos el cobro, recibes la mejor\.$/
    : /^Te guardamos esta tasa hasta las \d\d:\d\d\.$/;
  await expect.element(notice).toMatchTextContent(kept);
  return taken;
}

test('a worse rate leaves an open payment at its accepted rate and says so', async () => {
  await open({ betterRate: false });
  live.push('rate:changed', sampleBoard({ rate: '11.50' }));
  await expect
    .element(notice)
    .toMatchTextContent(/^La tasa bajó\. Tu tasa aceptada se mantiene hasta las \d\d:\d\d\.$/);
  await expect.element(page.getByTestId('pay-use-better')).not.toBeInTheDocument();
});

test('a better rate is offered to an open payment with what arrives at it, and is taken on request', async () => {
  const taken = await open();
  api.answer({ quote: ({ body }) => quoteFor(body, '11.60') });
  live.push('rate:changed', sampleBoard({ rate: '11.60' }));
  const better = page.getByTestId('pay-better-rate');
  await expect.element(better).toHaveAttribute('data-bs', '1119.40');
  await expect.element(notice).toMatchTextContent(/tu tasa aceptada se mantiene hasta las \d\d:\d\d/);
  await expectAccessible();
  await page.getByTestId('pay-use-better').click();
  expect(taken.map(({ rate }) => rate)).toEqual(['11.60']);
});

test('a better rate cannot be taken while the card is being authenticated', async () => {
  await open({ locked: true });
  api.answer({ quote: ({ body }) => quoteFor(body, '11.60') });
  live.push('rate:changed', sampleBoard({ rate: '11.60' }));
  await expect.element(page.getByTestId('pay-use-better')).toBeDisabled();
});
