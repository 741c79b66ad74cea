import { z } from 'zod';
import { clockNames, reminderStages } from '../../complaints/clocks.ts';
import {
  complaintReasonNames,
  complaintStateNames,
  complaintWants,
  findings,
  regimeNames,
  remedies,
} from '../../complaints/complaint.ts';
import { locales } from '../../locale/locale.ts';
import { fieldSentences } from '../field-problems.ts';
import { paragraph } from '../text.ts';
import { adminTransferView } from './admin.ts';
import { adminRoutes } from './admin-routes.ts';
import { endpoint } from './endpoint.ts';
import { fileView } from './files.ts';
import { operationView, payableAccount } from './operations.ts';
import { senderRoutes } from './sender-routes.ts';
import { amountInput, amountText, currency, id, pageOf, pageQuery, timestamp } from './values.ts';

/** Longest report of a sender, and longest explanation of ours, in characters. */
export const complaintTextMax = 2000;

/** Letters of a report. */
export const letterKinds = ['received', 'delayed', 'result', 'corrected', 'reopened', 'withdrawn'] as const;

/** A letter as it was sent, in every language. */
export const letterView = z.object({
  id,
  kind: z.enum(letterKinds),
  at: timestamp,
  texts: z.array(
    z.object({
      language: z.enum(locales),
      subject: z.string(),
      paragraphs: z.array(z.string()),
      details: z.array(z.tuple([z.string(), z.string()])),
    }),
  ),
});
export type LetterView = z.infer<typeof letterView>;

/** What a sender writes about a transfer. */
export const complaintInput = z.object({
  reason: z.enum(complaintReasonNames),
  wants: z.enum(complaintWants),
  description: paragraph(complaintTextMax).min(10, fieldSentences.description_too_short),
});
export type ComplaintInput = z.infer<typeof complaintInput>;

/** A problem that a sender reported, as they see it. A higher `version` replaces a lower one. */
export const complaintView = z.object({
  id,
  version: z.int(),
  transferId: id,
  reason: z.enum(complaintReasonNames),
  wants: z.enum(complaintWants),
  description: z.string(),
  regime: z.enum(regimeNames),
  /** Reported within the time that Regulation E gives for errors. */
  inTime: z.boolean(),
  reportedAt: timestamp,
  /** While a second person looks at the result, it is still being investigated. */
  state: z.enum(['investigating', 'correcting', 'closed', 'withdrawn']),
  /** The next deadline of ours, or null when nothing is left to do. */
  nextDue: z.object({ clock: z.enum(clockNames), at: timestamp }).nullable(),
  /** The result, once the sender was written to; null before. */
  finding: z.enum(findings).nullable(),
  explanation: z.string().nullable(),
  remedy: z.enum(remedies).nullable(),
  /** What goes back to the card, in `currency`; null when nothing does. */
  amount: amountText.nullable(),
  currency,
  /** The second payout in bolivianos with the ending of its account, or null. */
  payout: z.object({ amount: amountText, bankName: z.string(), accountEnding: z.string() }).nullable(),
  closedAt: timestamp.nullable(),
  letters: z.array(letterView),
  /** Files from the sender, oldest first. */
  files: z.array(fileView),
});
export type ComplaintView = z.infer<typeof complaintView>;

/** One clock of the law. */
export const clockView = z.object({
  name: z.enum(clockNames),
  due_at: timestamp,
  done_at: timestamp.nullable(),
  /** False: it begins when the clock before it ends; `due_at` is the latest it can come to. */
  begun: z.boolean(),
});

/** The admin actions for a report. */
export const complaintActions = ['hold', 'conclude', 'approve', 'correct'] as const;
export type ComplaintAction = (typeof complaintActions)[number];

/** A problem that a sender reported, as admins see it. */
export const adminComplaintView = z.object({
  id,
  version: z.int(),
  reason: z.enum(complaintReasonNames),
  wants: z.enum(complaintWants),
  description: z.string(),
  regime: z.enum(regimeNames),
  in_time: z.boolean(),
  reported_at: timestamp,
  state: z.enum(complaintStateNames),
  clocks: z.array(clockView),
  /** The clock that ends next; null when none runs. */
  next_due: z.object({ clock: z.enum(clockNames), at: timestamp }).nullable(),
  /** The reply that says why it takes longer. */
  held_at: timestamp.nullable(),
  hold_reason: z.string().nullable(),
  assigned_to: z.string().nullable(),
  assigned_to_id: id.nullable(),
  /** The language in which the sender reads. */
  language: z.enum(locales),
  transaction: adminTransferView,
  /** The refundable rest of the charge, in the transfer's currency. */
  left: amountText,
  /** What of the promised bolivianos could be paid a second time. */
  repayable: amountText,
  /** The law wants the fee back where an error is found. */
  owes_fee: z.boolean(),
  findings: z.array(z.enum(findings)),
  /** The remedies possible for an error now. */
  remedies: z.array(z.enum(remedies)),
  /**
   * The actions allowed to the viewer now; empty for the viewer's own transfer, except in live events, which go to all
   * admins.
   */
  actions: z.array(z.enum(complaintActions)),
  finding: z.enum(findings).nullable(),
  explanation: z.string().nullable(),
  remedy: z.enum(remedies).nullable(),
  amount: amountText.nullable(),
  /** The second payout in bolivianos, and its recipient. */
  payout: payableAccount.omit({ recipient_id: true }).extend({ amount: amountText }).nullable(),
  found_by: z.string().nullable(),
  found_by_id: id.nullable(),
  found_at: timestamp.nullable(),
  approved_by: z.string().nullable(),
  told_at: timestamp.nullable(),
  closed_at: timestamp.nullable(),
  /** The refund that corrects the error, when one does. */
  operation: operationView.nullable(),
  /** The second payout that corrects it, the newest one. */
  second_payout: operationView.nullable(),
  notes: z.array(z.object({ text: z.string(), author: z.string(), at: timestamp })),
  letters: z.array(letterView),
  /** Files from the sender, oldest first. */
  files: z.array(fileView),
  /** Whom we wrote about which deadline. */
  reminders: z.array(
    z.object({
      clock: z.enum(clockNames),
      stage: z.enum(reminderStages),
      due_at: timestamp,
      at: timestamp,
      told: z.array(z.string()),
    }),
  ),
});
export type AdminComplaintView = z.infer<typeof adminComplaintView>;

const params = z.object({ id });
const answer = z.object({ complaint: adminComplaintView });
const letterFile = {
  params,
  query: z.object({ language: z.enum(locales).optional() }),
  answersFile: true,
  status: 200,
  failures: ['not_found', 'too_many_requests'],
} as const;

export const complaintEndpoints = {
  ownComplaints: endpoint({
    ...senderRoutes.ownComplaints,
    summary: 'Los problemas que reportaste, los más recientes primero',
    access: 'sender',
    query: pageQuery,
    response: pageOf(complaintView),
  }),
  transferComplaints: endpoint({
    ...senderRoutes.transferComplaints,
    summary: 'Lo que reportaste de un envío propio ya pagado, y hasta cuándo un error se reporta a tiempo',
    access: 'sender',
    params,
    response: z.object({
      /** Until when an error is reported in time; later it is a complaint, which is answered, too. */
      inTimeUntil: timestamp,
      /** The rules for an error that is reported now. */
      regime: z.enum(regimeNames),
      /** The newest first, 50 at most. */
      items: z.array(complaintView),
    }),
    failures: ['not_found'],
  }),
  reportComplaint: endpoint({
    ...senderRoutes.reportComplaint,
    summary: 'Reporta un problema de un envío propio ya pagado; uno abierto por motivo',
    access: 'sender',
    params,
    body: complaintInput,
    status: 201,
    response: complaintView,
    failures: ['not_found', 'complaint_open', 'too_many_requests'],
  }),
  withdrawComplaint: endpoint({
    ...senderRoutes.withdrawComplaint,
    summary: 'Retira un reclamo propio del que todavía no se decidió nada',
    access: 'sender',
    params,
    response: complaintView,
    failures: ['not_found', 'complaint_decided'],
  }),
  letterPdf: endpoint({
    ...senderRoutes.letterPdf,
    ...letterFile,
    summary: 'Una carta sobre un reclamo propio, como PDF',
    access: 'sender',
  }),
  adminLetterPdf: endpoint({
    ...adminRoutes.adminLetterPdf,
    ...letterFile,
    summary: 'Una carta a un remitente sobre su reclamo, como PDF',
    access: 'admin',
    audit: 'file_read',
  }),
  adminComplaints: endpoint({
    ...adminRoutes.adminComplaints,
    summary: 'Los reclamos de remitentes, primero los que vencen antes',
    access: 'admin',
    query: pageQuery.extend({ status: z.enum(['open', 'resolved']).default('open') }),
    response: pageOf(adminComplaintView),
  }),
  adminComplaint: endpoint({
    ...adminRoutes.adminComplaint,
    summary: 'Un reclamo con sus plazos, notas y cartas',
    access: 'admin',
    params,
    response: answer,
    failures: ['not_found'],
  }),
  complaintAccounts: endpoint({
    ...adminRoutes.complaintAccounts,
    summary: 'A quién se puede pagar otra vez por un reclamo: la cuenta pagada y los destinatarios de quien envía',
    access: 'admin',
    params,
    response: z.object({ accounts: z.array(payableAccount) }),
    failures: ['not_found'],
  }),
  assignComplaint: endpoint({
    ...adminRoutes.assignComplaint,
    summary: 'Toma un reclamo, o lo deja',
    access: 'admin',
    audit: 'complaint_assigned',
    params,
    body: z.object({ mine: z.boolean() }),
    response: answer,
    failures: ['not_found', 'complaint_overtaken'],
  }),
  noteComplaint: endpoint({
    ...adminRoutes.noteComplaint,
    summary: 'Escribe una nota interna en un reclamo',
    access: 'admin',
    audit: 'complaint_noted',
    params,
    body: z.object({ text: paragraph(1000).min(1, fieldSentences.note_required) }),
    response: answer,
    failures: ['not_found'],
  }),
  holdComplaint: endpoint({
    ...adminRoutes.holdComplaint,
    summary: 'Escribe al remitente por qué la respuesta tarda, una vez; el plazo pasa de 15 a 35 días hábiles',
    access: 'admin',
    audit: 'complaint_held',
    params,
    body: z.object({ reason: paragraph(complaintTextMax).min(1, fieldSentences.reason_required) }),
    response: answer,
    failures: ['not_found', 'own_transfer', 'complaint_overtaken'],
  }),
  concludeComplaint: endpoint({
    ...adminRoutes.concludeComplaint,
    summary:
      'Termina la investigación y escribe el resultado; lo que devuelve mucho dinero espera a una segunda persona',
    access: 'admin',
    freshFactor: true,
    audit: 'complaint_concluded',
    params,
    body: z.object({
      finding: z.enum(findings),
      /** The explanation for the sender. */
      explanation: paragraph(complaintTextMax).min(1, fieldSentences.answer_required),
      /** With a finding of an error only. */
      remedy: z.enum(remedies).optional(),
      /** What goes back to the card, with the remedy `refund` only. */
      amount: amountInput.optional(),
      /** What a family that was paid is paid a second time, in bolivianos, with the remedy `pay_again` only. */
      payout: amountInput.optional(),
      /** Whom, of the sender's recipients; the account that was paid unless given. */
      recipient_id: id.optional(),
    }),
    response: answer,
    failures: [
      'not_found',
      'own_transfer',
      'complaint_overtaken',
      'action_not_possible',
      'amount_differs',
      'request_pending',
    ],
  }),
  approveComplaint: endpoint({
    ...adminRoutes.approveComplaint,
    summary: 'La segunda persona aprueba el resultado de un reclamo, o lo devuelve con una nota',
    access: 'admin',
    freshFactor: true,
    audit: 'complaint_result_decided',
    params,
    body: z.object({
      approve: z.boolean(),
      /** When the result was found that the second person read; needed to approve it. */
      found_at: timestamp.optional(),
      note: paragraph(1000).default(''),
    }),
    response: answer,
    failures: [
      'not_found',
      'own_transfer',
      'own_request',
      'role_too_new',
      'complaint_overtaken',
      'action_not_possible',
      'amount_differs',
      'request_pending',
      'screening_needed',
    ],
  }),
  correctComplaint: endpoint({
    ...adminRoutes.correctComplaint,
    summary: 'Vuelve a hacer la devolución de un reclamo que la tarjeta no tomó',
    access: 'admin',
    freshFactor: true,
    audit: 'complaint_corrected',
    params,
    response: answer,
    failures: ['not_found', 'own_transfer', 'complaint_overtaken', 'action_not_possible'],
  }),
};
