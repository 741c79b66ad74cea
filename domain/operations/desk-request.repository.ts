import { createHash, randomUUID } from 'node:crypto';
import type { DeskAction } from '#core/operations/desk-action';
import type { EntityManager } from '#platform/database/database';
import { DeskProof, DeskRequest } from './desk-request.entity.ts';

export type { DeskProof, DeskRequest } from './desk-request.entity.ts';

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
): Promise<DeskRequest> {
  const { at, outcome, ...rest } = values;
  const decidedAt = outcome ? at : null;
  const request = em.create(DeskRequest, { id: randomUUID(), ...rest, outcome, requestedAt: at, decidedAt });
  await em.persist(request).flush();
  return request;
}

/** A request as the database has it now, or null. */
export function findRequest(em: EntityManager, id: string): Promise<DeskRequest | null> {
  return em.findOne(DeskRequest, { id }, { refresh: true });
}

/** The requests about transfers, the newest first. */
export function findRequests(em: EntityManager, transferIds: readonly string[]): Promise<DeskRequest[]> {
  const orderBy = { requestedAt: 'desc', id: 'desc' } as const;
  return em.find(DeskRequest, { transferId: { $in: [...transferIds] } }, { orderBy, refresh: true });
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
