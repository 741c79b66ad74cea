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

/** What the queues have. */
export interface QueuedJobs {
  /** Whether a job waits or runs. @throws when its queue does not answer. */
  has(name: JobName, jobId: string): Promise<boolean>;
}

/** What every handler works with. The clock is an argument, so that a test can turn it. */
export interface JobContext {
  readonly database: Database;
  readonly stripe: Stripe;
  readonly bank: Bank;
  readonly rateSources: Collector;
  /** Null: names are not checked against lists. */
  readonly watchman: Watchman | null;
  /** Null: no e-mail is sent. */
  readonly mailer: Mailer | null;
  readonly log: Logger;
  /** Where people find the product; e-mails lead there. */
  readonly publicUrl: string;
  /** Who runs this installation; e-mails say it. */
  readonly company: Company;
  /** What a transfer costs its sender. */
  readonly fee: FeeSchedule;
  /** How long something must have stood still before a sweep touches it, in ms. */
  readonly sweepEveryMs: number;
  /** How often prices and rates are collected, in ms. */
  readonly ratesEveryMs: number;
  /** Age of the last news about a currency at which payments in it pause, in ms. */
  readonly pauseAfterMs: number;
  /** The largest step of a rate that one admin may make alone. */
  readonly rateMaxStepBasisPoints: bigint;
  /** How long a sender has to name another account when a payout failed, in ms. */
  readonly correctAccountMs: number;
  /** What a sender may pay in 24 hours and in 30 days. */
  readonly limits: TieredLimits;
  /** Declined cards after which none is taken. */
  readonly declines: DeclineLimits;
  /** What the card processor takes; null: fees are not compared. */
  readonly prices: PriceList | null;
  /** In which format the bank is asked for statements. */
  readonly statementFormat: 'camt053' | 'csv';
  /** From this amount on (US cents) two persons have to approve a transfer. */
  readonly reviewTwoPersonsUsdMinor: bigint;
  /** From which amount on a transfer is looked at for a new browser, in US cents. */
  readonly newDeviceUsdMinor: bigint;
  /** Whether events are sent to partners at any address, as in the sandbox, or only at public ones. */
  readonly webhooksAnywhere: boolean;
  /** How notifications are sent to people's devices; null: none are. */
  readonly push: PushConfiguration | null;
  /** What the queues have, so that sweeps add only jobs that got lost. */
  readonly queuedJobs: QueuedJobs;
  now(): Date;
}
