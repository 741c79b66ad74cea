import { z } from 'zod';
import { type PaymentMode, paymentModeOf } from '#core/contracts/payment-mode';
import type { FeeSchedule } from '#core/money/fee';
import type { SendingLimits } from '#core/transfers/limits';
import { findSandboxProblems } from './configuration/sandbox-rule.ts';

const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const dollars = (fallback: bigint) =>
  z.coerce
    .bigint()
    .positive()
    .default(fallback)
    .transform((amount) => amount * 100n);

const schema = z
  .object({
    NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
    PUBLIC_URL: webUrl.optional(),
    TRUST_PROXY: z
      .string()
      .default('')
      .transform((list) => list.split(/[\s,]+/).filter((entry) => entry !== ''))
      .pipe(
        z.array(
          z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
            error: 'must list IP addresses or CIDR ranges, separated by commas',
          }),
        ),
      ),
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql URL' }),
    DATABASE_PASSWORD: z.string().optional(),
    REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis or rediss URL' }).optional(),
    STRIPE_SECRET_KEY: z.string().min(1),
    STRIPE_PUBLISHABLE_KEY: z.string().min(1),
    STRIPE_WEBHOOK_SECRET: z.string().min(1),
    STRIPE_API_URL: webUrl.optional(),
    STRIPE_JS_URL: webUrl.optional(),
    CRYPTO_WALLET_ADDRESS: z
      .string()
      .regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'must be a Solana address')
      .optional(),
    BANK_API_URL: webUrl,
    BANK_API_KEY: z.string().min(1),
    FEE_BASIS_POINTS: z.coerce.bigint().min(0n).max(5000n).default(350n),
    FEE_FIXED_MINOR: z.coerce.bigint().min(0n).default(0n),
    LIMIT_DAY_USD: dollars(5000n),
    LIMIT_MONTH_USD: dollars(10_000n),
    QUOTE_MINUTES: z.coerce.number().positive().max(1440).default(30),
    SWEEP_SECONDS: z.coerce.number().positive().default(30),
    RATE_SOURCES_URL: webUrl.optional(),
    RATE_EVERY_SECONDS: z.coerce.number().positive().default(7200),
    RATE_PAUSE_SECONDS: z.coerce.number().positive().default(86_400),
    RATE_MARGIN_BASIS_POINTS: z.coerce.bigint().min(0n).max(2000n).default(100n),
    RATE_MAX_STEP_BASIS_POINTS: z.coerce.bigint().min(1n).max(5000n).default(300n),
    SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps URL' }).optional(),
    MAIL_FROM: z.string().min(3).optional(),
    HELP_WHATSAPP: z
      .string()
      .transform((text) => text.replace(/[\s+().-]/g, ''))
      .pipe(z.string().regex(/^\d{8,15}$/, 'must be a phone number with its country code'))
      .optional(),
    HELP_EMAIL: z.email().optional(),
    ADMIN_EMAIL: z.string().optional(),
    ADMIN_PASSWORD: z.string().optional(),
    DEMO_PASSWORD: z.string().optional(),
  })
  .refine((env) => env.NODE_ENV === 'production' || !env.STRIPE_SECRET_KEY.startsWith('sk_live_'), {
    path: ['STRIPE_SECRET_KEY'],
    message: 'a live Stripe key needs NODE_ENV=production',
  })
  .refine((env) => (env.ADMIN_EMAIL === undefined) === (env.ADMIN_PASSWORD === undefined), {
    path: ['ADMIN_EMAIL'],
    message: 'is given together with ADMIN_PASSWORD, or neither',
  });

/** The environment of api and worker, parsed once. Durations are in ms, limits in US cents. */
export interface Env {
  readonly production: boolean;
  readonly mode: PaymentMode;
  readonly logLevel: string;
  readonly port: number;
  /** Origin as browsers write it: no path, no default port. */
  readonly publicUrl: string;
  /** Addresses and CIDR ranges of reverse proxies whose `X-Forwarded-For` is believed; nobody's when empty. */
  readonly trustedProxies: readonly string[];
  readonly databaseUrl: string;
  /** Queues and sockets use Redis when set, PostgreSQL otherwise. */
  readonly redisUrl: string | undefined;
  readonly stripe: {
    readonly secretKey: string;
    readonly publishableKey: string;
    readonly webhookSecret: string;
    /** Another server that speaks Stripe's API; Stripe itself when absent. */
    readonly apiUrl: string | undefined;
    /** Where browsers load Stripe.js from when not from Stripe. */
    readonly scriptUrl: string | undefined;
  };
  readonly crypto: {
    /** The Solana wallet that bought coins go to. Undefined: no coins are sold. */
    readonly walletAddress: string | undefined;
  };
  readonly bank: { readonly apiUrl: string; readonly apiKey: string };
  readonly fee: FeeSchedule;
  readonly limits: SendingLimits;
  readonly quoteTtlMs: number;
  /** How often the sweeps look for lost work. */
  readonly sweepEveryMs: number;
  readonly rates: {
    /** Under which every price and rate source is found by its name; each one's real host when absent. */
    readonly sourcesUrl: string | undefined;
    /** How often the sources are asked. */
    readonly everyMs: number;
    /** Payments of a currency pause when neither the market nor an admin has said anything for this long. */
    readonly pauseAfterMs: number;
    /** How far below the market reference the desk's proposal lies. */
    readonly marginBasisPoints: bigint;
    /** The largest change of a rate, within a day, that one admin may make alone. */
    readonly maxStepBasisPoints: bigint;
  };
  readonly mail: {
    /** Undefined: no e-mail is sent. */
    readonly smtpUrl: string | undefined;
    readonly from: string;
  };
  /** How people reach us; what is undefined is not offered. */
  readonly help: {
    /** Digits only, country code first. */
    readonly whatsapp: string | undefined;
    readonly email: string | undefined;
  };
  /** Account made an admin at migration time. */
  readonly firstAdmin: { readonly email: string; readonly password: string } | undefined;
  /** Password of the demo accounts, which exist in the sandbox only. */
  readonly demoPassword: string | undefined;
}

/** The configuration cannot be used. The message has a line for each variable and never contains a value. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/**
 * Reads the environment. The only place that touches `process.env`. An empty variable counts as absent, as compose files
 * and shells write it.
 * @throws ConfigurationError naming every variable that is missing, wrong, or not allowed beside the others.
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  const problems = [
    ...(parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []),
    ...findSandboxProblems(given).map(({ variable, reason }) => `${variable} ${reason}`),
  ];
  if (!parsed.success || problems.length > 0) {
    throw new ConfigurationError(['The configuration cannot be used:', ...problems].join('\n- '));
  }
  const env = parsed.data;
  return {
    production: env.NODE_ENV === 'production',
    mode: paymentModeOf(env.STRIPE_SECRET_KEY),
    logLevel: env.LOG_LEVEL,
    port: env.PORT,
    publicUrl: new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).origin,
    trustedProxies: env.TRUST_PROXY,
    databaseUrl: withPassword(env.DATABASE_URL, env.DATABASE_PASSWORD),
    redisUrl: env.REDIS_URL,
    stripe: {
      secretKey: env.STRIPE_SECRET_KEY,
      publishableKey: env.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: env.STRIPE_WEBHOOK_SECRET,
      apiUrl: env.STRIPE_API_URL,
      scriptUrl: env.STRIPE_JS_URL,
    },
    crypto: { walletAddress: env.CRYPTO_WALLET_ADDRESS },
    bank: { apiUrl: env.BANK_API_URL.replace(/\/$/, ''), apiKey: env.BANK_API_KEY },
    fee: { basisPoints: env.FEE_BASIS_POINTS, fixedMinor: env.FEE_FIXED_MINOR },
    limits: { dayUsdMinor: env.LIMIT_DAY_USD, monthUsdMinor: env.LIMIT_MONTH_USD },
    quoteTtlMs: env.QUOTE_MINUTES * 60_000,
    sweepEveryMs: env.SWEEP_SECONDS * 1000,
    rates: {
      sourcesUrl: env.RATE_SOURCES_URL?.replace(/\/$/, ''),
      everyMs: env.RATE_EVERY_SECONDS * 1000,
      pauseAfterMs: env.RATE_PAUSE_SECONDS * 1000,
      marginBasisPoints: env.RATE_MARGIN_BASIS_POINTS,
      maxStepBasisPoints: env.RATE_MAX_STEP_BASIS_POINTS,
    },
    mail: {
      smtpUrl: env.SMTP_URL,
      from: env.MAIL_FROM ?? `Chasqui <avisos@${new URL(env.PUBLIC_URL ?? 'http://localhost').hostname}>`,
    },
    help: { whatsapp: env.HELP_WHATSAPP, email: env.HELP_EMAIL },
    firstAdmin:
      env.ADMIN_EMAIL && env.ADMIN_PASSWORD ? { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD } : undefined,
    demoPassword: env.DEMO_PASSWORD,
  };
}

/** A connection string with a password that may contain any characters. */
function withPassword(databaseUrl: string, password: string | undefined): string {
  if (password === undefined) return databaseUrl;
  const url = new URL(databaseUrl);
  url.password = encodeURIComponent(password);
  return url.href;
}
