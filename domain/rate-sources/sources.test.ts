import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatMinor } from '#core/money/money';
import { formatRate } from '#core/rates/rate';
import type { Observation, RateSource } from '#core/rates/sources';
import { readAnswer } from './collector.ts';
import { type Source, SourceError } from './source.ts';
import { bcb } from './sources/bcb.ts';
import { sources } from './sources/index.ts';

const query = { currency: 'EUR', amountMinor: 10_000n } as const;

const sampleOf = (source: Source) =>
  readFileSync(new URL(`./samples/${source.name}.${source.answers}`, import.meta.url), 'utf8');
const observe = (source: Source, text: string) =>
  source.toObservations(readAnswer(source, text, source.schema), query).map(shown);

function shown(observation: Observation): string {
  const { source, rate } = observation;
  if (observation.kind === 'reference') {
    const day = observation.asOf ? ` of ${observation.asOf}` : '';
    return `${source}: ${observation.pair} ${formatRate(rate)}${day}`;
  }
  if (observation.kind === 'bank') return `${source}: ${observation.bank} ${observation.day} ${formatRate(rate)}`;
  const { competitor, currency, amountMinor, feeMinor } = observation;
  return `${source}: ${competitor} ${currency} ${formatMinor(amountMinor)} at ${formatRate(rate)} + ${formatMinor(feeMinor)}`;
}

function failureOf(source: Source, text: string) {
  try {
    observe(source, text);
  } catch (error) {
    if (error instanceof SourceError) return error.failure;
    throw error;
  }
  throw new Error('the answer was accepted');
}

interface Expected {
  observations: readonly string[];
  /** A part of the answer to rename, and the field that is then missing. */
  renamed: readonly [part: RegExp, field: string];
  /** An implausible value, and its field. */
  absurd: readonly [part: RegExp, value: string, field: string];
}

const expected: Partial<Record<RateSource, Expected>> = {
  westernUnion: {
    observations: ['westernUnion: westernUnion EUR 100.00 at 12.7412 + 2.90'],
    renamed: [/"fx_rate"/g, 'services_groups.0.pay_groups.0.fx_rate'],
    absurd: [/12\.7412/g, '1274.12', 'services_groups.1.pay_groups.1.fx_rate'],
  },
  moneyGram: {
    observations: ['moneyGram: moneyGram EUR 100.00 at 12.6103 + 1.99'],
    renamed: [/"fxRate"/, 'feeQuotesByCurrency.BOB.fxRate'],
    absurd: [/1\.99/, '99', 'feeQuotesByCurrency.BOB.sendFee'],
  },
  ria: {
    observations: ['ria: ria EUR 100.00 at 12.685 + 1.50'],
    renamed: [/"calculations"/, 'model.transferDetails.calculations'],
    absurd: [/"transferFee": 1\.5/, '"transferFee": -1.5', 'model.transferDetails.calculations.transferFee'],
  },
  remitly: {
    observations: ['remitly: remitly EUR 100.00 at 12.81 + 1.99'],
    renamed: [/"base_rate"/, 'estimate.exchange_rate.base_rate'],
    absurd: [/"12\.81"/, '"0.01"', 'estimate.exchange_rate.base_rate'],
  },
  wiseComparison: {
    observations: [
      'wiseComparison: wise EUR 97.60 at 12.91 + 2.40',
      'wiseComparison: westernUnion EUR 97.10 at 12.70 + 2.90',
    ],
    renamed: [/"quotes"/, 'providers.0.quotes'],
    absurd: [/12\.91/, '0', 'providers.0.quotes.0.rate'],
  },
  bcb: {
    observations: [
      'bcb: BANCO UNIÓN 2026-08-21 11.46',
      'bcb: BANCO MERCANTIL SANTA CRUZ 2026-08-21 11.53',
      'bcb: BANCO BISA 2026-08-21 11.54',
      'bcb: USD/BOB 11.50',
    ],
    renamed: [/"matrix"/, 'bancos'],
    absurd: [/11,46<\/td>/, '1146,00</td>', 'TCO.0'],
  },
  bcbList: {
    observations: ['bcbList: USD/BOB 11.50', 'bcbList: EUR/BOB 13.15255'],
    renamed: [/USD\.COMPRA/, 'USD.COMPRA'],
    absurd: [/13,15255/, '0,00', 'EUR'],
  },
  dolarApi: {
    observations: ['dolarApi: USD/BOB 11.50'],
    renamed: [/"compra"/, '0.compra'],
    absurd: [/"compra": 11\.5/, '"compra": 1e9', '0.compra'],
  },
  criptoYa: {
    observations: ['criptoYa: USD/BOB 11.64'],
    renamed: [/"totalAsk"/, 'binancep2p.totalAsk'],
    absurd: [/"totalAsk": 11\.62/, '"totalAsk": 1162', 'binancep2p.totalAsk'],
  },
  binanceP2p: {
    observations: ['binanceP2p: USD/BOB 11.62'],
    renamed: [/"price"/, 'data.0.adv.price'],
    absurd: [/"6\.50"/, '"-6.50"', 'data.0.adv.price'],
  },
  ecb: {
    observations: ['ecb: EUR/USD 1.1437 of 2026-08-21'],
    renamed: [/currency="USD"/, 'Cube[currency=USD].rate'],
    absurd: [/1\.1437/, '11.437', 'Cube[currency=USD].rate'],
  },
};

test('every source has a saved sample and its expected observations', () => {
  expect(sources.map(({ name }) => name)).toEqual(Object.keys(expected));
});

describe.each(sources.map((source) => [source.name, source] as const))('%s', (name, source) => {
  const { observations, renamed, absurd } = expected[name] as Expected;
  const sample = sampleOf(source);

  test('the saved sample of the source gives its observations', () =>
    expect(observe(source, sample)).toEqual(observations));

  test('an answer without a field is rejected with the field’s name', () => {
    const [part, field] = renamed;
    const changed = sample.replace(part, (text) => text.replace(/[A-Za-z_]+/, 'other'));
    expect(changed).not.toBe(sample);
    expect(failureOf(source, changed)).toEqual({ code: 'changed_shape', field });
  });

  test('an answer with an implausible value is rejected with the field’s name', () => {
    const [part, value, field] = absurd;
    expect(failureOf(source, sample.replace(part, value))).toEqual({ code: 'absurd_value', field });
  });

  test('a page that is not an answer of the source is rejected', () => {
    expect(failureOf(source, '<html>Access denied</html>').code).toBe('changed_shape');
    expect(failureOf(source, '').code).toBe('changed_shape');
  });
});

test('an error of Western Union inside an otherwise valid answer is a failure', () => {
  const [westernUnion] = sources;
  const text = sampleOf(westernUnion as Source).replace('"status": 0', '"status": -1');
  expect(failureOf(westernUnion as Source, text)).toEqual({
    code: 'changed_shape',
    field: 'response_status.status',
  });
});

describe("the central bank's table of banks", () => {
  const sample = sampleOf(bcb as unknown as Source);
  const failure = (text: string) => failureOf(bcb as unknown as Source, text);

  test('a table of banks without one of its parts is rejected with the part’s name', () => {
    expect(failure(sample.replace('Fecha de corte', 'Corte'))).toEqual({
      code: 'changed_shape',
      field: 'Fecha de corte',
    });
    expect(failure(sample.replace('agosto', 'brumario'))).toEqual({ code: 'changed_shape', field: 'Fecha de corte' });
    expect(failure(sample.replace('>TCO<', '>Promedio<'))).toEqual({ code: 'changed_shape', field: 'TCO' });
    expect(failure(sample.replace('<td colspan="2">11,46</td>', ''))).toEqual({ code: 'changed_shape', field: 'TCO' });
  });
});
