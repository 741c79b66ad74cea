import { describe, expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { answer, failure, usePaymentFixture } from './payment-fixture.ts';

const { browser, open } = usePaymentFixture();

test('/stripe-demo simulates a card payment, says so and makes no call', async () => {
  const page = await browser.newPage();
  await open(page, '/stripe-demo');
  await page.getByText('Esto es un simulador').waitFor();
  for (const number of ['4242 4242 4242 4242', '4000 0000 0000 0002']) await page.getByText(number).first().waitFor();
  await expectAccessible(page);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(request.url()));
  const type = (field: string, text: string) => page.getByTestId(`demo-${field}`).pressSequentially(text);
  await type('number', '5555555555554444');
  await page.getByTestId('demo-submit').click();
  await page.getByText('aquí nunca va una tarjeta real').waitFor();
  await page.getByTestId('demo-number').fill('');
  await type('number', '40000000000000029');
  await type('expiry', '12345');
  await type('cvc', '1234');
  const value = (field: string) => page.getByTestId(`demo-${field}`).inputValue();
  expect([await value('number'), await value('expiry'), await value('cvc')]).toEqual([
    '4000 0000 0000 0002',
    '12/34',
    '123',
  ]);
  expect(await page.getByTestId('demo-cvc').getAttribute('type')).toBe('password');
  await page.getByTestId('demo-submit').click();
  await page.getByTestId('demo-declined').waitFor();
  await page.getByTestId('demo-number').fill('');
  await type('number', '4242424242424242');
  const before = performance.now();
  await page.getByTestId('demo-submit').click();
  await expectText(page, 'message demo card: busy');
  await page.getByTestId('demo-success').waitFor();
  expect(performance.now() - before).toBeGreaterThan(1900);
  expect(await page.getByTestId('demo-reference').textContent()).toMatch(/^REF\d{9}$/);
  expect(calls).toEqual([]);
  await expectAccessible(page);
  await page.getByTestId('demo-again').click();
  expect(await value('number')).toBe('');
  covers('route /stripe-demo', 'rule demo card', 'constant demo processing 2 s', 'constant demo card numbers');
});

describe('/test-login', () => {
  test('/test-login signs the test user up, later in, and leads to /stripe', async () => {
    // A browser logs the 401 of the first try as an error of its own.
    const page = await browser.newPage({ expectedErrors: [/status of 401/] });
    for (const _time of ['up', 'in']) {
      await open(page, '/test-login');
      await page.getByTestId('test-login').click();
      await page.waitForURL((url) => url.pathname === '/stripe');
      expect(await page.evaluate(() => localStorage.getItem('auth_token'))).not.toBeNull();
      await page.evaluate(() => localStorage.clear());
    }
    covers('route /test-login', 'call POST /api/auth/login', 'call POST /api/auth/register');
  });

  test('/test-login says that neither signing in nor signing up worked', async () => {
    const page = await browser.newPage({ expectedErrors: [/status of 503/] });
    await answer(page, '/api/auth/login', 503, failure('unavailable'));
    await open(page, '/test-login');
    await page.getByTestId('test-login').waitFor();
    await expectAccessible(page);
    await page.getByTestId('test-login').click();
    await expectText(page, 'message test login: failed');
  });

  test.each(['/test-login', '/stripe-demo'])('%s does not exist where real keys are configured', async (path) => {
    const page = await browser.newPage();
    const config = { publishableKey: 'pk_test_real', scriptUrl: null, mode: 'test' };
    await answer(page, '/api/payments/config', 200, config);
    await open(page, path);
    await expectText(page, 'route any other path');
    expect(await page.getByTestId('test-login').count()).toBe(0);
  });
});
