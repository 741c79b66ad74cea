import { z } from 'zod';
import type { FeeSchedule } from '#core/money/fee';
import type { DeclineLimits } from '#core/transfers/declines';
import type { TieredLimits } from '#core/transfers/limits';
import type { Company } from '../../core/contracts/company.ts';
import type { PriceList } from '../../core/reconciliation/price-list.ts';
import { dayMs, minuteMs } from '../../core/time/time.ts';
import type { Variables } from './configuration-error.ts';
import { readVariables } from './reading.ts';
import {
  type ConnectionConfiguration,
  companyFields,
  declineVariables,
  feeVariables,
  type ListenAddress,
  limitVariables,
  listenAddress,
  priceVariables,
  type RateConfiguration,
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
} from './variables.ts';

const schema = z.object({
  ...serverVariables,
  ...limitVariables,
  ...feeVariables,
  ...reviewVariables,
  ...priceVariables,
  ...declineVariables,
  ...companyFields,
  BANK_API_URL: webUrl,
  BANK_API_KEY: secret,
  BANK_STATEMENT_FORMAT: z.enum(['camt053', 'csv']).default('camt053'),
  BANK_COMPLETION_MINUTES: z.coerce
    .number()
    .positive()
    .max(7 * 24 * 60)
    .default(30),
  ACCOUNT_CORRECTION_DAYS: z.coerce.number().positive().max(60).default(7),
  SWEEP_SECONDS: z.coerce.number().positive().default(30),
  RATE_SOURCES_URL: webUrl.optional(),
  WORKER_HEALTH_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  WORKER_METRICS_LISTEN: listenAddress,
  MAIL_FROM: z.string().min(3).optional(),
  PUSH_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be a VAPID private key')
    .optional(),
});

/** The names of the worker's variables. */
export const workerVariables = Object.keys(schema.shape);

export interface BankConfiguration {
  readonly apiUrl: string;
  readonly apiKey: string;
  /** The format in which statements are requested. */
  readonly statementFormat: 'camt053' | 'csv';
  /** How long after an order the bank may still have it without knowing it, by its own documentation. */
  readonly completionWindowMs: number;
}

export interface MailConfiguration {
  /** Undefined: no e-mail is sent. */
  readonly smtpUrl: string | undefined;
  readonly from: string;
  /** Whether nothing is sent to a server that does not speak TLS. */
  readonly requiresTls: boolean;
}

/** How notifications are sent to browsers: VAPID (RFC 8292) tells their push services who sends. */
export interface PushConfiguration {
  /** Push services of browsers; "*." matches one or more labels. */
  readonly hosts: readonly string[];
  /** Whether a kept address of any other is called too: in the sandbox, where the api keeps none and a test can be the push service. */
  readonly anywhere: boolean;
  readonly publicKey: string;
  readonly privateKey: string;
  /** How a push service reaches the operator: a URL or mailto address. */
  readonly subject: string;
}

/** The worker's configuration. Durations are in ms. */
export interface WorkerConfiguration extends ConnectionConfiguration {
  readonly logLevel: string;
  /** Port of the health checks; none are answered when undefined. */
  readonly healthPort: number | undefined;
  /** Where figures for monitoring are served; undefined: nowhere. */
  readonly metrics: ListenAddress | undefined;
  /** Where traces go; undefined: nothing is traced. */
  readonly tracing: TracingConfiguration | undefined;
  /** Origin of the links in e-mails. */
  readonly publicUrl: string;
  readonly stripe: StripeConfiguration;
  /** What encrypts the keys of personal data (32 bytes); further ones only decrypt. */
  readonly personalDataKeys: readonly Buffer[];
  readonly bank: BankConfiguration;
  /** Where names are checked against sanctions lists; null: nowhere. */
  readonly watchmanUrl: string | null;
  /** The card processor's prices; null: fees are not compared. */
  readonly prices: PriceList | null;
  /** How long a sender has to name another account when a payout failed. */
  readonly correctAccountMs: number;
  /** How often the sweeps look for lost work. */
  readonly sweepEveryMs: number;
  readonly rates: RateConfiguration & {
    /** Under which every price and rate source is found by its name; each one's real host when absent. */
    readonly sourcesUrl: string | undefined;
  };
  /** What a transfer costs its sender. */
  readonly fee: FeeSchedule;
  /** What a sender may pay in 24 hours and in 30 days, in US cents. */
  readonly limits: TieredLimits;
  readonly declines: DeclineLimits;
  /** From this amount on (US cents) two persons have to approve a transfer. */
  readonly reviewTwoPersonsUsdMinor: bigint;
  /** Minimum amount (US cents) for a review because of a new browser. */
  readonly newDeviceUsdMinor: bigint;
  readonly mail: MailConfiguration;
  /** Who runs this installation; every e-mail says it. */
  readonly company: Company;
  /** Whether events are sent to partners at any address, or only at public ones. */
  readonly webhooksAnywhere: boolean;
  /** Null: no notifications on people's devices are sent. */
  readonly push: PushConfiguration | null;
}

/** Reads the worker's variables. @throws ConfigurationError */
export function readWorkerConfiguration(source: Variables = process.env): WorkerConfiguration {
  const env = readVariables(schema, source, 'worker');
  const publicUrl = toPublicUrl(env);
  return {
    ...toConnections(env),
    logLevel: env.LOG_LEVEL,
    healthPort: env.WORKER_HEALTH_PORT,
    metrics: env.WORKER_METRICS_LISTEN,
    tracing: toTracing(env),
    publicUrl,
    stripe: toStripe(env),
    personalDataKeys: env.PERSONAL_DATA_KEY,
    watchmanUrl: toWatchmanUrl(env),
    bank: {
      apiUrl: env.BANK_API_URL.replace(/\/$/, ''),
      apiKey: env.BANK_API_KEY,
      statementFormat: env.BANK_STATEMENT_FORMAT,
      completionWindowMs: env.BANK_COMPLETION_MINUTES * minuteMs,
    },
    prices: env.PROCESSOR_PRICES,
    correctAccountMs: env.ACCOUNT_CORRECTION_DAYS * dayMs,
    sweepEveryMs: env.SWEEP_SECONDS * 1000,
    rates: { ...toRates(env), sourcesUrl: env.RATE_SOURCES_URL?.replace(/\/$/, '') },
    fee: toFee(env),
    limits: toLimits(env),
    declines: toDeclineLimits(env),
    reviewTwoPersonsUsdMinor: env.REVIEW_TWO_PERSONS_USD,
    newDeviceUsdMinor: env.REVIEW_NEW_DEVICE_USD,
    company: toCompany(env),
    webhooksAnywhere: env.CHASQUI_MODE === 'sandbox',
    push: toPush(env, publicUrl),
    mail: {
      smtpUrl: env.SMTP_URL,
      from: env.MAIL_FROM ?? `Chasqui <avisos@${new URL(publicUrl).hostname}>`,
      requiresTls: env.CHASQUI_MODE !== 'sandbox',
    },
  };
}

function toPush(env: z.output<typeof schema>, publicUrl: string): PushConfiguration | null {
  const { PUSH_PUBLIC_KEY: publicKey, PUSH_PRIVATE_KEY: privateKey } = env;
  if (!publicKey || !privateKey) return null;
  const subject = publicUrl.startsWith('https:') ? publicUrl : 'mailto:avisos@localhost';
  return { hosts: env.PUSH_SERVICE_HOSTS, anywhere: env.CHASQUI_MODE === 'sandbox', publicKey, privateKey, subject };
}
