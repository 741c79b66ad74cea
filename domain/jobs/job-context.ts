import type { Stripe } from 'stripe';
import type { Company } from '#core/contracts/company';
import type { JobName } from '#core/contracts/jobs';
import type { FeeSchedule } from '#core/money/fee';
import type { PriceList } from '#core/reconciliation/price-list';
import type { DeclineLimits } from '#core/transfers/declines';
import type { TieredLimits } from '#core/transfers/limits';
import type { PushConfiguration } from '#platform/configuration/worker';
import type { Database } from '#platform/database/database';
import type { Logger } from '#platform/logging';
import type { Mailer } from '../emails/mailer.ts';
import type { Bank } from '../providers/bank.ts';
import type { Watchman } from '../providers/watchman.ts';
import type { Collector } from '../rate-sources/collector.ts';

/** Access to the queues. */
export interface QueuedJobs {
  /** Whether a job is waiting or running. @throws when the queue is unavailable. */
  has(name: JobName, jobId: string): Promise<boolean>;
}

/** The dependencies of every job handler. The clock is injected, so that tests can set it. */
export interface JobContext {
  readonly database: Database;
  readonly stripe: Stripe;
  readonly bank: Bank;
  readonly rateSources: Collector;
  /** Null: names are not screened. */
  readonly watchman: Watchman | null;
  /** Null: no e-mail is sent. */
  readonly mailer: Mailer | null;
  readonly log: Logger;
  /** The product's public URL, used in e-mails. */
  readonly publicUrl: string;
  /** The operator of this installation, named in e-mails. */
  readonly company: Company;
  /** The transfer fee. */
  readonly fee: FeeSchedule;
  /** How long something must have been unchanged before a sweep picks it up, in ms. */
  readonly sweepEveryMs: number;
  /** How often prices and rates are collected, in ms. */
  readonly ratesEveryMs: number;
  /** Age of the last rate of a currency at which payments in it pause, in ms. */
  readonly pauseAfterMs: number;
  /** The largest rate step that one admin may make alone. */
  readonly rateMaxStepBasisPoints: bigint;
  /** How long a sender has to correct the account after a failed payout, in ms. */
  readonly correctAccountMs: number;
  /** Sending limits per 24 hours and 30 days. */
  readonly limits: TieredLimits;
  /** Maximum declined cards before further cards are rejected. */
  readonly declines: DeclineLimits;
  /** The card processor's fees; null: fees are not compared. */
  readonly prices: PriceList | null;
  /** Format of the requested bank statements. */
  readonly statementFormat: 'camt053' | 'csv';
  /** Amount (US cents) from which a transfer needs approval by two people. */
  readonly reviewTwoPersonsUsdMinor: bigint;
  /** Amount from which a transfer from a new browser is reviewed, in US cents. */
  readonly newDeviceUsdMinor: bigint;
  /** Whether webhooks may be sent to any address, as in the sandbox, or only to public ones. */
  readonly webhooksAnywhere: boolean;
  /** Web Push configuration; null: no notifications are sent. */
  readonly push: PushConfiguration | null;
  /** The queues, so that sweeps only add lost jobs. */
  readonly queuedJobs: QueuedJobs;
  now(): Date;
}
