import { z } from 'zod';
import type { FeeSchedule } from '#core/money/fee';
import type { DeclineLimits } from '#core/transfers/declines';
import type { TieredLimits, TierLimits } from '#core/transfers/limits';
import type { Company } from '../../core/contracts/company.ts';
import { paymentModeOf } from '../../core/contracts/payment-mode.ts';
import { parsePriceList } from '../../core/reconciliation/price-list.ts';

/** Parsers of variables shared by several processes, and the values derived from them. */

export const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
export const secret = z.string().min(1);
export const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql URL' });
const seconds = (fallback: number) => z.coerce.number().positive().default(fallback);

/** Where spans go, as OTLP over HTTP, and which share of traces (0 to 1). */
export interface TracingConfiguration {
  readonly url: string;
  readonly ratio: number;
}

/** Where a server of ours listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A port of this machine alone, or an address and a port: "9464", "0.0.0.0:9464", "[::]:9464". Absent: nothing listens. */
export const listenAddress = z
  .string()
  .regex(/^((\d{1,3}(\.\d{1,3}){3}|\[[0-9a-fA-F:]+\]):)?\d{1,5}$/, 'must be a port, or an address and a port')
  .transform((text): ListenAddress => {
    const [, host = '127.0.0.1', port] = /^(?:(.+):)?(\d+)$/.exec(text) ?? [];
    return { host: host.replace(/[[\]]/g, ''), port: Number(port) };
  })
  .refine(({ port }) => port <= 65_535, 'must have a port up to 65535')
  .optional();

/** AES-256 keys in base64, separated by commas: the first one encrypts, all of them decrypt. */
export const encryptionKeys = z
  .string()
  .transform((list) => list.split(/[\s,]+/).map((text) => Buffer.from(text, 'base64')))
  .refine(
    (keys) => keys.every(({ length }) => length === 32),
    'must be 32 random bytes in base64 (openssl rand -base64 32)',
  );

/** Read by every process. `CHASQUI_MODE` says whether this is the sandbox; see `mode-rule.ts`. */
export const generalVariables = {
  CHASQUI_MODE: z.enum(['sandbox', 'real'], 'must be sandbox or real').default('real'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
};

/** A standby, with the role and password of DATABASE_URL. */
export const replicaVariables = { DATABASE_REPLICA_URL: postgresUrl.optional() };

export const databaseVariables = { DATABASE_URL: postgresUrl, DATABASE_PASSWORD: z.string().optional() };

/** Read by processes that decrypt identity, account or phone numbers. */
export const personalDataVariables = { PERSONAL_DATA_KEY: encryptionKeys };

export const redisVariables = {
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis or rediss URL' }).optional(),
  REDIS_PASSWORD: z.string().optional(),
};

/** What a server has that lasts: api and worker. */
export const serverVariables = {
  ...generalVariables,
  ...databaseVariables,
  ...redisVariables,
  ...personalDataVariables,
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  PUBLIC_URL: webUrl.optional(),
  STRIPE_SECRET_KEY: secret,
  STRIPE_API_URL: webUrl.optional(),
  STRIPE_REQUESTS_PER_SECOND: z.coerce.number().int().min(1).max(10_000).optional(),
  CRYPTO_WALLET_ADDRESS: z
    .string()
    .regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'must be a Solana address')
    .optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps URL' }).optional(),
  PUSH_PUBLIC_KEY: z
    .string()
    .regex(/^B[\w-]{86}$/, 'must be a VAPID public key')
    .optional(),
  PUSH_SERVICE_HOSTS: z
    .string()
    .default('fcm.googleapis.com,*.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com')
    .transform((list) => list.split(/[\s,]+/).filter((entry) => entry !== ''))
    .pipe(z.array(z.string().regex(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must list host names, separated by commas'))),
  WATCHMAN_URL: z.union([z.literal('none'), webUrl], "must be Watchman's http or https URL, or none"),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number('must be a share from 0 to 1').min(0).max(1).default(1),
  RATE_EVERY_SECONDS: seconds(7200),
  RATE_PAUSE_SECONDS: seconds(86_400),
  RATE_MAX_STEP_BASIS_POINTS: z.coerce.bigint().min(1n).max(5000n).default(300n),
};

export const feeVariables = {
  FEE_BASIS_POINTS: z.coerce.bigint().min(0n).max(5000n).default(350n),
  FEE_FIXED_MINOR: z.coerce.bigint().min(0n).default(0n),
};

/** What a transfer costs its sender. */
export function toFee(env: z.output<z.ZodObject<typeof feeVariables>>): FeeSchedule {
  return { basisPoints: env.FEE_BASIS_POINTS, fixedMinor: env.FEE_FIXED_MINOR };
}

const dollars = (fallback: bigint) =>
  z.coerce
    .bigint()
    .positive()
    .default(fallback)
    .transform((amount) => amount * 100n);

/** Most of one payment, of a day and of 30 days in whole US dollars, as "1000/1000/3000"; null: `none`. */
const tierLimits = (fallback: string) =>
  z
    .string()
    .regex(
      /^(none|[1-9]\d{0,8}(\/[1-9]\d{0,8}){2})$/,
      'must be the US dollars of a payment, a day and 30 days, or none',
    )
    .default(fallback)
    .transform((text): TierLimits | null => {
      if (text === 'none') return null;
      const [paymentUsdMinor = 0n, dayUsdMinor = 0n, monthUsdMinor = 0n] = text
        .split('/')
        .map((usd) => BigInt(usd) * 100n);
      return { paymentUsdMinor, dayUsdMinor, monthUsdMinor };
    });

/** Sending limits: the api refuses a larger payment before the card is charged, the worker if it was charged anyway. */
export const limitVariables = {
  LIMIT_DAY_USD: dollars(5000n),
  LIMIT_MONTH_USD: dollars(10_000n),
  LIMIT_EMAIL_USD: tierLimits('1000/1000/3000'),
  LIMIT_IDENTITY_USD: tierLimits('2000/3000/6000'),
};

/** An amount in US dollars, as "500.00"; becomes US cents. */
export const dollarAmount = (fallback: string) =>
  z
    .string()
    .regex(/^\d{1,9}(\.\d{1,2})?$/, 'must be an amount in US dollars')
    .default(fallback)
    .transform((text) => {
      const [dollars = '', cents = ''] = text.split('.');
      return BigInt(dollars + cents.padEnd(2, '0'));
    });

/**
 * Thresholds for approval by two persons and for a review because of a new browser: the api applies them, the worker
 * displays them.
 */
export const reviewVariables = {
  REVIEW_TWO_PERSONS_USD: dollarAmount('2000.00'),
  REVIEW_NEW_DEVICE_USD: dollarAmount('500.00'),
};

/** The card processor's prices: the worker compares fees with them, the api estimates a transfer's profit. */
export const priceVariables = {
  PROCESSOR_PRICES: z
    .string()
    .default('290+30;1500')
    .transform((text, context) => {
      const prices = text === 'none' ? null : parsePriceList(text);
      if (prices || text === 'none') return prices;
      context.addIssue({ code: 'custom', message: 'must be like 290+30,150+25;1500, or none' });
      return z.NEVER;
    }),
};

/** Addresses of the data stores, for queues and live connections. */
export interface ConnectionConfiguration {
  readonly databaseUrl: string;
  /** Queues and sockets use Redis when set, PostgreSQL otherwise. */
  readonly redisUrl: string | undefined;
}

/** Whose Stripe to call, and as whom. */
export interface StripeConfiguration {
  readonly secretKey: string;
  /** The sandbox's Stripe; Stripe itself when absent. */
  readonly apiUrl: string | undefined;
  /** Most requests per second that this process sends; null: any number. */
  readonly requestsPerSecond: number | null;
  /** Whether USDC is sold, which requires an additional right. */
  readonly sellsCrypto: boolean;
}

/**
 * Four fifths of Stripe's limits (https://docs.stripe.com/rate-limits): 25 requests per second of one endpoint with
 * real money, where api and worker together stay below the account's 100; 25 of all endpoints in test mode, half of
 * them for each. The sandbox has no limit.
 */
const requestsPerSecond = { live: 20, test: 10, sandbox: null } as const;

export interface RateConfiguration {
  /** How often the sources are collected, in ms. */
  readonly everyMs: number;
  /** Payments of a currency pause when neither the market nor an admin has updated its rate for this long, in ms. */
  readonly pauseAfterMs: number;
  /** The largest change of a rate, within a day, that one admin may make alone. */
  readonly maxStepBasisPoints: bigint;
}

type ServerValues = z.output<z.ZodObject<typeof serverVariables>>;

export function toConnections(env: {
  DATABASE_URL: string;
  DATABASE_PASSWORD?: string | undefined;
  REDIS_URL?: string | undefined;
  REDIS_PASSWORD?: string | undefined;
}): ConnectionConfiguration {
  return {
    databaseUrl: withPassword(env.DATABASE_URL, env.DATABASE_PASSWORD),
    redisUrl: env.REDIS_URL && withPassword(env.REDIS_URL, env.REDIS_PASSWORD),
  };
}

export function toStripe(env: ServerValues): StripeConfiguration {
  return {
    secretKey: env.STRIPE_SECRET_KEY,
    apiUrl: env.STRIPE_API_URL,
    requestsPerSecond: env.STRIPE_REQUESTS_PER_SECOND ?? requestsPerSecond[paymentModeOf(env.STRIPE_SECRET_KEY)],
    sellsCrypto: env.CRYPTO_WALLET_ADDRESS !== undefined,
  };
}

/** Watchman's address, or null: names are not checked. */
export function toWatchmanUrl(env: ServerValues): string | null {
  return env.WATCHMAN_URL === 'none' ? null : env.WATCHMAN_URL.replace(/\/$/, '');
}

export function toRates(env: ServerValues): RateConfiguration {
  return {
    everyMs: env.RATE_EVERY_SECONDS * 1000,
    pauseAfterMs: env.RATE_PAUSE_SECONDS * 1000,
    maxStepBasisPoints: env.RATE_MAX_STEP_BASIS_POINTS,
  };
}

/** Where spans go; undefined: nothing is traced. */
export function toTracing(env: ServerValues): TracingConfiguration | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: ratio } = env;
  return url === undefined ? undefined : { url, ratio };
}

/** Origin as browsers write it: no path, no default port. */
export function toPublicUrl(env: ServerValues): string {
  return new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).origin;
}

/** A connection string with a password that may contain any characters. Anything but a URL is returned unchanged. */
export function withPassword(databaseUrl: string, password: string | undefined): string {
  if (password === undefined || !URL.canParse(databaseUrl)) return databaseUrl;
  const url = new URL(databaseUrl);
  url.password = encodeURIComponent(password);
  return url.href;
}

/** Limits of declined cards: at the limit the api opens no payment and the worker ends open ones. */
export const declineVariables = {
  LIMIT_DECLINES_ACCOUNT: z.coerce.number().int().min(1).max(1_000_000).default(20),
  LIMIT_DECLINES_NETWORK: z.coerce.number().int().min(1).max(1_000_000).default(60),
  LIMIT_DECLINES_CARD: z.coerce.number().int().min(1).max(1_000_000).default(12),
};

/** The same by what is counted. */
export function toDeclineLimits(env: z.output<z.ZodObject<typeof declineVariables>>): DeclineLimits {
  return { account: env.LIMIT_DECLINES_ACCOUNT, network: env.LIMIT_DECLINES_NETWORK, card: env.LIMIT_DECLINES_CARD };
}

/** A sender's limits in US cents, with and without a checked document; `none` disables a tier's limits. */
export function toLimits(env: z.output<z.ZodObject<typeof limitVariables>>): TieredLimits {
  const { LIMIT_EMAIL_USD: email, LIMIT_IDENTITY_USD: identity } = env;
  const all = { dayUsdMinor: env.LIMIT_DAY_USD, monthUsdMinor: env.LIMIT_MONTH_USD };
  return email || identity ? { ...all, lower: { ...(email && { email }), ...(identity && { identity }) } } : all;
}

/** The company that runs the installation. Required with a live card provider (mode-rule.ts). */
export const companyFields = {
  COMPANY_NAME: z.string().max(200).optional(),
  COMPANY_LICENSE: z.string().max(300).optional(),
  COMPANY_REGULATOR: z.string().max(200).optional(),
  COMPANY_REGISTER_URL: z.url({ protocol: /^https$/, error: 'must be an https URL' }).optional(),
  COMPANY_ADDRESS: z.string().max(300).optional(),
  COMPANY_FUNDS_ES: z.string().max(600).optional(),
  COMPANY_FUNDS_EN: z.string().max(600).optional(),
};

/** The company as pages, papers and e-mails name it. */
export function toCompany(
  env: z.output<z.ZodObject<typeof companyFields>> & { readonly STRIPE_SECRET_KEY: string },
): Company {
  const { COMPANY_FUNDS_ES: es, COMPANY_FUNDS_EN: en } = env;
  return {
    isDemonstration: paymentModeOf(env.STRIPE_SECRET_KEY) !== 'live',
    name: env.COMPANY_NAME ?? null,
    license: env.COMPANY_LICENSE ?? null,
    regulator: env.COMPANY_REGULATOR ?? null,
    registerUrl: env.COMPANY_REGISTER_URL ?? null,
    address: env.COMPANY_ADDRESS ?? null,
    funds: es && en ? { es, en } : null,
  };
}
