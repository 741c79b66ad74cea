import { join } from 'node:path';
import { Failure } from './failure.ts';
import { checkoutHome } from './places.ts';

/** Of the demo accounts, which exist only beside the sandbox. */
const demoPassword = 'chasqui-demo-2026';

/** Nobody's wallet on Solana: where coins go that are only played. */
const demoWallet = 'ChasquiDemo111111111111111111111111111111111';

type Variables = Record<string, string | undefined>;

/** What will run and with which environment; derived from the environment alone. */
export interface Plan {
  port: number;
  publicUrl: string;
  /** Undefined: the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  /** Undefined: the outside world is the real one. */
  sandbox: { port: number; smtpPort: number; url: string; env: Variables } | undefined;
  /** Password of the demo accounts; undefined where Stripe is real and no demo data is seeded. */
  demoPassword: string | undefined;
  /** Environment of api, worker and the database commands, all but DATABASE_URL. */
  env: Variables;
}

/** Throws `Failure` for a variable that cannot be right or a real key that stands alone. */
export function makePlan(given: Variables): Plan {
  const source = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const port = readPort('PORT', source.PORT, 3000);
  const sandboxPort = readPort('SANDBOX_PORT', source.SANDBOX_PORT, port + 1);
  const smtpPort = readPort('SANDBOX_SMTP_PORT', source.SANDBOX_SMTP_PORT, sandboxPort + 1);
  const publicUrl = source.PUBLIC_URL ?? `http://localhost:${port}`;
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const stripeIsReal = isReal(source);
  if (stripeIsReal) requireCompany(source);
  const bankIsReal = source.BANK_API_URL !== undefined;

  const env: Variables = { ...source, PORT: String(port), PUBLIC_URL: publicUrl };
  if (!stripeIsReal) {
    Object.assign(env, {
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
      STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
      STRIPE_API_URL: sandboxUrl,
      STRIPE_JS_URL: `http://localhost:${sandboxPort}/stripe.js`,
      CRYPTO_WALLET_ADDRESS: source.CRYPTO_WALLET_ADDRESS ?? demoWallet,
    });
  }
  if (!bankIsReal) Object.assign(env, { BANK_API_URL: `${sandboxUrl}/bank`, BANK_API_KEY: 'bank_sandbox' });
  if (!stripeIsReal) {
    env.HELP_WHATSAPP ??= '+591 70000000';
    env.HELP_EMAIL ??= 'ayuda@chasqui.test';
  }
  const sandboxRuns = !stripeIsReal || !bankIsReal;
  if (sandboxRuns) {
    env.RATE_SOURCES_URL ??= `${sandboxUrl}/prices`;
    env.SMTP_URL ??= `smtp://127.0.0.1:${smtpPort}`;
  }

  const password = stripeIsReal ? undefined : (source.DEMO_PASSWORD ?? demoPassword);
  return {
    port,
    publicUrl,
    databaseUrl: source.DATABASE_URL,
    redisUrl: source.REDIS_URL,
    sandbox: sandboxRuns ? { port: sandboxPort, smtpPort, url: sandboxUrl, env: sandboxEnv() } : undefined,
    demoPassword: password,
    env: { ...env, DEMO_PASSWORD: password },
  };

  function sandboxEnv(): Variables {
    return {
      ...source,
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_SMTP_PORT: String(smtpPort),
      SANDBOX_DATA_DIR: source.SANDBOX_DATA_DIR ?? join(checkoutHome, 'sandbox'),
      SANDBOX_WEBHOOK_URL: source.SANDBOX_WEBHOOK_URL ?? `http://127.0.0.1:${port}/api/stripe/webhook`,
      SANDBOX_PUBLIC_URL: source.SANDBOX_PUBLIC_URL ?? `http://localhost:${sandboxPort}`,
      SANDBOX_STRIPE_SECRET_KEY: 'sk_test_sandbox',
      SANDBOX_STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
      SANDBOX_STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
      SANDBOX_BANK_KEY: 'bank_sandbox',
    };
  }
}

function isReal({ STRIPE_SECRET_KEY: key }: Variables): boolean {
  return key !== undefined && key !== 'sk_test_sandbox';
}

/** A real key needs its companions, and real money a real bank. */
function requireCompany(source: Variables) {
  const needed = ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'];
  if (source.STRIPE_SECRET_KEY?.startsWith('sk_live_')) needed.push('BANK_API_URL', 'BANK_API_KEY');
  const missing = needed.filter((name) => source[name] === undefined);
  if (missing.length > 0) {
    throw new Failure(
      `Con esa STRIPE_SECRET_KEY falta además ${new Intl.ListFormat('es').format(missing)}: añádelo a .env.`,
    );
  }
}

function readPort(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Failure(`${name} debe ser un número de puerto entre 1 y 65535, no «${text}».`);
}
