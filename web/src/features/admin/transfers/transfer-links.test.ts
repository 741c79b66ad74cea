import { expect, test } from 'vitest';
import { paymentAddress } from './transfer-links.tsx';

test('a payment opens in Stripe’s dashboard by mode, and in the sandbox in the simulator', () => {
  const config = { publishableKey: 'pk', scriptUrl: null };
  expect(paymentAddress({ ...config, mode: 'live' }, 'pi_1')).toBe('https://dashboard.stripe.com/payments/pi_1');
  expect(paymentAddress({ ...config, mode: 'test' }, 'pi_1')).toBe('https://dashboard.stripe.com/test/payments/pi_1');
  const scriptUrl = 'http://127.0.0.1:4010/v3/stripe.js';
  expect(paymentAddress({ ...config, mode: 'sandbox', scriptUrl }, 'pi_1')).toBe('http://127.0.0.1:4010/stripe.html');
});
