import type { SendCurrency } from '../money/money.ts';
import type { Rate } from './rate.ts';

/** Services whose prices we compare ours with, in the order of the specification's tables. */
export const competitors = ['westernUnion', 'moneyGram', 'ria', 'remitly', 'wise'] as const;
export type Competitor = (typeof competitors)[number];

/** How a competitor is called on screen. */
export const competitorNames: Readonly<Record<Competitor, string>> = {
  westernUnion: 'Western Union',
  moneyGram: 'MoneyGram',
  ria: 'Ria',
  remitly: 'Remitly',
  wise: 'Wise',
};

/** Where figures come from. Competitors' own sites and Wise's comparison give prices, the others reference rates. */
export const priceSources = ['westernUnion', 'moneyGram', 'ria', 'remitly', 'wiseComparison'] as const;
export const referenceSources = ['bcb', 'bcbList', 'dolarApi', 'criptoYa', 'binanceP2p', 'ecb'] as const;
export const rateSources = [...priceSources, ...referenceSources] as const;
export type PriceSource = (typeof priceSources)[number];
export type ReferenceSource = (typeof referenceSources)[number];
export type RateSource = (typeof rateSources)[number];

/** How a source is called on screen. */
export const rateSourceNames: Readonly<Record<RateSource, string>> = {
  westernUnion: competitorNames.westernUnion,
  moneyGram: competitorNames.moneyGram,
  ria: competitorNames.ria,
  remitly: competitorNames.remitly,
  wiseComparison: 'Comparador de Wise',
  bcb: 'Banco Central de Bolivia',
  bcbList: 'Lista del Banco Central de Bolivia',
  dolarApi: 'DolarApi',
  criptoYa: 'CriptoYa',
  binanceP2p: 'Binance P2P',
  ecb: 'Banco Central Europeo',
};

/** Which currency is quoted in which. */
export const ratePairs = ['USD/BOB', 'EUR/BOB', 'EUR/USD'] as const;
export type RatePair = (typeof ratePairs)[number];

/** What a competitor asks for sending an amount: bolivianos per unit and a fee on top, in the sending currency. */
export interface PriceObservation {
  readonly kind: 'price';
  readonly source: PriceSource;
  readonly competitor: Competitor;
  readonly currency: SendCurrency;
  /** The amount sent, without the fee, in minor units. */
  readonly amountMinor: bigint;
  readonly rate: Rate;
  readonly feeMinor: bigint;
}

/** A reference rate: dollars per euro (`EUR/USD`), or bolivianos per unit. */
export interface ReferenceObservation {
  readonly kind: 'reference';
  readonly source: ReferenceSource;
  readonly pair: RatePair;
  readonly rate: Rate;
  /** "YYYY-MM-DD": the day the source says the figure is of; absent where it names none. */
  readonly asOf?: string;
}

/**
 * The price that a bank paid for a dollar on a day. Shown unchanged; neither a competitor's price nor a market
 * reference.
 */
export interface BankObservation {
  readonly kind: 'bank';
  readonly source: 'bcb';
  /** "YYYY-MM-DD", in La Paz. */
  readonly day: string;
  readonly bank: string;
  readonly rate: Rate;
}

export type Observation = PriceObservation | ReferenceObservation | BankObservation;

/**
 * Why a source gave no figures. `circuit_open`: not called after several consecutive failures. `changed_shape` names
 * the field that changed. `unexpected_error`: our own parsing failed.
 */
export type SourceFailure =
  | { readonly code: 'unreachable' | 'timeout' | 'forbidden' | 'circuit_open' | 'too_large' | 'unexpected_error' }
  /** How long it asks us to wait; null when it does not say. */
  | { readonly code: 'too_many_requests'; readonly retryAfterSeconds: number | null }
  | { readonly code: 'bad_status'; readonly status: number }
  | { readonly code: 'changed_shape'; readonly field: string }
  | { readonly code: 'absurd_value'; readonly field: string };
