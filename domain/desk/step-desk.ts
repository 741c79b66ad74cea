import { transferMoves } from '#core/transfers/states';
import { resumeHeldOperations } from '../provider-calls/operation.repository.ts';
import type { StepSubscriber } from '../transfers/steps.ts';
import { bumpCaseVersions, closeSettledCases, hasOpenCase } from './desk-case.repository.ts';
import { endWaitingRequests } from './desk-request.repository.ts';

/** Ends the requests that a change of state invalidates, and closes the cases that it settles. */
export const settleDesk: StepSubscriber = async (em, { transfer, move, name, to, actorId, at }) => {
  const { id: transferId } = transfer;
  const ended = to !== null && (await endWaitingRequests(em, transferId, { event: 'state_changed', at }));
  if (move === null && name !== 'void_authorization') return;
  if (!(await hasOpenCase(em, transferId))) return;
  const personId = move && transferMoves[move].owner === 'admin' ? actorId : null;
  await closeSettledCases(em, transfer, { at, personId });
  if (!ended) return;
  await bumpCaseVersions(em, transferId);
  await resumeHeldOperations(em, transferId, at);
};
