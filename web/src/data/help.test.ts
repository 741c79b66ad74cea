import { expect, it } from 'vitest';
import { frequentTopics } from './frequent-topics.ts';
import { type HelpFacts, helpSubjects, searchHelp } from './help.ts';

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

it.each([
  ['reembolso', 'reembolso'],
  ['REEMBOLSOS', 'reembolso'],
  ['refund', 'reembolso'],
  ['me devuelven el dinero', 'reembolso'],
  ['recibo', 'recibo'],
  ['receipts', 'recibo'],
  ['comprobante', 'recibo'],
  ['whatsapp', 'contacto'],
  ['¿Cuánto tarda en llegar?', 'entrega'],
  ['how long does it take?', 'entrega'],
  ['reclamo', 'problema'],
  ['estafa', 'fraude'],
  ['pasaporte', 'documentos'],
  ['soporte', 'contacto'],
  ['chat', 'contacto'],
  ['por pagar', 'por-pagar'],
  ['pagar otra vez', 'repetir'],
  ['rastreo', 'seguimiento'],
  ['borrar mi cuenta', 'cerrar'],
  ['licencia', 'empresa'],
])('the help search finds by "%s" the answer "%s"', (search, topic) => {
  expect(found(search)).toContain(topic);
});

it('the help says who runs the product as configured, and makes up no licence', () => {
  const answerOf = (id: string, facts: HelpFacts) =>
    helpSubjects(facts)
      .flatMap(({ topics }) => topics)
      .find((topic) => topic.id === id)
      ?.answer.join(' ') ?? '';
  const nothing = { name: null, license: null, regulator: null, registerUrl: null, address: null, funds: null };
  const demonstration = answerOf('empresa', { company: { isDemonstration: true, ...nothing } });
  expect(demonstration).toContain('Modo de demostración');
  expect(demonstration).not.toMatch(/licencia/i);
  const funds = { es: 'En una cuenta separada.', en: 'In a separate account.' };
  const given = { ...nothing, name: 'Envíos SRL', license: 'ASFI 1/2026', regulator: 'ASFI', funds };
  const real = answerOf('empresa', { company: { isDemonstration: false, ...given } });
  for (const part of ['Envíos SRL', 'ASFI 1/2026', 'En una cuenta separada.']) expect(real).toContain(part);
  expect(real).not.toContain('demostración');
  expect(answerOf('contacto', { contact: { whatsapp: null, email: null } })).not.toContain('WhatsApp');
  expect(answerOf('contacto', { contact: { whatsapp: '59171234567', email: null } })).toContain('+59171234567');
});

it('the help says how long payments took where enough were measured', () => {
  const measured = { quarter: null, medianMinutes: 95, ninetiethMinutes: 300 };
  const arrival = [
    { ...measured, bank: 'BNB', count: 40 },
    { ...measured, bank: 'BISA', count: 3 },
  ];
  const [entrega] = searchHelp('cuanto tarda', helpSubjects({ arrival })).flatMap(({ topics }) => topics);
  expect(entrega?.answer.at(-1)).toBe(
    'Medido en los últimos 40 envíos a BNB: la mitad llegó en 2 horas o menos, 9 de cada 10 en 5 horas o menos.',
  );
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
