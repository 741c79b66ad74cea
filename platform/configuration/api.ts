import { z } from 'zod';
import type { SessionLimits } from '#core/accounts/session-end';
import type { FeeSchedule } from '#core/money/fee';
import type { DeclineLimits } from '#core/transfers/declines';
import type { SendingLimits } from '#core/transfers/limits';
import type { Company } from '../../core/contracts/company.ts';
import { type PaymentMode, paymentModeOf } from '../../core/contracts/payment-mode.ts';
import type { PriceList } from '../../core/reconciliation/price-list.ts';
import type { Variables } from './configuration-error.ts';
import { readVariables } from './reading.ts';
import {
  type ConnectionConfiguration,
  companyFields,
  declineVariables,
  dollarAmount,
  encryptionKeys,
  feeVariables,
  type ListenAddress,
  limitVariables,
  listenAddress,
  priceVariables,
  type RateConfiguration,
  replicaVariables,
  reviewVariables,
  type StripeConfiguration,
  secret,
  serverVariables,
  type TracingConfiguration,
  toCompany,
  toConnections,
  toDeclineLimits,
  toFee,
  toLimits,
  toPublicUrl,
  toRates,
  toStripe,
  toTracing,
  toWatchmanUrl,
  webUrl,
  withPassword,
} from './variables.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const minutes = (fallback: number) => z.coerce.number().positive().max(720).default(fallback);

const schema = z.object({
  ...serverVariables,
  ...replicaVariables,
  ...feeVariables,
  ...limitVariables,
  ...reviewVariables,
  ...priceVariables,
  ...declineVariables,
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
  LISTEN_ADDRESS: z.union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' }).optional(),
  STRIPE_PUBLISHABLE_KEY: secret,
  STRIPE_WEBHOOK_SECRET: secret,
  SECOND_FACTOR_KEY: encryptionKeys,
  SESSION_IDLE_MINUTES: minutes(120),
  ADMIN_SESSION_IDLE_MINUTES: minutes(30),
  ADMIN_SESSION_HOURS: z.coerce.number().positive().max(24).default(12),
  STEP_UP_MINUTES: minutes(10),
  STRIPE_JS_URL: webUrl.optional(),
  DESK_TWO_PERSONS_USD: dollarAmount('500.00'),
  CALL_LIMIT_FACTOR: z.coerce.number().int().min(1).max(1_000_000).default(1),
  LIMIT_UNPAID_TRANSFERS: z.coerce.number().int().min(1).max(1000).default(10),
  API_METRICS_LISTEN: listenAddress,
  BETTER_RATE: z.enum(['on', 'off'], 'must be on or off').default('off'),
  QUOTE_MINUTES: z.coerce.number().positive().max(1440).default(30),
  RATE_MARGIN_BASIS_POINTS: z.coerce.bigint().min(0n).max(2000n).default(100n),
  HELP_WHATSAPP: z
    .string()
    .transform((text) => text.replace(/[\s+().-]/g, ''))
    .pipe(z.string().regex(/^\d{8,15}$/, 'must be a phone number with its country code'))
    .optional(),
  HELP_EMAIL: z.email().optional(),
  CLAMAV_URL: z.url({ protocol: /^(tcp|tls)$/, error: 'must be a tcp or tls URL' }).optional(),
  SHUTDOWN_DRAIN_SECONDS: z.coerce.number().min(0).max(300).default(0),
  ...companyFields,
});

/** The names of the api's variables. */
export const apiVariables = Object.keys(schema.shape);

/** The api's configuration. Durations are in ms, limits in US cents. */
export interface ApiConfiguration extends ConnectionConfiguration {
  /** A standby that serves lists, figures and exports; undefined without a standby. */
  readonly replicaUrl: string | undefined;
  readonly production: boolean;
  readonly mode: PaymentMode;
  readonly logLevel: string;
  readonly port: number;
  /** The only IP address to listen on; undefined: all addresses of the machine. */
  readonly host: string | undefined;
  /** Where figures for monitoring are served; undefined: nowhere. */
  readonly metrics: ListenAddress | undefined;
  /** Where traces go; undefined: nothing is traced. */
  readonly tracing: TracingConfiguration | undefined;
  /** How long requests are still taken after a signal to end, until load balancers have noticed, in ms. */
  readonly drainMs: number;
  /** Origin as browsers write it: no path, no default port. */
  readonly publicUrl: string;
  /** Addresses and CIDR ranges whose X-Forwarded-For is trusted; empty: none. */
  readonly trustedProxies: readonly string[];
  readonly stripe: StripeConfiguration & {
    readonly publishableKey: string;
    readonly webhookSecret: string;
    /** Where browsers load the sandbox's Stripe.js from; from Stripe when absent. */
    readonly scriptUrl: string | undefined;
  };
  /** What encrypts the secrets of second factors (32 bytes); further ones only decrypt. */
  readonly secondFactorKeys: readonly Buffer[];
  /** What encrypts the keys of personal data (32 bytes); further ones only decrypt. */
  readonly personalDataKeys: readonly Buffer[];
  /** Outside the sandbox admins do nothing without a second factor. */
  readonly adminsNeedFactor: boolean;
  readonly sessions: SessionLimits & {
    /** How long a proof of the second factor is enough for what moves money or changes rates. */
    readonly stepUpMs: number;
  };
  readonly crypto: {
    /** The Solana wallet that receives USDC bought by card. Undefined: none is sold. */
    readonly walletAddress: string | undefined;
  };
  readonly fee: FeeSchedule;
  readonly limits: SendingLimits;
  readonly declines: DeclineLimits;
  readonly desk: {
    /** From this amount on (US cents) an action that moves money needs a second person. */
    readonly twoPersonsUsdMinor: bigint;
    /** From this amount on (US cents) two persons have to approve a transfer. */
    readonly reviewTwoPersonsUsdMinor: bigint;
  };
  /** Minimum amount (US cents) for a review because of a new browser. */
  readonly newDeviceUsdMinor: bigint;
  /** The card processor's prices, or null if unknown. */
  readonly prices: PriceList | null;
  /** Whether names are checked against sanctions lists before a transfer is approved. */
  readonly screensNames: boolean;
  readonly quoteTtlMs: number;
  /** Multiplies what callers may call in a minute; 1 outside the sandbox. */
  readonly callLimitFactor: number;
  /** Whether transfers get a rate that is better when they are approved than the one their sender accepted. */
  readonly betterRate: boolean;
  readonly rates: RateConfiguration & {
    /** How far below the market reference the proposed rate lies. */
    readonly marginBasisPoints: bigint;
  };
  /** Whether partners may have events sent to any address, as in the sandbox, or only to public ones. */
  readonly webhooksAnywhere: boolean;
  /** Who checks identity data and documents: a stand-in in the sandbox, elsewhere admins. */
  readonly identityVerifier: 'sandbox' | 'manual';
  /** Whether the worker has a mail server: without one no password can be reset. */
  readonly sendsMail: boolean;
  readonly push: {
    /** Push services of browsers; "*." matches one or more labels. */
    readonly hosts: readonly string[];
    /** The key that browsers subscribe with; null: no notifications on devices. */
    readonly publicKey: string | null;
  };
  /** ClamAV's daemon, which looks at uploaded files; undefined: nothing does. */
  readonly clamavUrl: string | undefined;
  /** Contact channels; undefined ones are not offered. */
  readonly help: {
    /** Digits only, country code first. */
    readonly whatsapp: string | undefined;
    readonly email: string | undefined;
  };
  /** Who runs this installation; every page says it. */
  readonly company: Company;
}

/** Reads the api's variables. @throws ConfigurationError */
export function readApiConfiguration(source: Variables = process.env): ApiConfiguration {
  const env = readVariables(schema, source, 'api');
  return {
    ...toConnections(env),
    replicaUrl: env.DATABASE_REPLICA_URL && withPassword(env.DATABASE_REPLICA_URL, env.DATABASE_PASSWORD),
    production: env.NODE_ENV === 'production',
    mode: paymentModeOf(env.STRIPE_SECRET_KEY),
    logLevel: env.LOG_LEVEL,
    port: env.PORT,
    host: env.LISTEN_ADDRESS,
    metrics: env.API_METRICS_LISTEN,
    tracing: toTracing(env),
    drainMs: env.SHUTDOWN_DRAIN_SECONDS * 1000,
    publicUrl: toPublicUrl(env),
    trustedProxies: env.TRUST_PROXY,
    stripe: {
      ...toStripe(env),
      publishableKey: env.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: env.STRIPE_WEBHOOK_SECRET,
      scriptUrl: env.STRIPE_JS_URL,
    },
    secondFactorKeys: env.SECOND_FACTOR_KEY,
    personalDataKeys: env.PERSONAL_DATA_KEY,
    adminsNeedFactor: env.CHASQUI_MODE !== 'sandbox',
    sessions: {
      idleMs: env.SESSION_IDLE_MINUTES * minuteMs,
      rememberedIdleMs: 14 * dayMs,
      adminIdleMs: env.ADMIN_SESSION_IDLE_MINUTES * minuteMs,
      adminMs: env.ADMIN_SESSION_HOURS * hourMs,
      stepUpMs: env.STEP_UP_MINUTES * minuteMs,
    },
    crypto: { walletAddress: env.CRYPTO_WALLET_ADDRESS },
    fee: toFee(env),
    limits: {
      ...toLimits(env),
      unpaidTransfers: env.LIMIT_UNPAID_TRANSFERS,
    },
    declines: toDeclineLimits(env),
    desk: { twoPersonsUsdMinor: env.DESK_TWO_PERSONS_USD, reviewTwoPersonsUsdMinor: env.REVIEW_TWO_PERSONS_USD },
    newDeviceUsdMinor: env.REVIEW_NEW_DEVICE_USD,
    prices: env.PROCESSOR_PRICES,
    identityVerifier: env.CHASQUI_MODE === 'sandbox' ? 'sandbox' : 'manual',
    screensNames: toWatchmanUrl(env) !== null,
    quoteTtlMs: env.QUOTE_MINUTES * minuteMs,
    callLimitFactor: env.CALL_LIMIT_FACTOR,
    betterRate: env.BETTER_RATE === 'on',
    rates: { ...toRates(env), marginBasisPoints: env.RATE_MARGIN_BASIS_POINTS },
    webhooksAnywhere: env.CHASQUI_MODE === 'sandbox',
    sendsMail: env.SMTP_URL !== undefined,
    push: { hosts: env.PUSH_SERVICE_HOSTS, publicKey: env.PUSH_PUBLIC_KEY ?? null },
    clamavUrl: env.CLAMAV_URL,
    help: { whatsapp: env.HELP_WHATSAPP, email: env.HELP_EMAIL },
    company: toCompany(env),
  };
}
