import { createHash, randomUUID } from 'node:crypto';
import type { AdminRole } from '#core/accounts/admin-roles';
import { isPermitted } from '#core/accounts/roles';
import {
  actionsEndedBy,
  isReport,
  permissionOf,
  type RequestAction,
  type RequestEvent,
  requestActions,
} from '#core/operations/desk-request';
import type { EntityManager } from '#platform/database/database';
import { DeskProof, DeskRequest } from './desk-request.entity.ts';

export type { DeskProof } from './desk-request.entity.ts';

/** An action on a case, done or requested. */
export type CaseRequest = DeskRequest & {
  readonly action: Exclude<RequestAction, 'approve'>;
  readonly caseId: string;
};

/** A settlement by hand; the transfer is reserved while it waits. */
export type Settlement = CaseRequest & { readonly action: 'pay_by_hand' | 'refund_by_hand' };

/** Whether a request is a settlement by hand. */
export function isSettlement(request: CaseRequest): request is Settlement {
  return isReport(request.action);
}

/** Whether a settlement was reported as paid; until then it is only reserved. */
export function isReported({ proofId }: Pick<DeskRequest, 'proofId'>): boolean {
  return proofId != null;
}

/** Whether money of a transfer was already moved for one of its requests. */
export function wasMovedByHand(requests: readonly Pick<DeskRequest, 'movesMoney' | 'outcome'>[]): boolean {
  return requests.some(({ movesMoney, outcome }) => movesMoney && (outcome === 'done' || outcome === 'approved'));
}

/** An approval of a transfer that needs a second person's approval too. */
export type ApprovalRequest = DeskRequest & { readonly action: 'approve' };

/** A proof whose content was checked. */
export interface NewProof {
  readonly name: string;
  readonly type: DeskProof['type'];
  readonly bytes: Buffer;
}

/** Stores a proof, in the transaction of `em`. */
export async function insertProof(
  em: EntityManager,
  { transferId, proof, personId, at }: { transferId: string; proof: NewProof; personId: string; at: Date },
): Promise<string> {
  const id = randomUUID();
  const sha256 = createHash('sha256').update(proof.bytes).digest('hex');
  em.persist(em.create(DeskProof, { id, transferId, ...proof, sha256, uploadedById: personId, uploadedAt: at }));
  await em.flush();
  return id;
}

/** Records an action (`outcome: 'done'`) or a request to a second person (`null`), in the transaction of `em`. */
export async function insertRequest(
  em: EntityManager,
  values: {
    caseId: string;
    transferId: string;
    senderId: string;
    action: CaseRequest['action'];
    movesMoney?: boolean;
    reason: string;
    amountMinor?: bigint | null;
    currency?: string | null;
    payoutTarget?: DeskRequest['payoutTarget'];
    proofId?: string | null;
    aboutId?: string;
    requestedById: string;
    outcome: 'done' | null;
    at: Date;
  },
): Promise<CaseRequest> {
  const { at, outcome, movesMoney = false, ...given } = values;
  const rest = { movesMoney, bankReference: null, amountMinor: null, currency: null, proofId: null, ...given };
  const decidedAt = outcome ? at : null;
  const request = em.create(DeskRequest, { id: randomUUID(), ...rest, outcome, requestedAt: at, decidedAt });
  await em.persist(request).flush();
  return request as CaseRequest;
}

/** The current request about a case, or null. */
export async function findRequest(em: EntityManager, id: string): Promise<CaseRequest | null> {
  return (await em.findOne(DeskRequest, { id, caseId: { $ne: null } }, { refresh: true })) as CaseRequest | null;
}

/** The requests about cases of transfers, newest first. */
export async function findRequests(em: EntityManager, transferIds: readonly string[]): Promise<CaseRequest[]> {
  const orderBy = { requestedAt: 'desc', id: 'desc' } as const;
  const where = { transferId: { $in: [...transferIds] }, caseId: { $ne: null } };
  return (await em.find(DeskRequest, where, { orderBy, refresh: true })) as CaseRequest[];
}

/** Records the first of two approvals of a transfer, in the transaction of `em`, which holds the lock of its row. */
export async function insertApprovalRequest(
  em: EntityManager,
  { transferId, senderId, adminId, at }: { transferId: string; senderId: string; adminId: string; at: Date },
): Promise<void> {
  const fields = { transferId, senderId, requestedById: adminId, requestedAt: at };
  const request = { id: randomUUID(), action: 'approve', movesMoney: false, reason: '', ...fields } as const;
  await em.persist(em.create(DeskRequest, request)).flush();
}

/** The first approval of a transfer while it awaits a second person's, or null. */
export async function findApprovalRequest(em: EntityManager, transferId: string): Promise<ApprovalRequest | null> {
  const where = { transferId, action: 'approve', outcome: null } as const;
  return (await em.findOne(DeskRequest, where, { refresh: true })) as ApprovalRequest | null;
}

/** Records a decision on a waiting request. Returns false when it no longer waits. */
export async function decideRequest(
  em: EntityManager,
  id: string,
  { outcome, personId, at }: { outcome: 'approved' | 'declined'; personId: string; at: Date },
): Promise<boolean> {
  const changes = { outcome, decidedById: personId, decidedAt: at };
  return (await em.nativeUpdate(DeskRequest, { id, outcome: null }, changes)) === 1;
}

/**
 * Records the payment made by hand for a reservation, in the transaction of `em`, which holds the lock of the
 * transfer's row.
 */
export async function noteReport(
  em: EntityManager,
  { id }: Settlement,
  report: { bankReference: string; proofId: string; reason: string; requestedById: string; at: Date },
): Promise<Settlement> {
  const { at: requestedAt, ...values } = report;
  await em.nativeUpdate(DeskRequest, { id, outcome: null }, { ...values, requestedAt });
  return (await em.findOneOrFail(DeskRequest, { id }, { refresh: true })) as Settlement;
}

/** Ends a waiting settlement and its refutation, in the transaction of `em`. */
export async function endSettlement(
  em: EntityManager,
  { id }: Settlement,
  { outcome, at }: { outcome: 'done' | 'dropped' | 'refuted'; at: Date },
): Promise<void> {
  await em.nativeUpdate(DeskRequest, { id, outcome: null }, { outcome, decidedAt: at });
  await endRefutations(em, id, at);
}

/** Ends a waiting refutation of a settlement. Returns whether there was one. */
export async function endRefutations(em: EntityManager, aboutId: string, at: Date): Promise<boolean> {
  const ended = { outcome: 'obsolete', decidedAt: at } as const;
  return (await em.nativeUpdate(DeskRequest, { aboutId, outcome: null }, ended)) > 0;
}

/**
 * Ends the requests about a transfer that an event invalidates (core/operations/desk-request.ts). Returns whether any
 * were waiting.
 */
export async function endWaitingRequests(
  em: EntityManager,
  transferId: string,
  { event, at }: { event: RequestEvent; at: Date },
): Promise<boolean> {
  const where = { transferId, outcome: null, action: { $in: actionsEndedBy(event) } };
  return (await em.nativeUpdate(DeskRequest, where, { outcome: 'obsolete', decidedAt: at })) > 0;
}

/** A person's waiting requests that their new role, or the loss of it, no longer permits. */
export function findBarredRequests(
  em: EntityManager,
  { personId, role }: { personId: string; role: AdminRole | null },
): Promise<DeskRequest[]> {
  const barred = actionsEndedBy('author_barred').filter((action) => !isPermitted(role, permissionOf(action)));
  const where = { requestedById: personId, outcome: null, action: { $in: barred } } as const;
  return em.find(DeskRequest, where, { orderBy: { transferId: 'asc' }, refresh: true });
}

/** Ends waiting requests about transfers whose rows are locked. */
export async function endRequests(
  em: EntityManager,
  requests: readonly Pick<DeskRequest, 'id'>[],
  at: Date,
): Promise<void> {
  const where = { id: { $in: requests.map(({ id }) => id) }, outcome: null };
  await em.nativeUpdate(DeskRequest, where, { outcome: 'obsolete', decidedAt: at });
}

/** The transfers reserved to be settled by hand, or reported as such. */
export async function findReserved(em: EntityManager, transferIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (transferIds.length === 0) return new Set();
  const action = { $in: requestActions.filter(isReport) };
  const where = { transferId: { $in: [...transferIds] }, outcome: null, action };
  const found = await em.find(DeskRequest, where, { fields: ['transferId'] });
  return new Set(found.map(({ transferId }) => transferId));
}

/** The proof of a request, or null. */
export async function findProofOf(em: EntityManager, requestId: string): Promise<DeskProof | null> {
  const request = await em.findOne(DeskRequest, { id: requestId });
  return request?.proofId ? em.findOne(DeskProof, { id: request.proofId }) : null;
}
