import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { DeskCaseView, OperationView } from '#core/contracts/http/operations';
import { errorMessage } from '../../../lib/http.ts';
import { adminStatusLabels, stateNotes } from '../transfers/transfer-labels.ts';
import { actionMessages } from './action-messages.ts';
import { disputeStatusText, operationStatuses, operationTitle, resolutionText } from './case-messages.ts';

/** Why something was not done, and what changed about the case since the person read it. */
export function Refused({
  error,
  changes = [],
  testid = 'desk-refused',
}: {
  /** Or the message itself. */
  error: Error | string;
  changes?: readonly string[];
  testid?: string;
}) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" w="100%" data-testid={testid}>
      {typeof error === 'string' ? error : errorMessage(error)}
      {changes.length > 0 && (
        <>
          <Text fz="sm" fw={600} mt="xs">
            Cambió mientras tanto:
          </Text>
          <List fz="sm" data-testid="desk-changes">
            {changes.map((change) => (
              <List.Item key={change}>{change}</List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}

/** What became different about a case since somebody read it, a Spanish sentence each; empty when nothing did. */
export function changesSince(seen: DeskCaseView, now: DeskCaseView): string[] {
  return [
    ...changesOfRequests(seen, now),
    ...changesOfOperations(seen.operations, now.operations),
    ...changesOfDisputes(seen, now),
    ...(stateText(seen) === stateText(now) ? [] : [`El envío pasó de «${stateText(seen)}» a «${stateText(now)}».`]),
    ...(seen.owed === now.owed ? [] : [`Lo que se le debe a quien envía cambió de ${seen.owed} a ${now.owed}.`]),
    ...(seen.assigned_to_id === now.assigned_to_id ? [] : [keeperText(now)]),
    ...(seen.notes.length < now.notes.length ? [`${now.notes.at(-1)?.author} escribió una nota.`] : []),
    ...(!seen.resolved_at && now.resolved_at ? [`El caso se cerró: ${resolutionText(now)}`] : []),
  ];
}

const stateText = ({ transaction: { state, status } }: DeskCaseView) => stateNotes[state] ?? adminStatusLabels[status];

const keeperText = ({ assigned_to: name }: DeskCaseView) => (name ? `Ahora lo tiene ${name}.` : 'Ya nadie lo tiene.');

function changesOfRequests(seen: DeskCaseView, { request, decided = [] }: DeskCaseView): string[] {
  const known = new Set(seen.decided?.map(({ id }) => id));
  const done = decided
    .filter(({ id }) => !known.has(id))
    .map(({ action, outcome, requested_by, decided_by }) => {
      if (!decided_by) return `${requested_by} ya lo hizo: ${actionMessages[action].button}.`;
      return `${decided_by} ${outcome === 'declined' ? 'rechazó' : 'aprobó'} ${actionMessages[action].asked}.`;
    });
  if (request && request.id !== seen.request?.id)
    done.push(`${request.requested_by} pidió ${actionMessages[request.action].asked}; espera a una segunda persona.`);
  return done;
}

function changesOfOperations(seen: readonly OperationView[], now: readonly OperationView[]): string[] {
  const known = new Map(seen.map(({ id, status }) => [id, status]));
  return now
    .filter(({ id, status }) => known.get(id) !== status)
    .map((operation) => `${operationTitle(operation)}: ${operationStatuses[operation.status].label.toLowerCase()}.`);
}

function changesOfDisputes(seen: DeskCaseView, now: DeskCaseView): string[] {
  const known = new Map(seen.disputes.map(({ id, status }) => [id, status]));
  return now.disputes
    .filter(({ id, status }) => known.get(id) !== status)
    .map(({ status }) => disputeStatusText(status));
}
