import { variablesOf } from '../../platform/configuration/secrets.ts';

/** Environment of Node processes that tests start: a second start of the same program compiles nothing again. */
export { compileCache } from '../paths.ts';

/**
 * Environment of api, worker and the database commands in tests, all but DATABASE_URL: keys of the sandbox, whatever
 * the developer's own environment holds, and addresses that do not answer until a test replaces them.
 */
export const testEnvironment = {
  CHASQUI_MODE: 'sandbox',
  NODE_ENV: 'test',
  LOG_LEVEL: 'warn',
  DATABASE_PASSWORD: '',
  DATABASE_OWNER_URL: '',
  DATABASE_OWNER_PASSWORD: '',
  REDIS_URL: '',
  STRIPE_SECRET_KEY: 'sk_test_sandbox',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
  STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
  SECOND_FACTOR_KEY: 'Y2hhc3F1aS1zYW5kYm94LXNlY29uZC1mYWN0b3JzLTE=',
  PERSONAL_DATA_KEY: 'Y2hhc3F1aS1zYW5kYm94LXBlcnNvbmFsLWRhdGEtMSE=',
  STRIPE_API_URL: 'http://127.0.0.1:9',
  STRIPE_JS_URL: 'http://localhost:9/stripe.js',
  CRYPTO_WALLET_ADDRESS: 'ChasquiDemo111111111111111111111111111111111',
  BANK_API_URL: 'http://127.0.0.1:9/bank',
  BANK_API_KEY: 'bank_sandbox',
  WATCHMAN_URL: 'none',
  // Tests of tier limits set them; elsewhere no tier restricts payments.
  LIMIT_EMAIL_USD: 'none',
  LIMIT_IDENTITY_USD: 'none',
  RATE_SOURCES_URL: 'http://127.0.0.1:9/prices',
  SMTP_URL: 'smtp://127.0.0.1:9',
  PUSH_PUBLIC_KEY: 'BEkiQkZEuJwc6PkskNICAn6Sat8-oRB58CiwmS4HwN0wto_bzeurY_ChA-2HEsNF0gaen1Tr3g0cJHWuFpfD_AY',
  PUSH_PRIVATE_KEY: 'C-Yjg62Bm618D2AXaNDkZlRXjp1F99pyWI_cmMlmpAs',
  ADMIN_EMAIL: '',
  ADMIN_PASSWORD: '',
  DEMO_PASSWORD: '',
};

/** As a real installation is configured, over `testEnvironment`: Stripe's own test mode, so that it may run outside production. */
export const realEnvironment = {
  CHASQUI_MODE: 'real',
  PUBLIC_URL: 'https://chasqui.example',
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
  SECOND_FACTOR_KEY: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  PERSONAL_DATA_KEY: 'Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=',
  STRIPE_API_URL: '',
  STRIPE_JS_URL: '',
  CRYPTO_WALLET_ADDRESS: '',
  BANK_API_URL: 'https://bank.example/api',
  BANK_API_KEY: 'bank_x',
  WATCHMAN_URL: 'http://watchman:8084',
  RATE_SOURCES_URL: '',
  SMTP_URL: '',
  PUSH_PUBLIC_KEY: '',
  PUSH_PRIVATE_KEY: '',
};

/** The same as the api gets it: without the secrets of the worker. */
export const realApiEnvironment = variablesOf('api', { ...testEnvironment, ...realEnvironment });
