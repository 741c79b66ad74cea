import { expect, it } from 'vitest';
import { frequentTopics } from './frequent-topics.ts';
import { helpSubjects, searchHelp } from './help.ts';

const found = (search: string) => searchHelp(search).flatMap(({ topics }) => topics.map(({ id }) => id));
const all = helpSubjects().flatMap(({ topics }) => topics.map(({ id }) => id));

it('every help question has an address of its own', () => {
  expect(new Set(all).size).toBe(all.length);
  expect(frequentTopics().every(({ id }) => all.includes(id))).toBe(true);
});

it('the help search ignores accents and case, and looks in question and answer', () => {
  expect(found('CUANTO PUEDO')).toContain('limites');
  expect(found('cédula')).toEqual(['destinatario']);
  expect(found('cedula')).toEqual(['destinatario']);
  expect(found('tigo')).toContain('bancos');
});

it('the help search wants every word, and shows everything while nothing is searched', () => {
  expect(found('cancelar completada')).toContain('cancelar');
  expect(found('cancelar criptomonedas')).toEqual([]);
  expect(found('  ')).toEqual(all);
});

it('the help says the limits, the data and the statuses of the specification', () => {
  const text = frequentTopics()
    .map(({ question, answer }) => [question, ...answer].join(' '))
    .join(' ');
  for (const terms of ['$10 USD', '$3.000 USD', 'Procesando', 'Completada', 'CI', 'relación'])
    expect(text).toContain(terms);
});
