import type { CallCost } from '#core/contracts/http/costs';

/** How often something may happen within a time. `per` says whose calls are counted together. */
export interface RateLimitRule {
  readonly per: 'person' | 'network' | 'email' | 'device';
  readonly points: number;
  readonly seconds: number;
  /**
   * Number of calls that each process counts locally before it uses the shared store, so that normal use costs no
   * statement and only heavy callers are counted across processes. If it covers all points, the rule is purely local.
   */
  readonly alone?: number;
}

const minute = 60;
const quarterHour = 15 * minute;
const hour = 60 * minute;

/** A limit of all calls of one cost, in a minute. */
const perMinute = (per: 'person' | 'network', points: number): RateLimitRule & { readonly per: typeof per } => {
  return { per, points, seconds: minute, alone: points / 10 };
};

/** Calls per person and minute by cost class: several times the needs of the busiest page. */
const callsInMinute: Readonly<Record<CallCost, number>> = {
  ...{ memory: 1200, read: 600, search: 300, change: 240 },
  ...{ file: 120, provider: 120, secret: 60 },
};
/** Of visitors a whole network is counted, in which there are many people. */
const personsOfNetwork = 5;

type CallLimit = `${CallCost}CallsPer${'Person' | 'Network'}`;

/** Every call counts against the limit of its cost (core/contracts/http/costs.ts). */
export const callLimits = Object.fromEntries(
  Object.entries(callsInMinute).flatMap(([cost, points]) => [
    [`${cost}CallsPerPerson`, perMinute('person', points)],
    [`${cost}CallsPerNetwork`, perMinute('network', points * personsOfNetwork)],
  ]),
) as Readonly<Record<CallLimit, RateLimitRule>>;

/** Every rate limit of the api. Offices and phone networks share one address, so limits per network are generous. */
export const rateLimitRules = {
  ...callLimits,
  /** Calls and live connections of any kind, counted before the session lookup. */
  callsPerNetwork: { per: 'network', points: 6000, seconds: minute, alone: 600 },
  /** Failed sign-ins. */
  signInsPerNetwork: { per: 'network', points: 200, seconds: quarterHour },
  signInsPerEmailAndNetwork: { per: 'email', points: 10, seconds: quarterHour },
  /** From all networks together, so that many of them do not add up; browsers that signed in before are not counted. */
  signInsPerEmail: { per: 'email', points: 100, seconds: hour },
  /** From one browser that signed in to the account before. */
  signInsPerDevice: { per: 'device', points: 10, seconds: quarterHour },
  /** Sign-ups, whether they succeed or meet `email_taken`. */
  signUpsPerNetwork: { per: 'network', points: 60, seconds: hour },
  /** E-mails for a forgotten password. */
  passwordResetsPerNetwork: { per: 'network', points: 100, seconds: hour },
  passwordResetsPerEmail: { per: 'email', points: 5, seconds: hour },
  /** Views and uses of links in such e-mails. */
  passwordResetLinksPerNetwork: { per: 'network', points: 100, seconds: hour },
  /** Passwords that a signed-in person types to confirm who they are; forgotten when one is right. */
  passwordChecksPerPerson: { per: 'person', points: 10, seconds: quarterHour },
  /** Codes of second factors that were wrong. One in 300,000 guesses is right: at this pace that takes two years. */
  factorCodesPerPerson: { per: 'person', points: 20, seconds: hour },
  /** The same from one browser that signed in to the account before, which others' guesses do not keep out. */
  factorCodesPerDevice: { per: 'device', points: 10, seconds: quarterHour },
  /** What passkeys are to sign; each is a row. */
  passkeyChallengesPerNetwork: { per: 'network', points: 200, seconds: quarterHour },
  passkeyChallengesPerPerson: { per: 'person', points: 60, seconds: hour },
  /** Limits the e-mails sent to a new address, since anyone's address can be entered. */
  emailChangesPerPerson: { per: 'person', points: 5, seconds: hour },
  emailChangesPerEmail: { per: 'email', points: 5, seconds: hour },
  /** E-mails with a code for the account's own address. */
  emailProofsPerPerson: { per: 'person', points: 10, seconds: 24 * hour },
  /** Codes of such e-mails that are typed: a guess hits one of some in a million, so these many in a day are worth nothing. */
  emailCodesPerPerson: { per: 'person', points: 20, seconds: 24 * hour },
  /** Views and uses of links in e-mails about an address. */
  emailLinksPerNetwork: { per: 'network', points: 100, seconds: hour },
  /** Files with everything about a person; each reads all their rows. */
  dataExportsPerPerson: { per: 'person', points: 10, seconds: hour },
  /** Changes of a person's own data, and sessions they end. */
  accountChangesPerPerson: { per: 'person', points: 60, seconds: hour },
  /** Changes of the language a person reads, and of the e-mails they want. */
  localeChangesPerPerson: { per: 'person', points: 60, seconds: hour },
  /** Forced updates of prices: each sends requests to other companies' sites. */
  rateUpdatesPerPerson: { per: 'person', points: 1, seconds: minute },
  /** Indicative quotes; a page asks again while an amount is typed. */
  quotesPerNetwork: perMinute('network', 300),
  /** Readings of a transfer by its tracking link; a page that is open asks again now and then. */
  trackingReadsPerNetwork: { per: 'network', points: 300, seconds: minute },
  /** Errors that browsers report; a page reports few. */
  clientErrorsPerNetwork: { per: 'network', points: 60, seconds: minute },
  /** Generated papers and exports. */
  papersPerPerson: { per: 'person', points: 120, seconds: hour },
  /** Codes and files that are checked; the limit is also what makes guessing codes pointless. */
  paperChecksPerNetwork: { per: 'network', points: 60, seconds: minute },
  /** Problems that a sender reports; each is work for a person. */
  complaintsPerPerson: { per: 'person', points: 20, seconds: hour },
  /** Files of up to 2 MB each, which are kept. */
  filesPerPerson: { per: 'person', points: 30, seconds: hour },
  /** Identity data and documents; each is work for a person, and says whether a document is known. */
  identityChecksPerPerson: { per: 'person', points: 10, seconds: 24 * hour },
  recipientChangesPerPerson: { per: 'person', points: 60, seconds: hour },
  /** Each opens a payment at Stripe. */
  paymentsOpenedPerPerson: { per: 'person', points: 60, seconds: hour },
  /** Each reads a payment at Stripe. */
  paymentReadsPerPerson: { per: 'person', points: 60, seconds: minute },
  /** Each opens an onramp session at Stripe. */
  cryptoOrdersPerPerson: { per: 'person', points: 30, seconds: hour },
  /** Each reads an onramp session at Stripe. */
  cryptoReadsPerPerson: { per: 'person', points: 60, seconds: minute },
  /** Each reads up to 500 payments at Stripe. */
  refreshesPerAdmin: { per: 'person', points: 4, seconds: minute },
  /** Files of up to 8 MB each; reading one may take a processor for seconds. */
  statementImportsPerAdmin: { per: 'person', points: 6, seconds: minute },
  /** Stripe's webhooks whose signature is missing or wrong, in one process; those that are signed count against no limit. */
  unsignedWebhooksPerNetwork: { per: 'network', points: 60, seconds: minute, alone: 60 },
} as const satisfies Record<string, RateLimitRule>;

export type RateLimitName = keyof typeof rateLimitRules;

/** Limits that can be counted before a handler runs, from what every request carries. */
export type RequestLimitName = {
  [Name in RateLimitName]: (typeof rateLimitRules)[Name]['per'] extends 'person' | 'network' ? Name : never;
}[RateLimitName];

/** Points of some limits in place of the table's. */
export type RateLimitPoints = Partial<Record<RateLimitName, number>>;
