import { join } from 'node:path';
import { ConfigurationError } from '../platform/configuration/configuration-error.ts';
import { checkInstallation } from '../platform/configuration/installation.ts';
import { sandboxValues } from '../platform/configuration/mode-rule.ts';
import { withPassword } from '../platform/configuration/variables.ts';
import type { DatabaseUrls } from './database.ts';
import { Failure } from './failure.ts';
import { checkoutHome } from './paths.ts';

/** Password of the demo accounts, which exist only with the sandbox. */
const demoPassword = 'chasqui-demo-2026';

type Variables = Record<string, string | undefined>;

/** The processes to run and their environment; derived from the environment alone. */
export interface Config {
  port: number;
  publicUrl: string;
  /** Undefined: the embedded PostgreSQL. */
  database: DatabaseUrls | undefined;
  redisUrl: string | undefined;
  /** Undefined: Stripe, bank, prices and mail are the real ones. */
  sandbox: { port: number; smtpPort: number; url: string; env: Variables } | undefined;
  /** Password of the demo accounts; undefined where Stripe is real and no demo data is seeded. */
  demoPassword: string | undefined;
  /** Environment of the installation, all but the database's; each server gets its part of it. */
  env: Variables;
}

/** Throws `Failure` for invalid, missing or conflicting variables. */
export function readConfig(given: Variables): Config {
  const source = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const port = readPort('PORT', source.PORT, 3000);
  const sandboxPort = readPort('SANDBOX_PORT', source.SANDBOX_PORT, port + 1);
  const smtpPort = readPort('SANDBOX_SMTP_PORT', source.SANDBOX_SMTP_PORT, sandboxPort + 1);
  const publicUrl = source.PUBLIC_URL ?? `http://localhost:${port}`;
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  // Without a key of Stripe's own it is the sandbox.
  const key = source.STRIPE_SECRET_KEY ?? source.STRIPE_SECRET_KEY_API ?? sandboxValues.STRIPE_SECRET_KEY;
  const mode = source.CHASQUI_MODE ?? (key === sandboxValues.STRIPE_SECRET_KEY ? 'sandbox' : 'real');
  const isSandbox = mode === 'sandbox';
  const env: Variables = {
    ...(isSandbox && {
      ...sandboxValues,
      STRIPE_API_URL: sandboxUrl,
      STRIPE_JS_URL: `http://localhost:${sandboxPort}/stripe.js`,
      BANK_API_URL: `${sandboxUrl}/bank`,
      WATCHMAN_URL: `${sandboxUrl}/watchman`,
      RATE_SOURCES_URL: `${sandboxUrl}/prices`,
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      BETTER_RATE: 'on',
      HELP_WHATSAPP: '+591 70000000',
      HELP_EMAIL: 'ayuda@chasqui.test',
      DEMO_PASSWORD: demoPassword,
      // Anybody knows that password: only this machine gets in, unless the caller opens it.
      LISTEN_ADDRESS: '127.0.0.1',
    }),
    ...source,
    CHASQUI_MODE: mode,
    PORT: String(port),
    PUBLIC_URL: publicUrl,
  };
  for (const name of databaseVariables) delete env[name];
  checkConfiguration(env);
  return {
    port,
    publicUrl,
    database: databaseOf(source),
    redisUrl: source.REDIS_URL && withPassword(source.REDIS_URL, source.REDIS_PASSWORD),
    sandbox: isSandbox ? { port: sandboxPort, smtpPort, url: sandboxUrl, env: sandboxEnv() } : undefined,
    demoPassword: env.DEMO_PASSWORD,
    env,
  };

  function sandboxEnv(): Variables {
    return {
      ...source,
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_SMTP_PORT: String(smtpPort),
      SANDBOX_DATA_DIR: source.SANDBOX_DATA_DIR ?? join(checkoutHome, 'sandbox'),
      SANDBOX_WEBHOOK_URL: source.SANDBOX_WEBHOOK_URL ?? `http://127.0.0.1:${port}/api/stripe/webhook`,
      SANDBOX_PUBLIC_URL: source.SANDBOX_PUBLIC_URL ?? `http://localhost:${sandboxPort}`,
      SANDBOX_STRIPE_SECRET_KEY: sandboxValues.STRIPE_SECRET_KEY,
      SANDBOX_STRIPE_PUBLISHABLE_KEY: sandboxValues.STRIPE_PUBLISHABLE_KEY,
      SANDBOX_STRIPE_WEBHOOK_SECRET: sandboxValues.STRIPE_WEBHOOK_SECRET,
      SANDBOX_BANK_KEY: sandboxValues.BANK_API_KEY,
    };
  }
}

const databaseVariables = ['DATABASE_URL', 'DATABASE_PASSWORD', 'DATABASE_OWNER_URL', 'DATABASE_OWNER_PASSWORD'];

function databaseOf(source: Variables): DatabaseUrls | undefined {
  if (source.DATABASE_URL === undefined) return undefined;
  const url = withPassword(source.DATABASE_URL, source.DATABASE_PASSWORD);
  const owner = source.DATABASE_OWNER_URL;
  return { url, ownerUrl: owner === undefined ? url : withPassword(owner, source.DATABASE_OWNER_PASSWORD) };
}

/**
 * Rejects, before anything starts, a configuration that the processes would reject. The address of the database is
 * checked by connecting.
 */
function checkConfiguration(env: Variables) {
  try {
    checkInstallation({ ...env, DATABASE_URL: 'postgresql://localhost' });
  } catch (error) {
    throw error instanceof ConfigurationError ? new Failure(error.message) : error;
  }
}

function readPort(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Failure(`${name} debe ser un número de puerto entre 1 y 65535, no «${text}».`);
}
