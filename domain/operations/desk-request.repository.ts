import { createHash, randomUUID } from 'node:crypto';
import type { DeskAction } from '#core/operations/desk-action';
import type { EntityManager } from '#platform/database/database';
import { DeskProof, DeskRequest } from './desk-request.entity.ts';

export type { DeskProof } from './desk-request.entity.ts';

/** What a person did about a case or asked for. */
export type CaseRequest = DeskRequest & { readonly action: DeskAction; readonly caseId: string };

/** An approval of a transfer that a second person has to give, too. */
export type ApprovalRequest = DeskRequest & { readonly action: 'approve' };

/** A proof whose content was checked. */
export interface NewProof {
  readonly name: string;
  readonly type: DeskProof['type'];
  readonly bytes: Buffer;
}

/** Keeps a proof, in the transaction of `em`. */
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

/** Writes down what a person did (`outcome: 'done'`) or asks a second person for (`null`), in the transaction of `em`. */
export async function insertRequest(
  em: EntityManager,
  values: {
    caseId: string;
    transferId: string;
    senderId: string;
    action: DeskAction;
    movesMoney: boolean;
    reason: string;
    bankReference: string | null;
    amountMinor: bigint | null;
    currency: string | null;
    proofId: string | null;
    requestedById: string;
    outcome: 'done' | null;
    at: Date;
  },
): Promise<CaseRequest> {
  const { at, outcome, ...rest } = values;
  // One waits for a transfer at most; an approval cannot be given any more where money moves.
  if (!outcome) await endWaitingRequests(em, rest.transferId, at);
  const decidedAt = outcome ? at : null;
  const request = em.create(DeskRequest, { id: randomUUID(), ...rest, outcome, requestedAt: at, decidedAt });
  await em.persist(request).flush();
  return request as CaseRequest;
}

/** A request about a case as the database has it now, or null. */
export async function findRequest(em: EntityManager, id: string): Promise<CaseRequest | null> {
  return (await em.findOne(DeskRequest, { id, caseId: { $ne: null } }, { refresh: true })) as CaseRequest | null;
}

/** The requests about cases of transfers, the newest first. */
export async function findRequests(em: EntityManager, transferIds: readonly string[]): Promise<CaseRequest[]> {
  const orderBy = { requestedAt: 'desc', id: 'desc' } as const;
  const where = { transferId: { $in: [...transferIds] }, caseId: { $ne: null } };
  return (await em.find(DeskRequest, where, { orderBy, refresh: true })) as CaseRequest[];
}

/** Writes down the first of two approvals of a transfer, in the transaction of `em` that has the lock of its row. */
export async function insertApprovalRequest(
  em: EntityManager,
  { transferId, senderId, adminId, at }: { transferId: string; senderId: string; adminId: string; at: Date },
): Promise<void> {
  const asked = { transferId, senderId, requestedById: adminId, requestedAt: at };
  const request = { id: randomUUID(), action: 'approve', movesMoney: false, reason: '', ...asked } as const;
  await em.persist(em.create(DeskRequest, request)).flush();
}

/** Approvals of transfers that wait for a second person. */
export async function findApprovalRequests(
  em: EntityManager,
  transferIds: readonly string[],
): Promise<ApprovalRequest[]> {
  const where = { transferId: { $in: [...transferIds] }, action: 'approve', outcome: null } as const;
  return (await em.find(DeskRequest, where, { refresh: true })) as ApprovalRequest[];
}

/** Writes down a decision about a waiting request. Returns false when it waits no more. */
export async function decideRequest(
  em: EntityManager,
  id: string,
  { outcome, personId, at }: { outcome: 'approved' | 'declined'; personId: string; at: Date },
): Promise<boolean> {
  const changes = { outcome, decidedById: personId, decidedAt: at };
  return (await em.nativeUpdate(DeskRequest, { id, outcome: null }, changes)) === 1;
}

/** Ends what waits for a second person about a transfer: nothing is left to decide. */
export async function endWaitingRequests(em: EntityManager, transferId: string, at: Date): Promise<void> {
  await em.nativeUpdate(DeskRequest, { transferId, outcome: null }, { outcome: 'obsolete', decidedAt: at });
}

/** The proof of a request, or null. */
export async function findProofOf(em: EntityManager, requestId: string): Promise<DeskProof | null> {
  const request = await em.findOne(DeskRequest, { id: requestId });
  return request?.proofId ? em.findOne(DeskProof, { id: request.proofId }) : null;
}
