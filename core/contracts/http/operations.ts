import { z } from 'zod';
import { deskActions } from '../../operations/desk-action.ts';
import { caseOutcomes, caseReasonNames } from '../../operations/desk-case.ts';
import { requestActions } from '../../operations/desk-request.ts';
import { operationKindNames, operationStatusNames } from '../../operations/operation.ts';
import { fieldSentences } from '../field-problems.ts';
import { line, paragraph } from '../text.ts';
import { adminTransferView } from './admin.ts';
import { adminRoutes } from './admin-routes.ts';
import { disputeView } from './disputes.ts';
import { endpoint } from './endpoint.ts';
import { fileInput } from './files.ts';
import { senderRoutes } from './sender-routes.ts';
import { transferView } from './transfers.ts';
import { amountText, id, pageOf, pageQuery, timestamp } from './values.ts';

/** An effect on the outside world, as the operations desk shows it. */
export const operationView = z.object({
  id,
  kind: z.enum(operationKindNames),
  sequence: z.int(),
  provider: z.enum(['stripe', 'bank', 'manual']),
  status: z.enum(operationStatusNames),
  attempts: z.int(),
  next_attempt_at: timestamp.nullable(),
  last_error: z.string().nullable(),
  provider_reference: z.string().nullable(),
  amount: amountText,
  currency: z.enum(['EUR', 'USD', 'BOB']),
  /** The part of a payout that the bank returned later. */
  returned: amountText,
  changed_at: timestamp,
});
export type OperationView = z.infer<typeof operationView>;

/** An account that a family can be paid a second time to; `recipient_id` is null for the one that was paid. */
export const payableAccount = z.object({
  recipient_id: id.nullable(),
  name: z.string(),
  bank_name: z.string(),
  bank_account: z.string(),
});
export type PayableAccount = z.infer<typeof payableAccount>;

export type { DeskAction } from '../../operations/desk-action.ts';

/** A request about a case. The approval of a transfer is part of its review instead. */
const caseRequestActions = requestActions.filter((action) => action !== 'approve');
export type CaseRequestAction = (typeof caseRequestActions)[number];

/** An action that waits for a second person, a settlement by hand that is under way, or how either was decided. */
export const deskRequestView = z.object({
  id,
  action: z.enum(caseRequestActions),
  /** A settlement by hand that is reserved and not reported yet. */
  reserved: z.boolean(),
  reason: z.string(),
  /** The amount that it moves; null when it moves no money. */
  amount: amountText.nullable(),
  /** Bolivianos go to the family, any other currency back to the sender; null if no money moves. */
  currency: z.enum(['EUR', 'USD', 'BOB']).nullable(),
  bank_reference: z.string().nullable(),
  has_proof: z.boolean(),
  /** Whom `pay_rest` pays, with the account masked; null for any other action. */
  account: z.object({ name: z.string(), bank_name: z.string(), bank_account: z.string() }).nullable(),
  requested_by: z.string(),
  requested_by_id: id,
  requested_at: timestamp,
  decided_by: z.string().nullable(),
  decided_at: timestamp.nullable(),
  /** `dropped`: nothing was sent, says who had reserved it. `refuted`: two people agreed that nothing was sent. */
  outcome: z.enum(['approved', 'declined', 'dropped', 'refuted']).nullable(),
});
export type DeskRequestView = z.infer<typeof deskRequestView>;

/** A case on the operations desk. */
export const deskCaseView = z.object({
  id,
  version: z.int(),
  reason: z.enum(caseReasonNames),
  /** The provider's answer. */
  details: z.string().nullable(),
  opened_at: timestamp,
  resolved_at: timestamp.nullable(),
  /** The resolution that a person wrote, or null. */
  resolution: z.string().nullable(),
  /** How it was settled automatically; null if a person closed it or it is open. */
  outcome: z.enum(caseOutcomes).nullable(),
  assigned_to: z.string().nullable(),
  assigned_to_id: id.nullable(),
  /** The operation it is about, when it is about one. */
  operation: operationView.nullable(),
  /** All operations of the transfer, the oldest first. */
  operations: z.array(operationView),
  transaction: adminTransferView,
  /**
   * The actions allowed to the admin now; empty for their own transfer (except in live events, which go to all admins)
   * and while a request waits.
   */
  actions: z.array(z.enum(deskActions)),
  /** The request about the transfer that waits for a second person, or the settlement by hand that is under way; or null. */
  request: deskRequestView.nullable(),
  /** What refutes that settlement and waits for a second person, or null. */
  refutation: deskRequestView.nullable(),
  /** What of the charge the sender would get back now, in their currency. */
  owed: amountText,
  /** The part of a completed payout that the bank returned and the family is still owed, in bolivianos. */
  rest: amountText,
  /** What `refund_rest` would return of the charge for it, in the sender's currency. */
  rest_share: amountText,
  /** All disputes of the transfer, the newest first. */
  disputes: z.array(disputeView),
  notes: z.array(z.object({ text: z.string(), author: z.string(), at: timestamp })),
  /** Earlier actions and declined requests, newest first; omitted if not loaded. */
  decided: z.array(deskRequestView).optional(),
});
export type DeskCaseView = z.infer<typeof deskCaseView>;

/** How long a case has been open at least, in hours. */
export const caseAges = ['1', '24', '72'] as const;
/** Who has a case. */
export const caseKeepers = ['me', 'nobody'] as const;

/** What narrows the list of cases. */
export const caseFilter = z.object({
  reason: z.enum(caseReasonNames).optional(),
  older_than_hours: z.enum(caseAges).optional(),
  assigned: z.enum(caseKeepers).optional(),
});
export type CaseFilter = z.infer<typeof caseFilter>;

const params = z.object({ id });
const answer = z.object({ case: deskCaseView });
/** A file of 2 MB in a body of JSON. */
const proofBytesMax = 3_000_000;
const reasonText = paragraph(500);

export const operationsEndpoints = {
  deskCases: endpoint({
    ...adminRoutes.deskCases,
    summary: 'Lo que necesita a una persona, lo más antiguo primero',
    access: 'admin',
    query: pageQuery.extend({ status: z.enum(['open', 'resolved']).default('open'), ...caseFilter.shape }),
    response: pageOf(deskCaseView),
  }),
  deskCase: endpoint({
    ...adminRoutes.deskCase,
    summary: 'Un caso con sus operaciones',
    access: 'admin',
    params,
    response: answer,
    failures: ['not_found'],
  }),
  assignCase: endpoint({
    ...adminRoutes.assignCase,
    summary: 'Toma un caso, o lo deja',
    access: 'admin',
    audit: 'case_assigned',
    params,
    body: z.object({ mine: z.boolean() }),
    response: answer,
    failures: ['not_found', 'case_resolved'],
  }),
  noteCase: endpoint({
    ...adminRoutes.noteCase,
    summary: 'Escribe una nota en un caso',
    access: 'admin',
    audit: 'case_noted',
    params,
    body: z.object({ text: paragraph(1000).min(1, fieldSentences.note_required) }),
    response: answer,
    failures: ['not_found'],
  }),
  actOnCase: endpoint({
    ...adminRoutes.actOnCase,
    summary:
      'Resuelve un caso, o reserva el envío para pagarlo a mano; lo que mueve mucho dinero, o dos veces, espera a una segunda persona',
    access: 'admin',
    freshFactor: true,
    audit: 'case_acted',
    params,
    body: z.object({
      action: z.enum(deskActions),
      reason: reasonText,
      /** Whom `pay_rest` pays, of the sender's own recipients; the account that was paid unless given. */
      recipient_id: id.optional(),
    }),
    response: answer,
    failures: ['not_found', 'own_transfer', 'case_resolved', 'action_not_possible', 'request_pending'],
  }),
  reportSettlement: endpoint({
    ...adminRoutes.reportSettlement,
    summary:
      'Registra que el dinero de un envío reservado ya salió, con la prueba del banco; si es mucho, otra persona lo confirma',
    access: 'admin',
    freshFactor: true,
    audit: 'settlement_reported',
    params,
    bodyBytesMax: proofBytesMax,
    body: z.object({
      bank_reference: line(60).min(1, fieldSentences.reference_required),
      /** The exact amount paid: bolivianos to the family, or the sender's currency back to them. */
      amount: amountText,
      proof: fileInput,
      reason: reasonText.default(''),
    }),
    response: answer,
    failures: ['not_found', 'own_transfer', 'already_decided', 'request_ended', 'request_pending', 'amount_differs'],
  }),
  dropSettlement: endpoint({
    ...adminRoutes.dropSettlement,
    summary: 'Quien reservó un envío para pagarlo a mano dice que no envió nada; el envío queda libre',
    access: 'admin',
    freshFactor: true,
    audit: 'settlement_dropped',
    params,
    response: answer,
    failures: ['not_found', 'own_transfer', 'already_decided', 'request_ended', 'request_pending'],
  }),
  refuteSettlement: endpoint({
    ...adminRoutes.refuteSettlement,
    summary: 'Presenta la prueba del banco de que el dinero de un pago a mano no salió; otra persona lo confirma',
    access: 'admin',
    freshFactor: true,
    audit: 'settlement_refuted',
    params,
    bodyBytesMax: proofBytesMax,
    body: z.object({ reason: reasonText.min(1, fieldSentences.reason_required), proof: fileInput }),
    response: answer,
    failures: ['not_found', 'own_transfer', 'already_decided', 'request_ended', 'request_pending'],
  }),
  caseAccounts: endpoint({
    ...adminRoutes.caseAccounts,
    summary: 'A quién se puede pagar lo que el banco devolvió: la cuenta pagada y los destinatarios de quien envía',
    access: 'admin',
    params,
    response: z.object({ accounts: z.array(payableAccount) }),
    failures: ['not_found'],
  }),
  deskProof: endpoint({
    ...adminRoutes.deskProof,
    summary: 'El comprobante de un pago por otro medio, como archivo para descargar',
    access: 'admin',
    audit: 'file_read',
    params,
    answersFile: true,
    status: 200,
    failures: ['not_found'],
  }),
  decideDeskRequest: endpoint({
    ...adminRoutes.decideDeskRequest,
    summary: 'La segunda persona aprueba o rechaza lo que otra pidió, o confirma un pago a mano',
    access: 'admin',
    freshFactor: true,
    audit: 'desk_request_decided',
    params,
    body: z.object({ approve: z.boolean() }),
    response: answer,
    failures: [
      'not_found',
      'own_transfer',
      'own_request',
      'role_too_new',
      'already_decided',
      'request_ended',
      'request_pending',
      'proof_missing',
      'action_not_possible',
    ],
  }),
  correctAccount: endpoint({
    ...senderRoutes.correctAccount,
    summary: 'Corrige la cuenta de un envío que el banco no pudo pagar; se vuelve a pagar',
    access: 'sender',
    params,
    body: z.object({ recipientId: id }),
    response: z.object({ transaction: transferView }),
    failures: [
      'not_found',
      'name_not_confirmed',
      'second_factor_stale',
      'settlement_in_progress',
      'account_not_correctable',
    ],
  }),
};
