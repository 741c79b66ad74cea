import { describe, expect, it } from 'vitest';
import type { ComparisonRow } from '#core/contracts/http/comparison';
import { claimText } from '../../data/comparison.ts';
import { plain } from '../../testing/plain.ts';
import { freshnessLabel } from '../shared/price-cards.tsx';
import { comparedAmountProblem, rankedRows, updateFailed, updateMessage } from './comparison-messages.tsx';

const now = Date.parse('2026-11-21T12:00:00.000Z');

it('the claim of the comparison says only what the server gives', () => {
  expect(claimText({ claimPercent: null })).toBeNull();
  expect(plain(claimText({ claimPercent: '2.1' }))).toBe(
    'Con Chasqui llegan hasta 2,1 % más bolivianos que con otros servicios de esta comparación, por lo mismo que pagas.',
  );
});

describe('how far a figure can be trusted', () => {
  const collectedAt = '2026-11-21T11:48:00.000Z';

  it('the freshness label says when live and older figures were collected', () => {
    expect(freshnessLabel({ freshness: 'live', collectedAt }, now)).toEqual({ label: 'En vivo', age: 'hace 12 min' });
    expect(freshnessLabel({ freshness: 'older', collectedAt: '2026-11-21T07:00:00.000Z' }, now)).toEqual({
      label: 'Dato anterior',
      age: 'hace 5 h',
    });
  });

  it('the freshness label never gives a reference value a time', () => {
    expect(freshnessLabel({ freshness: 'reference', collectedAt }, now)).toEqual({
      label: 'Valor de referencia, sin datos en vivo',
      age: null,
    });
  });

  it('the freshness label calls our own rate in force, not live', () => {
    expect(freshnessLabel({ id: 'chasqui', freshness: 'live', collectedAt }, now)).toEqual({
      label: 'Tasa vigente',
      age: 'fijada hace 12 min',
    });
  });
});

it('the rows of the comparison are in the order of their rank, ours among them', () => {
  const row = (id: ComparisonRow['id'], rank: number) => ({ id, rank }) as ComparisonRow;
  const rows = rankedRows({ ourRate: row('chasqui', 2), competitors: [row('ria', 3), row('wise', 1)] });
  expect(rows.map(({ id }) => id)).toEqual(['wise', 'chasqui', 'ria']);
});

it('the message of a forced update tells what it did, with the failed sources by name and why', () => {
  expect(updateMessage({ updated: 9, failed: [] })).toBe('Se actualizaron 9 fuentes.');
  const failed = [
    { source: 'moneyGram', reason: 'forbidden' },
    { source: 'ecb', reason: 'no_answer_yet' },
  ];
  expect(updateMessage({ updated: 1, failed })).toBe(
    'Se actualizó 1 fuente. Sin dato de: MoneyGram (acceso denegado), Banco Central Europeo (sin respuesta todavía).',
  );
  expect(updateMessage({ updated: 0, failed: [{ source: 'ria', reason: 'timeout' }] })).toBe(
    `${updateFailed()} Sin dato de: Ria (tardó demasiado).`,
  );
});

it('the comparison takes amounts from 1 up', () => {
  expect(['', '1', '99.50', '3000'].map(comparedAmountProblem)).toEqual([null, null, null, null]);
  expect(['0', '0.99'].map(comparedAmountProblem)).toEqual(Array(2).fill('Escribe un monto de 1 o más'));
});
