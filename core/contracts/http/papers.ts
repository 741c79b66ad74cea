import { z } from 'zod';
import { locales } from '../../locale/locale.ts';
import { endpoint } from './endpoint.ts';
import { receiptView } from './receipts.ts';
import { senderRoutes } from './sender-routes.ts';
import { amountText, currency, id, timestamp } from './values.ts';

/** Facts of a receipt without whom to ask and without the transfer's id. */
const statedReceipt = receiptView.omit({ contact: true, id: true });

const statedStatement = z.object({
  /** Of La Paz: a month ("2026-11") or a year ("2026"). */
  period: z.string(),
  sender: z.object({ name: z.string(), email: z.string() }),
  transfers: z.int(),
  totals: z.array(
    z.object({ currency, charged: z.int() }).extend({
      ...{ paid: amountText, fees: amountText, returned: amountText, kept: amountText, bolivianos: amountText },
    }),
  ),
  revision: z.string(),
});

const statedDisclosure = z.array(
  z.object({ language: z.enum(locales), title: z.string(), lines: z.array(z.tuple([z.string(), z.string()])) }),
);

/** A letter without the texts of people. */
const statedLetter = z.array(
  z.object({
    language: z.enum(locales),
    subject: z.string(),
    paragraphs: z.array(z.string()),
    details: z.array(z.tuple([z.string(), z.string()])),
  }),
);

/** The content of a paper (`core/papers/stated.ts`), with names reduced to initials. */
const statedFacts = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('receipt'), receipt: statedReceipt }),
  z.object({ kind: z.literal('statement'), statement: statedStatement }),
  z.object({ kind: z.literal('letter'), number: z.string(), sentAt: timestamp, texts: statedLetter }).extend({
    sender: z.object({ name: z.string(), email: z.string() }),
  }),
  z.object({ kind: z.literal('disclosure'), number: z.string(), shownAt: timestamp, texts: statedDisclosure }),
]);

/** A paper that Chasqui issued. */
export const checkedPaper = z.object({
  code: z.string(),
  issuedAt: timestamp,
  stated: statedFacts,
  /** Its content today; null if unchanged. */
  now: statedFacts.nullable(),
});
export type CheckedPaper = z.infer<typeof checkedPaper>;

/** Months and years that have transfers, the latest first. */
export const statementPeriods = z.object({
  periods: z.array(z.object({ period: z.string(), transfers: z.int() })),
});
export type StatementPeriods = z.infer<typeof statementPeriods>;

/** The language of a paper: that of its reader's account when absent. */
const query = z.object({ language: z.enum(locales).optional() });
const period = z.string().regex(/^20\d\d(-(0[1-9]|1[0-2]))?$/);
const file = { access: 'sender', query, answersFile: true, status: 200 } as const;

export const paperEndpoints = {
  receiptPdf: endpoint({
    ...senderRoutes.receiptPdf,
    ...file,
    summary: 'El recibo de un envío propio ya pagado, como PDF',
    params: z.object({ id }),
    failures: ['not_found', 'too_many_requests'],
  }),
  disclosurePdf: endpoint({
    ...senderRoutes.disclosurePdf,
    ...file,
    summary: 'Lo que se mostró antes de pagar un envío propio, palabra por palabra, como PDF',
    params: z.object({ id }),
    failures: ['not_found', 'too_many_requests'],
  }),
  statementPeriods: endpoint({
    ...senderRoutes.statementPeriods,
    summary: 'Meses y años con envíos pagados, el más reciente primero',
    access: 'sender',
    response: statementPeriods,
  }),
  statementPdf: endpoint({
    ...senderRoutes.statementPdf,
    ...file,
    summary: 'Extracto de un mes o de un año, como PDF',
    params: z.object({ period }),
    failures: ['too_many_requests'],
  }),
  statementCsv: endpoint({
    ...senderRoutes.statementCsv,
    ...file,
    summary: 'Los envíos de un mes o de un año, como CSV',
    params: z.object({ period }),
    failures: ['too_many_requests'],
  }),
  checkPaper: endpoint({
    ...senderRoutes.checkPaper,
    summary: 'Lo que dice un documento emitido, por su código, y si sigue vigente',
    access: 'public',
    params: z.object({ code: z.string().regex(/^(?:[0-9A-Za-z]{4}[ -]?){5}$/) }),
    response: checkedPaper,
    failures: ['not_found', 'too_many_requests'],
  }),
  checkPaperFile: endpoint({
    ...senderRoutes.checkPaperFile,
    summary: 'Lo mismo por el SHA-256 del archivo: cualquier cambio en él da otro',
    access: 'public',
    params: z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    response: checkedPaper,
    failures: ['not_found', 'too_many_requests'],
  }),
};
