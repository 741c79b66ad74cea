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

/** What a competitor asks for sending an amount: bolivianos per unit and a fee on top, in the sending currency. */
export interface PriceObservation {
  readonly kind: 'price';
  readonly source: PriceSource;
  readonly competitor: Competitor;
  readonly currency: SendCurrency;
  /** What is sent, without the fee, in minor units. */
  readonly amountMinor: bigint;
  readonly rate: Rate;
  readonly feeMinor: bigint;
}

/** A reference rate; of the euro (`EUR/USD`) or of the boliviano per unit. */
export interface ReferenceObservation {
  readonly kind: 'reference';
  readonly source: ReferenceSource;
  readonly pair: 'USD/BOB' | 'EUR/BOB' | 'EUR/USD';
  readonly rate: Rate;
}

/** What one bank paid for a dollar on a day. Shown as it is; neither a price of a competitor nor the market's. */
export interface BankObservation {
  readonly kind: 'bank';
  readonly source: 'bcb';
  /** "YYYY-MM-DD", in La Paz. */
  readonly day: string;
  readonly bank: string;
  readonly rate: Rate;
}

export type Observation = PriceObservation | ReferenceObservation | BankObservation;

/** Why a source gave nothing. `changed_shape` names the field that is not what it was; `circuit_open`: it was left alone. */
export type SourceFailure =
  | { readonly code: 'unreachable' | 'timeout' | 'forbidden' | 'circuit_open' }
  /** For how long it asks to be left alone; null when it does not say. */
  | { readonly code: 'too_many_requests'; readonly retryAfterSeconds: number | null }
  | { readonly code: 'bad_status'; readonly status: number }
  | { readonly code: 'changed_shape'; readonly field: string }
  | { readonly code: 'absurd_value'; readonly field: string };

/** Why a source gave nothing, as a Spanish sentence without its full stop. */
export function sourceFailureSentence(failure: SourceFailure): string {
  switch (failure.code) {
    case 'unreachable':
      return 'No responde';
    case 'timeout':
      return 'Tardó demasiado en responder';
    case 'forbidden':
      return 'Rechaza la consulta';
    case 'too_many_requests':
      return 'Pide esperar: demasiadas consultas';
    case 'circuit_open':
      return 'En pausa tras varios fallos';
    case 'bad_status':
      return `Respondió con un error (${failure.status})`;
    case 'changed_shape':
      return failure.field === 'body'
        ? 'Cambió su formato: la respuesta no se puede leer'
        : `Cambió su formato: falta el campo ${failure.field} o es otro`;
    case 'absurd_value':
      return `Dio un valor imposible en el campo ${failure.field}`;
  }
}
