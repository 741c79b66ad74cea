import { expect, test } from 'vitest';
import { adminRoles } from '../accounts/admin-roles.ts';
import { isPermitted } from '../accounts/roles.ts';
import {
  actionsEndedBy,
  isReport,
  kindOfRequest,
  permissionOf,
  type RequestAction,
  type RequestEvent,
  requestActions,
  requestEvents,
} from './desk-request.ts';

const permissions: RequestAction[] = [
  ...(['retry', 'give_up_and_refund', 'refund_at_loss', 'release_hold', 'resolve'] as const),
  ...(['pay_rest', 'refund_rest', 'keep_rest'] as const),
];

/** Said again here, so that a change of the table is a decision. */
const ended: Record<RequestEvent, RequestAction[]> = {
  state_changed: [...permissions, 'approve'],
  facts_changed: [...permissions, 'approve'],
  author_barred: [...permissions, 'approve', 'refute'],
  cases_closed: permissions,
};

test.each(Object.entries(ended) as [RequestEvent, RequestAction[]][])('the event %s ends %j', (event, actions) => {
  expect(actionsEndedBy(event).sort()).toEqual([...actions].sort());
  expect(requestEvents[event]).toMatch(/^[A-Z].{10,}\.$/);
});

test('nothing but a person ends a report of money that left', () => {
  const reports = requestActions.filter(isReport);
  expect(reports).toEqual(['pay_by_hand', 'refund_by_hand']);
  for (const event of Object.keys(requestEvents) as RequestEvent[])
    for (const action of reports) expect(actionsEndedBy(event)).not.toContain(action);
});

test('the author of a request must be allowed to act on cases, and of an approval to approve', () => {
  for (const action of requestActions) {
    const permission = permissionOf(action);
    expect(permission).toBe(kindOfRequest[action] === 'approval' ? 'approve' : 'actOnCase');
    expect(adminRoles.filter((role) => isPermitted(role, permission))).toEqual(['reviewer', 'owner']);
  }
});
