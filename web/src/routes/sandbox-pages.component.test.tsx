import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { testUser } from '#core/contracts/test-user';
import { storedToken } from '../lib/storage.ts';
import { expectAccessibleAtAnyWidth } from '../testing/accessibility.ts';
import { covers, expectText } from '../testing/conformance.ts';
import { installFakeApi } from '../testing/fake-api.ts';
import { renderApp, senderSession } from '../testing/render-app.tsx';
import SandboxOnly from './sandbox-only.tsx';
import StripeDemoPage from './stripe-demo.tsx';
import TestLoginPage from './test-login.tsx';

const api = installFakeApi();

async function open(address: '/stripe-demo' | '/test-login', mode: 'sandbox' | 'test' = 'sandbox') {
  api.answer({ paymentConfig: () => ({ publishableKey: 'pk_test_x', scriptUrl: null, mode }) });
  const children = [
    { path: '/stripe-demo', element: <StripeDemoPage /> },
    { path: '/test-login', element: <TestLoginPage /> },
  ];
  return renderApp(
    [
      { element: <SandboxOnly />, children },
      { path: '/stripe', element: 'Tu remesa' },
    ],
    address,
  );
}

const field = (name: string) => page.getByTestId(`demo-${name}`);

test('/stripe-demo simulates a card payment, says so and makes no call', async () => {
  const { screen } = await open('/stripe-demo');
  await expect.element(screen.getByText('Esto es un simulador')).toBeVisible();
  await expectAccessibleAtAnyWidth();
  await field('number').fill('5555555555554444');
  await field('submit').click();
  await expect.element(screen.getByText(/aquí nunca va una tarjeta real/)).toBeVisible();
  await field('number').fill('40000000000000029');
  await field('expiry').fill('12345');
  await field('cvc').fill('1234');
  await expect.element(field('number')).toHaveValue('4000 0000 0000 0002');
  await expect.element(field('expiry')).toHaveValue('12/34');
  await expect.element(field('cvc')).toHaveValue('123');
  await expect.element(field('cvc')).toHaveAttribute('type', 'password');
  await field('submit').click();
  await expect.element(screen.getByTestId('demo-declined')).toBeVisible();
  await field('number').fill('4242424242424242');
  const before = performance.now();
  await field('submit').click();
  await expectText('message demo card: busy');
  await expect.element(screen.getByTestId('demo-success')).toBeVisible();
  expect(performance.now() - before).toBeGreaterThan(1900);
  await expect.element(screen.getByTestId('demo-reference')).toMatchTextContent(/^REF\d{9}$/);
  await expectAccessibleAtAnyWidth();
  await field('again').click();
  await expect.element(field('number')).toHaveValue('');
  expect(api.calls.map(({ name }) => name)).toEqual(['paymentConfig']);
  covers('route /stripe-demo', 'rule demo card', 'constant demo processing 2 s', 'constant demo card numbers');
});

test.each([
  ['in', () => senderSession, ['login']],
  ['up', () => ({ failure: 'invalid_credentials', status: 401 }) as const, ['login', 'register']],
] as const)('/test-login signs the test user %s and leads to /stripe', async (_way, login, calls) => {
  api.answer({ login, register: () => senderSession });
  const { screen } = await open('/test-login');
  await screen.getByTestId('test-login').click();
  await expect.element(screen.getByText('Tu remesa')).toBeVisible();
  expect(storedToken()).toBe(senderSession.token);
  expect(api.calls.map(({ name }) => name).filter((name) => name !== 'paymentConfig')).toEqual(calls);
  for (const { name, body } of api.calls) if (name === 'login') expect(body).toMatchObject({ email: testUser.email });
  covers('route /test-login');
});

test('/test-login says that neither signing in nor signing up worked', async () => {
  api.answer({ login: () => ({ failure: 'unavailable', status: 503 }) });
  const { screen } = await open('/test-login');
  await expect.element(screen.getByTestId('test-login')).toBeVisible();
  await expectAccessibleAtAnyWidth();
  await screen.getByTestId('test-login').click();
  await expectText('message test login: failed');
});

test.each(['/test-login', '/stripe-demo'] as const)(
  '%s does not exist where real keys are configured',
  async (address) => {
    const { screen } = await open(address, 'test');
    await expectText('route any other path');
    await expect.element(screen.getByTestId('test-login')).not.toBeInTheDocument();
  },
);
