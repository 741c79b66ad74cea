import { beforeEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { QuoteView } from '#core/contracts/http/rates';
import type { SendCurrency } from '#core/money/money';
import { expectAccessibleAtAnyWidth } from '../../testing/accessibility.ts';
import { covers } from '../../testing/conformance.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeLive } from '../../testing/fake-live.ts';
import { plain } from '../../testing/plain.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { quoteFor, sampleBoard, sampleComparison, sampleRate } from '../../testing/sample-rates.ts';
import { Calculator } from './calculator.tsx';
import type { CalculatedSending } from './use-calculator.ts';

const api = installFakeApi();
const live = installFakeLive();

const collectedAt = '2026-11-20T14:00:00.000Z';
const currencyOf = (params: Readonly<Record<string, unknown>>) => params.currency as SendCurrency;

beforeEach(() =>
  api.answer({
    getRate: ({ params }) => sampleRate(currencyOf(params)),
    quote: ({ body }) => quoteFor(body),
    exchangeRates: () => sampleComparison,
    scraperFor: ({ params }) => ({
      timestamp: collectedAt,
      amount: '100.00',
      currency: currencyOf(params),
      results: {
        westernUnion: { name: 'Western Union', rate: '11.00', fee: '5.00', freshness: 'live', collectedAt },
        moneyGram: { name: 'MoneyGram', rate: '7.70', fee: '3.99', freshness: 'reference', collectedAt: null },
        ria: { name: 'Ria', rate: '11.40', fee: '1.00', freshness: 'live', collectedAt },
      },
    }),
  }),
);

const field = (testid: string) => page.getByTestId(`calculator-${testid}`);
const shows = (testid: string, text: string | RegExp) => expect.element(field(testid)).toMatchTextContent(text);
const choose = (currency: SendCurrency) => field('currency').getByText(currency).click();

async function open() {
  const submitted: CalculatedSending[] = [];
  await renderApp([{ path: '/', element: <Calculator onSubmit={(sending) => void submitted.push(sending)} /> }]);
  return submitted;
}

test('the calculator shows what arrives for 100 dollars and follows amount and currency', async () => {
  await open();
  await shows('bs', 'Bs 1.114,57');
  await shows('fee', '$ 3,50');
  await shows('net', '$ 96,50');
  await expect.element(field('amount')).toHaveValue('100');
  await expect.element(field('estimate')).not.toBeInTheDocument();
  await field('amount').fill('20.50');
  await shows('fee', '$ 0,72');
  covers('call GET /api/rate/{currency}', 'call POST /api/quote', 'constant default amount 100', 'constant fee 3.5 %');
  await field('amount').fill('100');
  await choose('EUR');
  await shows('bs', 'Bs 1.291,17');
  await expect.element(field('rate')).toHaveAttribute('data-rate', '13.38');
  covers('rule calculator quotes', 'constant currencies USD and EUR');
});

test('changes the side of an amount only once its quote is there, so that no amount is lost', async () => {
  await open();
  await shows('bs', 'Bs 1.114,57');
  const { promise, resolve } = Promise.withResolvers<void>();
  api.answer({ quote: ({ body }) => promise.then(() => quoteFor(body)) });
  await field('amount').fill('250');
  await expect.element(field('side')).toHaveAttribute('aria-disabled', 'true');
  field('side')
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true }));
  await expect.element(field('amount')).toHaveValue('250');
  resolve();
  await field('side').click();
  await expect.element(field('receive')).toHaveValue('2786,43');
});

test('the calculator estimates with a rate of one’s own, and goes back to the rate in force', async () => {
  await open();
  await shows('bs', 'Bs 1.114,57');
  await field('rate').fill('12');
  await shows('bs', 'Bs 1.158,00');
  await shows('estimate', /Estimación.*no es una tasa de Chasqui. Tu envío usa siempre la nuestra: 1 USD = 11,55 Bs/);
  await expect.element(field('rate')).toHaveAttribute('data-rate', '11.55');
  await expectAccessibleAtAnyWidth();
  await field('real-rate').click();
  await shows('bs', 'Bs 1.114,57');
  await expect.element(field('own-rate')).not.toBeInTheDocument();
  await field('rate').fill('12.00');
  await shows('bs', 'Bs 1.158,00');
  await field('refresh').click();
  await shows('bs', 'Bs 1.114,57');
  await expect.element(field('rate')).toHaveValue('11,55');
  covers('rule calculator rate');
});

test('a rate of one’s own is marked as such beside the comparison, where ours stays what it is and nothing is claimed', async () => {
  await open();
  await expect.element(field('claim')).toBeVisible();
  await field('rate').fill('20');
  await shows('own-rate', /Tu tasa.*Bs 1.930,00.*1 USD = 20,00 Bs\. No es una tasa de Chasqui/);
  const prices = field('price')
    .elements()
    .map(({ textContent }) => plain(textContent));
  expect(prices.map((text) => /Bs [\d.,]+\d{2}(?=1 USD)/.exec(text)?.[0])).toEqual([
    'Bs 1.114,57',
    'Bs 1.045,00',
    'Bs 739,27',
  ]);
  await expect.element(field('claim')).not.toBeInTheDocument();
  expect(page.getByText('Frente al mercado').query()).toBeNull();
});

test('the calculator says how much to pay for bolivianos that have to arrive, compares that, and hands both on', async () => {
  const submitted = await open();
  await shows('bs', 'Bs 1.114,57');
  await field('side').click();
  await field('receive').fill('2.000');
  await shows('amount', '$ 179,46');
  await shows('bs', 'Bs 2.000,11');
  await expect.poll(() => api.calls.filter(({ name }) => name === 'scraperFor').at(-1)?.params.amount).toBe('179.46');
  await field('submit').click();
  await expect.poll(() => submitted[0]).toMatchObject({ sendAmount: '179.46', receive: '2000', bs: '2000.11' });
  await field('side').click();
  await expect.element(field('amount')).toHaveValue('179,46');
});

test('competitors’ rates have as many decimals as ours', async () => {
  const price = { name: 'Western Union', rate: '11.1434', fee: '5.00', freshness: 'live', collectedAt } as const;
  api.answer({
    scraperFor: () => ({ timestamp: collectedAt, amount: '100.00', currency: 'USD', results: { westernUnion: price } }),
  });
  await open();
  await shows('prices', /Western Union.*1 USD = 11,14 Bs/);
});

test('the calculator says nothing about an empty field, and takes nothing below 1', async () => {
  await open();
  await shows('bs', 'Bs 1.114,57');
  await field('amount').fill('');
  await shows('bs', 'Bs —');
  await expect.element(field('submit')).toBeDisabled();
  expect(document.querySelector('[aria-invalid=true]')).toBeNull();
  await field('amount').fill('0,5');
  (document.activeElement as HTMLElement).blur();
  await expect.element(field('amount')).toHaveValue('1');
  covers('constant calculator minimum 1');
});

test('the calculator compares with the two services for the same total paid, and claims what the server proves', async () => {
  await open();
  const prices = field('prices');
  await expect.element(prices.getByText('Bs 1.045,00')).toBeVisible();
  await expect.element(prices.getByText('MoneyGram')).toBeVisible();
  await expect.element(prices.getByText(/Valor de referencia/)).toBeVisible();
  expect(prices.getByText('Ria').query()).toBeNull();
  covers('call GET /api/scraper/{currency}/{amount}', 'constant received = (amount - fee) x rate');
  await expect.element(field('claim')).toMatchTextContent(/llegan hasta 2,0 % más bolivianos/);
});

test('the calculator never shows an old answer for a new amount, however late it comes', async () => {
  const late = Promise.withResolvers<QuoteView>();
  const amountOf = (body: unknown) => (body as { amount: string }).amount;
  api.answer({ quote: ({ body }) => (amountOf(body) === '200' ? late.promise : quoteFor(body)) });
  await open();
  await shows('bs', 'Bs 1.114,57');
  await field('amount').fill('200');
  await expect.poll(() => api.calls.some(({ body }) => body && amountOf(body) === '200')).toBe(true);
  await expect.element(field('bs')).not.toMatchTextContent('1.114,57');
  await field('amount').fill('300');
  await shows('bs', 'Bs 3.343,72');
  late.resolve(quoteFor({ amount: '200', currency: 'USD' }));
  await late.promise;
  await shows('bs', 'Bs 3.343,72');
  await field('amount').fill('200');
  await shows('bs', 'Bs 2.229,15');
});

describe('without a connection', () => {
  const nothing = () => 'no connection' as const;

  test('the calculator estimates with the constants of the specification, says so, and takes the real figures when there are any', async () => {
    api.answer({ getRate: nothing, quote: nothing, scraperFor: nothing, exchangeRates: nothing });
    await open();
    await shows('bs', 'Bs 833,00');
    await shows('fee', '$ 2,00');
    await shows('estimate', /Estimación.*comisión de 2 % y 1 USD = 8,50 Bs/);
    await shows('prices', /Western Union.*7,80 Bs.*Comisión \$ 4,99.*Valor de referencia/);
    await expect.element(field('claim')).not.toBeInTheDocument();
    covers('constant default rate 8.5', 'constant fallback fee 2 %', 'constant competitor fallbacks');
    await choose('EUR');
    await shows('estimate', /1 EUR = 9,35 Bs/);
    covers('constant euro at 1.1');
    api.answer({ getRate: () => sampleRate('EUR'), quote: ({ body }) => quoteFor(body) });
    await field('retry').click();
    await shows('bs', 'Bs 1.291,17');
    await expect.element(field('estimate')).not.toBeInTheDocument();
  });

  test('the calculator estimates a new amount with the last figures it saw', async () => {
    await open();
    await shows('bs', 'Bs 1.114,57');
    api.answer({ quote: nothing });
    await field('amount').fill('50');
    await shows('bs', 'Bs 557,28');
    await shows('estimate', /lo último que vimos.*comisión de 3,5 % y 1 USD = 11,55 Bs/);
  });

  test('the calculator keeps its figures when a refetch behind the person’s back fails', async () => {
    await open();
    await shows('bs', 'Bs 1.114,57');
    const asked = api.calls.length;
    api.answer({ getRate: nothing, quote: nothing, scraperFor: nothing, exchangeRates: nothing });
    live.connect();
    await expect.poll(() => api.calls.length).toBeGreaterThan(asked + 2);
    await shows('bs', 'Bs 1.114,57');
    await expect.element(field('estimate')).not.toBeInTheDocument();
  });
});

test('the calculator follows a pushed rate, and says that payments in its currency are paused', async () => {
  await open();
  await shows('bs', 'Bs 1.114,57');
  api.answer({ quote: ({ body }) => quoteFor(body, '11.60') });
  live.push('rate:changed', sampleBoard({ rate: '11.60' }));
  await shows('bs', 'Bs 1.119,40');
  live.push('rate:changed', sampleBoard({ rate: '11.60', paused: true }));
  await shows('paused', 'Pausamos los envíos en esta moneda');
  await expect.element(field('submit')).toBeDisabled();
});

test('the calculator hands on the server’s figures, never an estimate', async () => {
  const submitted = await open();
  await shows('bs', 'Bs 1.114,57');
  await field('rate').fill('12');
  await shows('bs', 'Bs 1.158,00');
  await field('submit').click();
  await expect
    .poll(() => submitted)
    .toEqual([
      { sendAmount: '100', rate: '11.55', netAmount: '96.50', bs: '1114.57', feeUSD: '3.50', currency: 'USD' },
    ]);
});
