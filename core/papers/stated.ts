import { formats } from '../locale/format.ts';
import type { Locale } from '../locale/locale.ts';
import type { DisclosureText } from '../transfers/disclosure.ts';
import { type PaperLine, type PaperSection, receiptSections } from './receipt-lines.ts';
import { type ReceiptFacts, receiptTexts } from './receipt-texts.ts';
import { type StatementFacts, statementSummary, statementTexts } from './statement.ts';

/** The content of our papers, by kind. */
export type StatedFacts =
  | { readonly kind: 'receipt'; readonly receipt: ReceiptFacts }
  | { readonly kind: 'statement'; readonly statement: StatementFacts }
  | {
      readonly kind: 'disclosure';
      readonly number: string;
      readonly shownAt: string;
      readonly texts: readonly DisclosureText[];
    }
  | LetterFacts;

/** A letter about a reported problem, verbatim as it was sent. */
export interface LetterFacts {
  readonly kind: 'letter';
  /** The reference of the transfer that it is about. */
  readonly number: string;
  readonly sender: { readonly name: string; readonly email: string };
  readonly sentAt: string;
  readonly texts: readonly {
    readonly language: Locale;
    readonly subject: string;
    readonly paragraphs: readonly string[];
    readonly details: readonly (readonly [string, string])[];
  }[];
}

export type PaperKind = StatedFacts['kind'];

/** The title of a paper in each language. */
export const paperTitles: Readonly<Record<Locale, Readonly<Record<PaperKind, string>>>> = {
  es: {
    receipt: receiptTexts.es.title,
    statement: statementTexts.es.title,
    disclosure: 'Lo que se mostró antes de pagar',
    letter: 'Carta sobre un reporte',
  },
  en: {
    receipt: receiptTexts.en.title,
    statement: statementTexts.en.title,
    disclosure: 'What was shown before paying',
    letter: 'Letter about a report',
  },
};

/** Further texts of a disclosure paper. */
export const disclosureTexts: Readonly<
  Record<Locale, { readonly number: string; readonly shown: string; readonly note: string }>
> = {
  es: {
    number: 'Envío',
    shown: 'Mostrado',
    note: 'Son las palabras y cifras que viste junto al formulario de pago, guardadas en ese momento. No es un recibo: no dice si el envío se pagó.',
  },
  en: {
    number: 'Transfer',
    shown: 'Shown',
    note: 'These are the words and figures that you saw with the payment form, kept at that moment. This is not a receipt: it does not say whether the transfer was paid.',
  },
};

/** Further texts of a letter on paper. */
export const letterTexts: Readonly<
  Record<
    Locale,
    {
      readonly number: string;
      readonly sent: string;
      readonly to: string;
      readonly subject: string;
      readonly report: string;
    }
  >
> = {
  es: { number: 'Envío', sent: 'Enviada', to: 'Para', subject: 'Asunto', report: 'Tu reporte' },
  en: { number: 'Transfer', sent: 'Sent', to: 'To', subject: 'Subject', report: 'Your report' },
};

/** Replaces text that only its owner may read. */
export const maskedRest = '•••';

/** The first letter of each name: enough to compare with a paper, too little to learn the name. */
export const maskedName = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `${[...word][0]}${maskedRest}`)
    .join(' ');

/** The facts that any holder of the paper may see, without data that identifies people. */
export function masked(facts: StatedFacts): StatedFacts {
  if (facts.kind === 'disclosure') return facts;
  if (facts.kind === 'letter') {
    // The page omits what people wrote: it is only on the paper, and the paper's hash proves it.
    const texts = facts.texts.map((text) => ({ ...text, paragraphs: [], details: [] }));
    return { ...facts, sender: maskedPerson(facts.sender), texts };
  }
  if (facts.kind === 'statement') {
    const { statement } = facts;
    return { kind: 'statement', statement: { ...statement, sender: maskedPerson(statement.sender) } };
  }
  const { id: _, ...receipt } = facts.receipt;
  const { recipient } = receipt;
  return {
    kind: 'receipt',
    receipt: {
      ...receipt,
      sender: maskedPerson(receipt.sender),
      recipient: recipient && {
        ...recipient,
        name: maskedName(recipient.name),
        ci: maskedRest,
        phone: maskedRest,
        city: maskedRest,
      },
    },
  };
}

const maskedPerson = ({ name }: { name: string }) => ({ name: maskedName(name), email: maskedRest });

/** The lines that a reader compares with the paper. Masked facts give masked lines. */
export function statedLines(facts: StatedFacts, language: Locale): PaperLine[] {
  switch (facts.kind) {
    case 'receipt':
      return receiptLines(facts.receipt, language);
    case 'statement':
      return statementLines(facts.statement, language);
    case 'letter': {
      const texts = letterTexts[language];
      const written = facts.texts.find((text) => text.language === language);
      return [
        [texts.number, facts.number],
        [texts.sent, formats[language].fullMoment(facts.sentAt)],
        [texts.to, facts.sender.name],
        [texts.subject, written?.subject ?? ''],
      ];
    }
    case 'disclosure': {
      const texts = disclosureTexts[language];
      const shown = facts.texts.find((text) => text.language === language);
      return [
        [texts.number, facts.number],
        [texts.shown, formats[language].fullMoment(facts.shownAt)],
        ...(shown?.lines ?? []),
      ];
    }
  }
}

function receiptLines(receipt: ReceiptFacts, language: Locale): PaperLine[] {
  const texts = receiptTexts[language];
  const { recipient } = receipt;
  const sections = receiptSections(receipt, language);
  return [
    [texts.number, receipt.number],
    [texts.standingLabel, texts.standing(receipt)],
    [texts.sender, receipt.sender.name],
    [texts.recipient, recipient?.name ?? texts.noRecipient],
    ...(recipient ? [[texts.deposit, `${recipient.bankName} •••• ${recipient.accountEnding}`] as const] : []),
    ...sections.flatMap(underTitle),
  ];
}

/** The lines of a section, each named with its title: labels of two sections may be the same. */
const underTitle = ({ title, lines, total }: PaperSection): PaperLine[] =>
  [...lines, ...(total ? [total] : [])].map(([label, value]) => [`${title}: ${label}`, value]);

function statementLines(statement: StatementFacts, language: Locale): PaperLine[] {
  const texts = statementTexts[language];
  return [
    [texts.period, formats[language].period(statement.period)],
    [texts.sender, statement.sender.name],
    [texts.transfers, String(statement.transfers)],
    ...statementSummary(statement, language).flatMap(underTitle),
  ];
}

/** Whether two papers of a kind have the same visible content. */
export function sayTheSame(one: StatedFacts, other: StatedFacts): boolean {
  return JSON.stringify(statedLines(one, 'es')) === JSON.stringify(statedLines(other, 'es'));
}
