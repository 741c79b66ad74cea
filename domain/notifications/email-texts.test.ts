import { describe, expect, test } from 'vitest';
import { locales } from '#core/locale/locale';
import { caseReasonNames } from '#core/operations/desk-case';
import { guardRails } from '#core/rates/guard-rails';
import { type EmailData, type EmailKind, emailKinds } from './email.repository.ts';
import { renderEmail } from './email-templates.ts';

const transferId = '6d9a2b0e-54a1-4a1c-8f43-3b1f6a0f9d01';
const caseId = '0199b2d0-0000-4000-8000-0000000000aa';
const at = '2026-11-29T14:05:00.000Z';
const transfer = { amount: '1250.00', currency: 'EUR', transferId } as const;
const unpaid = { ...transfer, bolivianos: '16140.50', correctBy: at };

/** Data for every kind, and its subject in Spanish and English; names and reasons are of neither language. */
const samples: {
  readonly [Kind in EmailKind]: { readonly data: readonly EmailData<Kind>[]; readonly subjects: readonly string[] };
} = {
  password_recovery: {
    data: [{ resetId: caseId }],
    subjects: ['Cambia tu contraseña de Chasqui', 'Change your Chasqui password'],
  },
  password_changed: { data: [{ changedAt: at }], subjects: ['Tu contraseña cambió', 'Your password changed'] },
  rate_alert: {
    data: [{ currency: 'EUR', rate: '13.20', firedRate: '13.25' }],
    subjects: ['La tasa llegó a tu valor: 1 EUR = 13,25 Bs', 'The rate reached your value: 1 EUR = 13.25 BOB'],
  },
  rates_paused: {
    data: [{ currency: 'USD', lastUpdatedAt: at }],
    subjects: [
      'Envíos en USD en pausa: falta una tasa reciente',
      'Transfers in USD are paused: there is no recent rate',
    ],
  },
  rates_resumed: {
    data: [{ currency: 'USD', rate: '11.60', pausedAt: at }],
    subjects: ['Envíos en USD otra vez en marcha', 'Transfers in USD have resumed'],
  },
  rate_change_waiting: {
    data: [
      {
        currency: 'EUR',
        rate: '14.00',
        previousRate: '13.38',
        setBy: 'Ana',
        reason: 'XYZ',
        guardRails: [...guardRails],
      },
      { currency: 'EUR', rate: '14.00', previousRate: null, setBy: 'Ana', reason: null, guardRails: [] },
    ],
    subjects: [
      'Un cambio de tasa espera tu confirmación: 1 EUR = 14,00 Bs',
      'A rate change awaits your confirmation: 1 EUR = 14.00 BOB',
    ],
  },
  payout_failed: {
    data: [
      { ...unpaid, returned: true },
      { ...unpaid, returned: false },
      { ...unpaid, returned: false, correctBy: null, transferId: null },
    ],
    subjects: [
      'El banco no pudo pagar tu envío: revisa la cuenta',
      'The bank could not pay your transfer: check the account',
    ],
  },
  account_reminder: {
    data: [unpaid, { ...unpaid, correctBy: null }],
    subjects: ['Tu envío sigue esperando otra cuenta', 'Your transfer is still waiting for another account'],
  },
  account_not_corrected: {
    data: [transfer],
    subjects: ['Te devolvemos 1.250,00 EUR', 'We are refunding EUR 1,250.00'],
  },
  case_opened: {
    data: caseReasonNames.map((reason) => ({ ...transfer, reason, caseId })),
    subjects: ['Un envío necesita a una persona: ', 'A transfer needs a person: '],
  },
  case_old: {
    data: caseReasonNames.map((reason) => ({ ...transfer, reason, caseId, transferId: null })),
    subjects: ['Sigue abierto después de un día: ', 'Still open after a day: '],
  },
  desk_request_waiting: {
    data: [
      { ...transfer, requestedBy: 'Ana', reason: 'XYZ', caseId },
      { ...transfer, requestedBy: 'Ana', reason: '', caseId, transferId: null },
    ],
    subjects: ['Un caso espera tu aprobación', 'A case awaits your approval'],
  },
};

const kinds = Object.keys(emailKinds) as EmailKind[];
const rows = kinds.flatMap((kind) =>
  samples[kind].data.map((data, index) => ({ kind, data, sample: index + 1, subjects: samples[kind].subjects })),
);

const reader = { name: 'Julia', publicUrl: 'https://chasqui.test', token: 'A'.repeat(43) };
/** Signs and small words that stand in nearly every sentence of one language and in none of the other. */
const marks = {
  es: /[áéíóúñ¿¡]|\b(el|la|las|los|de|del|que|tu|por|una|en|se|con)\b/i,
  en: /\b(the|your|of|is|are|it|you|with|have|was|not|to|we)\b/i,
};

describe.each(rows)('the e-mail $kind, sample $sample', ({ kind, data, subjects }) => {
  const [es, en] = locales.map((locale) => renderEmail(kind, data, { ...reader, locale }));

  test('the subject says in either language what happened', () => {
    [es, en].forEach((message, index) => {
      expect(message?.subject).toContain(subjects[index]);
      expect(message?.html).toContain(`<html lang="${locales[index]}">`);
    });
  });

  test.each([
    ['Spanish', es, marks.es, marks.en],
    ['English', en, marks.en, marks.es],
  ])('every sentence in %s is in that language alone', (_, message, own, foreign) => {
    const [greeting = '', ...lines] = (message?.text ?? '').trim().split('\n\n');
    expect(greeting).toMatch(/^(Hola, Julia:|Hello Julia,)$/);
    const sentences = lines.map((line) => line.replace(/https:\S+/, ''));
    expect(sentences.filter((sentence) => foreign.test(sentence))).toEqual([]);
    // The last is the foot, the one before it the words of the button, which may be two.
    for (const sentence of [...sentences.slice(0, -2), ...sentences.slice(-1)]) {
      if (!/^(Motivo|Reason): XYZ$/.test(sentence)) expect(sentence).toMatch(own);
    }
  });

  test('both languages have the same paragraphs, the same link and the same figures', () => {
    const [spanish = [], english = []] = [es, en].map((message) => message?.text.split('\n\n'));
    expect(spanish).toHaveLength(english.length);
    spanish.forEach((paragraph, index) => {
      if (!/XYZ/.test(paragraph)) expect(paragraph).not.toBe(english[index]);
      // Separators and the clock aside, the digits are the same ones.
      expect(digitsOf(paragraph)).toEqual(digitsOf(english[index] ?? ''));
    });
    const [link, same] = [es, en].map((message) => /https:\S+/.exec(message?.text ?? '')?.[0]);
    expect(same?.replace('/en/login', '/login')).toBe(link);
  });
});

/** The groups of digits of a text, sorted: "1.250,00" and "1,250.00" are the same ones. */
const digitsOf = (text: string) => (text.replace(/https:\S+/, '').match(/\d+/g) ?? []).sort();

test('the link of an e-mail to a public page opens the page in the language of the e-mail', () => {
  const linkIn = (locale: 'es' | 'en') =>
    /https:\S+/.exec(renderEmail('password_changed', { changedAt: at }, { ...reader, locale }).text)?.[0];
  expect(linkIn('es')).toBe('https://chasqui.test/login?recover=true');
  expect(linkIn('en')).toBe('https://chasqui.test/en/login?recover=true');
});

test('an e-mail in English reads as a whole like this', () => {
  const data = { ...unpaid, returned: false };
  expect(renderEmail('payout_failed', data, { ...reader, name: null, locale: 'en' }).text).toBe(
    [
      'Hello,',
      'The bank refused the account of your transfer of EUR 1,250.00: the BOB 16,140.50 have not arrived yet.',
      'Choose another account and we pay it again, at the same rate and without another charge. Or ask for your money back: all of it returns to your card, including the fee.',
      'If you do not correct it by November 29 at 10:05 AM (Bolivia time), we refund your money.',
      `Correct the account: https://chasqui.test/dashboard?envio=${transferId}`,
      'Chasqui · You receive this e-mail because you have an account with us.\n',
    ].join('\n\n'),
  );
});
