import { describe, expect, test } from 'vitest';
import { locales } from '#core/locale/locale';
import { isOptional } from '#core/notifications/email-preferences';
import { referenceOf } from '#core/transfers/reference';
import { at, company, emailSamples, step, transferId, unpaid } from '../../testing/email-samples.ts';
import { type EmailKind, emailKinds } from './email-kinds.ts';
import { renderEmail } from './email-templates.ts';

const reader = { name: 'Julia', publicUrl: 'https://chasqui.test', company, token: 'A'.repeat(43) };
const kinds = Object.keys(emailKinds) as EmailKind[];
const rows = await Promise.all(
  kinds.flatMap((kind) =>
    emailSamples[kind].data.map(async (data, index) => {
      const messages = await Promise.all(locales.map((locale) => renderEmail(kind, data, { ...reader, locale })));
      return { kind, sample: index + 1, messages };
    }),
  ),
);

/** Characters and short terms that occur in nearly every sentence of one language and never in the other. */
const marks = {
  es: /[áéíóúñ¿¡]|\b(el|la|las|los|de|del|que|tu|por|una|en|se|con)\b/i,
  en: /\b(the|your|of|is|are|it|you|with|have|was|not|to|we)\b/i,
};

test('the subjects of all samples match the list, in both languages', async () => {
  const lines = rows.flatMap(({ kind, sample, messages }) =>
    messages.map(({ subject }, index) => `${kind} ${sample} ${locales[index]}: ${subject}\n`),
  );
  await expect(lines.join('')).toMatchFileSnapshot('email-subjects.txt');
});

describe.each(rows)('the e-mail $kind, sample $sample', ({ messages: [es, en] }) => {
  test('its page declares its language', () => {
    [es, en].forEach((message, index) => {
      expect(message?.html).toMatch(new RegExp(`<html[^>]* lang="${locales[index]}"`));
    });
  });

  test.each([
    ['Spanish', es, marks.es, marks.en],
    ['English', en, marks.en, marks.es],
  ])('every sentence in %s is in that language only', (_, message, own, foreign) => {
    const [greeting = '', ...lines] = (message?.text ?? '').trim().split('\n\n');
    expect(greeting).toMatch(/^(Hola, Julia:|Hello Julia,)$/);
    const sentences = lines.map((line) => line.replace(/https:\S+/, ''));
    expect(sentences.filter((sentence) => foreign.test(sentence))).toEqual([]);
    // Buttons and links may be too short.
    const longTexts = sentences.filter((_, index) => !/https:/.test(lines[index] ?? ''));
    for (const sentence of longTexts) {
      // Labels with their values need no sentence.
      const isSentence = !/^XYZ$|^(Motivo|Reason): XYZ$|^(Número de tu envío|Number of your transfer): |\n/.test(
        sentence,
      );
      if (isSentence) expect(sentence).toMatch(own);
    }
  });

  test('both languages have the same paragraphs, the same link and the same figures', () => {
    const [spanish = [], english = []] = [es, en].map((message) => message?.text.split('\n\n'));
    expect(spanish).toHaveLength(english.length);
    spanish.forEach((paragraph, index) => {
      if (!/XYZ/.test(paragraph)) expect(paragraph).not.toBe(english[index]);
      // Apart from separators and the clock, the digits are the same.
      expect(digitsOf(paragraph)).toEqual(digitsOf(english[index] ?? ''));
    });
    const [link, same] = [es, en].map((message) => /https:\S+/.exec(message?.text ?? '')?.[0]);
    expect(same?.replace('chasqui.test/en/', 'chasqui.test/')).toBe(link);
  });
});

/** The groups of digits of a text, sorted, so that "1.250,00" and "1,250.00" are equal. */
const digitsOf = (text: string) => (text.replace(/https:\S+/, '').match(/\d+/g) ?? []).sort();

test('the link of an e-mail to a public page opens the page in the language of the e-mail', async () => {
  const linkIn = async (locale: 'es' | 'en') => {
    const { text } = await renderEmail('password_changed', { changedAt: at }, { ...reader, locale });
    return /https:\S+/.exec(text)?.[0];
  };
  expect(await linkIn('es')).toBe('https://chasqui.test/login?recover=true');
  expect(await linkIn('en')).toBe('https://chasqui.test/en/login?recover=true');
});

test('an e-mail in English as a whole', async () => {
  const data = { ...unpaid, returned: false };
  expect((await renderEmail('payout_failed', data, { ...reader, name: null, locale: 'en' })).text).toBe(
    [
      'Hello,',
      'The bank refused the account of your transfer of EUR 1,250.00: the BOB 16,140.50 have not arrived yet.',
      'Choose another account and we pay it again, at the same rate and without another charge. Or ask for your money back: all of it returns to your card, including the fee.',
      'If you do not correct it by November 29 at 10:05 AM (Bolivia time), we refund your money.',
      `Correct the account: https://chasqui.test/dashboard?envio=${transferId}`,
      'Chasqui · You receive this email because you have an account with us.',
      'Chasqui GmbH · Ring 1, 1010 Wien\nLicense: AT-0000. Supervised by: FMA.\n',
    ].join('\n\n'),
  );
});

test('an e-mail about a payout contains its proof: amount, bank, masked account, reference, time and number', async () => {
  const data = { ...step, bank: 'Banco Unión', reference: 'BNB-20261129-7' };
  const { text, html } = await renderEmail('transfer_paid', data, { ...reader, locale: 'es' });
  const details = [
    ['Monto depositado', 'Bs 16.140,50'],
    ['Banco o billetera', 'Banco Unión'],
    ['Cuenta', 'termina en 2211'],
    ['Referencia del banco', 'BNB-20261129-7'],
    ['Fecha y hora del depósito', '29 de noviembre a las 10:05 (hora de Bolivia)'],
    ['Número de tu envío', referenceOf(transferId)],
  ];
  const plain = (written: string) => written.replaceAll('\u00a0', ' ').replace(/<!-- -->/g, '');
  expect(plain(text)).toContain(details.map((row) => row.join(': ')).join('\n'));
  for (const [label, value] of details) {
    expect(plain(html)).toMatch(new RegExp(`>${label}</th><td[^>]*>${value?.replace(/[().]/g, '\\$&')}</td>`));
  }
});

test.each([
  [
    'es',
    'La tasa mejoró antes de aprobar el cobro: 1 EUR = 13,50 Bs en vez de 13,38 Bs. Son Bs 144,75 más, sin costo.',
  ],
  [
    'en',
    'The rate improved before the charge was approved: 1 EUR = 13.50 BOB instead of 13.38 BOB. That is BOB 144.75 more, at no cost.',
  ],
] as const)('e-mails of an approval and a payout state in %s that a better rate applies', async (locale, sentence) => {
  const data = { ...step, better: { rate: '13.50', accepted: '13.38', gained: '144.75' } };
  for (const kind of ['transfer_approved', 'transfer_paid'] as const) {
    expect((await renderEmail(kind, data, { ...reader, locale })).text).toContain(sentence);
    expect((await renderEmail(kind, step, { ...reader, locale })).text).not.toContain('13');
  }
});

test('values are escaped in the HTML, which loads no external resources and supports the dark scheme', async () => {
  const data = { ...step, reason: '<img src=x> & "more"' };
  const { html, text } = await renderEmail('transfer_rejected', data, { ...reader, locale: 'es' });
  expect(html).toContain('&lt;img src=x&gt; &amp; &quot;more&quot;');
  expect(text).toContain('Motivo: <img src=x> & "more"');
  expect(html).not.toMatch(/<img|<link|<script|url\(|@import/);
  expect(html).toContain('prefers-color-scheme: dark');
});

test('only optional e-mails link to the page that turns them off', async () => {
  for (const kind of kinds) {
    const { html, text } = await renderEmail(kind, emailSamples[kind].data[0], { ...reader, locale: 'es' });
    const link = 'https://chasqui.test/cuenta#correos';
    expect([text.includes(`Elegir qué correos recibo: ${link}`), html.includes(`href="${link}"`)], kind).toEqual(
      isOptional(kind) ? [true, true] : [false, false],
    );
  }
});

test('differences without a transfer are listed with localized dates, and a single one in the singular', async () => {
  const textIn = async (locale: 'es' | 'en', sample: number) =>
    (await renderEmail('book_exceptions', emailSamples.book_exceptions.data[sample] as never, { ...reader, locale }))
      .text;
  expect(await textIn('es', 0)).toMatch(
    /las encontró ahora.*Comisión del banco: Bs −12,50 · domingo, 29 de noviembre · XYZ/s,
  );
  expect(await textIn('en', 0)).toMatch(/found them now.*BOB −12\.50 · Sunday, November 29 · XYZ/s);
  expect(await textIn('es', 1)).toMatch(/la encontró ahora/);
  expect(await textIn('en', 1)).toMatch(/found it now.*until it is explained/s);
  // A comparison does not find the one that the bank reports.
  expect(await textIn('es', 2)).toMatch(
    /Averigua con el banco qué es.*Bs 10,00 · domingo, 29 de noviembre · foreign-1/s,
  );
  expect(await textIn('en', 2)).toMatch(
    /Find out from the bank what it is.*BOB 10\.00 · Sunday, November 29 · foreign-1/s,
  );
});
