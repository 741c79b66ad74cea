import type { Permission } from '../accounts/roles.ts';
import { deskActions } from './desk-action.ts';

/** What a row of `desk_request` asks for: an action about a case, the approval of a transfer, or the refutation of a report. */
export const requestActions = [...deskActions, 'approve', 'refute'] as const;
export type RequestAction = (typeof requestActions)[number];

/** Kinds of requests that can wait for a second person. */
export const requestKinds = {
  permission: 'Asks to do something about a case. Nothing has happened yet.',
  approval: 'The first of two approvals of a transfer. Nothing has happened yet.',
  report: 'Money is leaving or has left by other means. It reserves the transfer until people confirm or refute it.',
  refutation: 'Evidence that the money of a report never left.',
} as const;
export type RequestKind = keyof typeof requestKinds;

/** The kind of each request. */
export const kindOfRequest: Readonly<Record<RequestAction, RequestKind>> = {
  retry: 'permission',
  give_up_and_refund: 'permission',
  refund_at_loss: 'permission',
  pay_rest: 'permission',
  refund_rest: 'permission',
  keep_rest: 'permission',
  release_hold: 'permission',
  resolve: 'permission',
  pay_by_hand: 'report',
  refund_by_hand: 'report',
  approve: 'approval',
  refute: 'refutation',
};

/** Events that end a waiting request without a decision about it. */
export const requestEvents = {
  state_changed: 'The transfer moved to another state.',
  facts_changed:
    'A fraud warning, a dispute, a refund from outside or a return of the bank arrived, the sender was blocked, or the recipient changed, so the author saw something else.',
  author_barred: 'Its author may not ask for it any more: another role, none, or a blocked or closed account.',
  cases_closed: 'No case of the transfer is open any more.',
} as const;
export type RequestEvent = keyof typeof requestEvents;

/** What ends each kind. Money that has left by hand stays gone whatever happens, so nothing ends a report. */
const endings: Readonly<Record<RequestKind, readonly RequestEvent[]>> = {
  permission: ['state_changed', 'facts_changed', 'author_barred', 'cases_closed'],
  approval: ['state_changed', 'facts_changed', 'author_barred'],
  report: [],
  refutation: ['author_barred'],
};

/** The requests that an event ends. */
export function actionsEndedBy(event: RequestEvent): RequestAction[] {
  return requestActions.filter((action) => endings[kindOfRequest[action]].includes(event));
}

/** Whether a request reserves the transfer for a settlement by hand, or reports that it was settled so. */
export function isReport(action: RequestAction): action is 'pay_by_hand' | 'refund_by_hand' {
  return kindOfRequest[action] === 'report';
}

/** The permission that a request's author must still have when a second person decides about it. */
export function permissionOf(action: RequestAction): Permission {
  return action === 'approve' ? 'approve' : 'actOnCase';
}
