import { z } from 'zod';
import { causeNames, sides } from '../../reconciliation/cause.ts';
import { closingRefusalNames } from '../../reconciliation/closing.ts';
import { estimatedParts } from '../../reconciliation/profit.ts';
import { dayMs } from '../../time/time.ts';
import { fieldSentences } from '../field-problems.ts';
import { paragraph } from '../text.ts';
import { adminRoutes } from './admin-routes.ts';
import { endpoint } from './endpoint.ts';
import { amountText, base64File, id, pageOf, pageQuery, timestamp } from './values.ts';

const day = z.iso.date().regex(/^20/).meta({ description: 'Día de La Paz, "2026-11-21"', example: '2026-11-21' });
const bookCurrency = z.enum(['EUR', 'USD', 'BOB']);

/** Profit of one currency; costs and losses are negative. */
export const profitView = z.object({
  currency: bookCurrency,
  fee: amountText,
  /** The exchange margin over the market's reference rate. */
  margin: amountText,
  processor: amountText,
  loss: amountText,
  total: amountText,
});
export type ProfitView = z.infer<typeof profitView>;

/** The same for one transfer; `estimated`: the parts that are not booked yet. */
export const transferProfitView = profitView.extend({ estimated: z.array(z.enum(estimatedParts)) });
export type TransferProfitView = z.infer<typeof transferProfitView>;

/** What waits for a second person. */
export const bookRequestView = z.object({
  id,
  reason: z.string(),
  requested_by: z.string(),
  requested_by_id: id,
  requested_at: timestamp,
});
export type BookRequestView = z.infer<typeof bookRequestView>;

/** A difference between our books and a source. */
export const bookExceptionView = z.object({
  id,
  version: z.int(),
  cause: z.enum(causeNames),
  side: z.enum(sides),
  /** The transfer it is about, or null. */
  transfer_id: id.nullable(),
  /** The source's reference. */
  reference: z.string().nullable(),
  /** The amount by our books or the price list; negative for money that leaves the source. */
  expected: amountText.nullable(),
  actual: amountText.nullable(),
  /** By how much the source has more than our books; zero where it is not about money. */
  difference: amountText,
  currency: bookCurrency,
  day,
  found_at: timestamp,
  status: z.enum(['open', 'explained', 'accepted', 'settled']),
  note: z.string().nullable(),
  decided_by: z.string().nullable(),
  decided_at: timestamp.nullable(),
  /** When the source was queried again. */
  asked_at: timestamp.nullable(),
  /** Whether it can be written off, as a loss or a gain. */
  can_accept: z.boolean(),
  /** What waits for a second person, or null. */
  request: bookRequestView.nullable(),
});
export type BookExceptionView = z.infer<typeof bookExceptionView>;

/** Balances of a source and our books at the end of a day, including all earlier days. */
export const sideTotalsView = z.object({
  side: z.enum(sides),
  currency: bookCurrency,
  source: amountText,
  books: amountText,
  difference: amountText,
  /** Of the difference: on one side alone for the time being. */
  timing: amountText,
  /** Of the difference: explained by a person and not booked. */
  explained: amountText,
  /** Of the difference: open exceptions. */
  open: amountText,
  /** The unexplained difference; a day with one cannot be closed. */
  unexplained: amountText,
});

/** A day of the books. */
export const bookDayView = z.object({
  day,
  totals: z.array(sideTotalsView),
  profit: z.array(profitView),
  compared_at: timestamp.nullable(),
  closed_at: timestamp.nullable(),
  proposed_by: z.string().nullable(),
  confirmed_by: z.string().nullable(),
  /** Why it cannot be closed now; empty: it can, or is. */
  refusals: z.array(z.enum(closingRefusalNames)),
  request: bookRequestView.nullable(),
});
export type BookDayView = z.infer<typeof bookDayView>;

export const reconciliationView = z.object({
  /** Everything Stripe did before this moment is imported. */
  stripe_until: timestamp.nullable(),
  /** The last day whose bank statement is imported. */
  bank_until: day.nullable(),
  closed_until: day.nullable(),
  open_exceptions: z.int(),
  /**
   * Payouts of completed transfers that the bank returned and families are still owed, in bolivianos, oldest debt
   * first.
   */
  owed_to_families: z.array(
    z.object({
      transfer_id: id,
      amount: amountText,
      /** Since when its case has been open; null: it has none. */
      since: timestamp.nullable(),
    }),
  ),
  /** Newest first. */
  days: z.array(bookDayView),
});
export type ReconciliationView = z.infer<typeof reconciliationView>;

/** Lists that can be exported, a line of a CSV file each. */
export const exportLists = ['transfers', 'postings', 'profit', 'exceptions'] as const;
export type ExportList = (typeof exportLists)[number];

const params = z.object({ id });
const range = { from: day, to: day };
/** Days in order, ten years at most; an invalid day is reported separately. */
const isRange = ({ from, to }: { from: string; to: string }) =>
  !day.safeParse(from).success ||
  !day.safeParse(to).success ||
  (from <= to && Date.parse(to) - Date.parse(from) < 3660 * dayMs);
const rangeProblem = { path: ['to'], error: fieldSentences.range_malformed };
const note = paragraph(500).min(1, fieldSentences.note_required);
const exceptionAnswer = z.object({ exception: bookExceptionView });

export const reconciliationEndpoints = {
  reconciliation: endpoint({
    ...adminRoutes.reconciliation,
    summary: 'Hasta dónde llegan las fuentes, y cómo cuadran los últimos días',
    access: 'admin',
    response: reconciliationView,
  }),
  openExceptions: endpoint({
    ...adminRoutes.openExceptions,
    summary: 'Cuántas diferencias están abiertas',
    access: 'admin',
    response: z.object({ open: z.int() }),
  }),
  runReconciliation: endpoint({
    ...adminRoutes.runReconciliation,
    summary: 'Pide importar lo nuevo de Stripe y del banco, y compararlo con los libros',
    access: 'admin',
    audit: 'reconciliation_asked',
    response: z.object({ asked: z.literal(true) }),
  }),
  bookExceptions: endpoint({
    ...adminRoutes.bookExceptions,
    summary: 'Diferencias entre los libros, Stripe y el banco, las últimas primero',
    access: 'admin',
    query: pageQuery.extend({
      status: z.enum(['open', 'decided']).default('open'),
      cause: z.enum(causeNames).optional(),
    }),
    response: pageOf(bookExceptionView),
  }),
  explainException: endpoint({
    ...adminRoutes.explainException,
    summary: 'Explica una diferencia con una nota; no mueve dinero en los libros',
    access: 'admin',
    audit: 'exception_explained',
    params,
    body: z.object({ note }),
    response: exceptionAnswer,
    failures: ['not_found', 'own_transfer', 'exception_decided'],
  }),
  acceptException: endpoint({
    ...adminRoutes.acceptException,
    summary: 'Pide aceptar una diferencia como pérdida o ganancia; la anota cuando otra persona está de acuerdo',
    access: 'admin',
    audit: 'write_off_asked',
    params,
    body: z.object({ note }),
    response: exceptionAnswer,
    failures: ['not_found', 'own_transfer', 'exception_decided', 'action_not_possible', 'request_pending'],
  }),
  askAgain: endpoint({
    ...adminRoutes.askAgain,
    summary: 'Vuelve a preguntar a la fuente desde el día de la diferencia',
    access: 'admin',
    audit: 'source_asked',
    params,
    response: exceptionAnswer,
    failures: ['not_found', 'exception_decided'],
  }),
  decideBookRequest: endpoint({
    ...adminRoutes.decideBookRequest,
    summary: 'La segunda persona acepta o rechaza una pérdida o ganancia, o el cierre de un día',
    access: 'admin',
    audit: 'book_request_decided',
    params,
    body: z.object({ approve: z.boolean() }),
    response: z.object({ decided: z.literal(true) }),
    failures: [
      'not_found',
      'own_transfer',
      'own_request',
      'role_too_new',
      'already_decided',
      'request_ended',
      'action_not_possible',
      'day_not_closable',
    ],
  }),
  closeDay: endpoint({
    ...adminRoutes.closeDay,
    summary: 'Propone cerrar un día; se cierra cuando otra persona está de acuerdo',
    access: 'admin',
    audit: 'day_closing_asked',
    params: z.object({ day }),
    body: z.object({ note: paragraph(500).default('') }),
    response: z.object({ day: bookDayView }),
    failures: ['day_not_closable', 'request_pending'],
  }),
  importStatement: endpoint({
    ...adminRoutes.importStatement,
    summary: 'Importa el archivo de un extracto del banco, CSV o camt.053, entero o nada; repetirlo no cambia nada',
    access: 'admin',
    audit: 'statement_imported',
    bodyBytesMax: 12_000_000,
    body: z.object({ data: base64File(11_000_000) }),
    response: z.object({ number: z.string(), day, lines: z.int(), added: z.int() }),
    failures: ['statement_unreadable', 'too_many_requests'],
  }),
  dailyProfit: endpoint({
    ...adminRoutes.dailyProfit,
    summary: 'Ganancia de cada día y moneda: comisión y margen, menos lo que cobra Stripe y lo que se perdió',
    access: 'admin',
    params: z.object(range).refine(isRange, rangeProblem),
    response: z.object({ days: z.array(profitView.extend({ day })) }),
  }),
  transferProfit: endpoint({
    ...adminRoutes.transferProfit,
    summary: 'Ganancia de un envío en cada moneda',
    access: 'admin',
    params,
    response: z.object({ profit: z.array(transferProfitView) }),
    failures: ['not_found'],
  }),
  exportCsv: endpoint({
    ...adminRoutes.exportCsv,
    summary: 'Una lista de un rango de días como archivo CSV, con la zona horaria en el encabezado',
    access: 'admin',
    audit: 'list_exported',
    params: z.object({ list: z.enum(exportLists), ...range }).refine(isRange, rangeProblem),
    answersFile: true,
    status: 200,
  }),
};
