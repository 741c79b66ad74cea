import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { DeskCaseView, DeskRequestView, OperationView } from '#core/contracts/http/operations';
import { errorMessage } from '../../../lib/http.ts';
import { adminStatusLabel, stateNote } from '../transfers/transfer-labels.ts';
import { actionMessages } from './action-messages.ts';
import { disputeStatusText, operationStatuses, operationTitle, owedOf, resolutionText } from './case-messages.ts';

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
            <Trans>Cambió mientras tanto:</Trans>
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

/** What became different about a case since somebody read it, a sentence each; empty when nothing did. */
export function changesSince(seen: DeskCaseView, now: DeskCaseView): string[] {
  return [
    ...changesOfRequests(seen, now),
    ...changesOfOperations(seen.operations, now.operations),
    ...changesOfDisputes(seen, now),
    ...changesOfState(stateText(seen), stateText(now)),
    ...changesOfDebt(owedOf(seen), owedOf(now)),
    ...(seen.assigned_to_id === now.assigned_to_id ? [] : [keeperText(now)]),
    ...(seen.notes.length < now.notes.length ? [noteText(now)] : []),
    ...(!seen.resolved_at && now.resolved_at ? [closedText(now)] : []),
  ];
}

const stateText = ({ transaction: { state, status } }: DeskCaseView) => stateNote(state) ?? adminStatusLabel(status);

const changesOfState = (before: string, after: string) =>
  before === after ? [] : [t`El envío pasó de «${before}» a «${after}».`];

const changesOfDebt = (before: string, after: string) =>
  before === after ? [] : [t`Lo que se le debe a quien envía cambió de ${before} a ${after}.`];

const keeperText = ({ assigned_to: name }: DeskCaseView) => (name ? t`Ahora lo tiene ${name}.` : t`Ya nadie lo tiene.`);

function noteText({ notes }: DeskCaseView): string {
  const author = notes.at(-1)?.author ?? t`Otra persona`;
  return t`${author} escribió una nota.`;
}

function closedText(now: DeskCaseView): string {
  const resolution = resolutionText(now);
  return t`El caso se cerró: ${resolution}`;
}

function changesOfRequests(seen: DeskCaseView, { request, decided = [] }: DeskCaseView): string[] {
  const known = new Set(seen.decided?.map(({ id }) => id));
  const done = decided.filter(({ id }) => !known.has(id)).map(decisionText);
  return request && request.id !== seen.request?.id ? [...done, requestText(request)] : done;
}

function decisionText({ action, outcome, requested_by: requester, decided_by: decider }: DeskRequestView): string {
  if (!decider) {
    const button = i18n._(actionMessages[action].button);
    return t`${requester} ya lo hizo: ${button}.`;
  }
  const asked = i18n._(actionMessages[action].asked);
  return outcome === 'declined' ? t`${decider} rechazó ${asked}.` : t`${decider} aprobó ${asked}.`;
}

function requestText({ action, requested_by: requester }: DeskRequestView): string {
  const asked = i18n._(actionMessages[action].asked);
  return t`${requester} pidió ${asked}; espera a una segunda persona.`;
}

function changesOfOperations(seen: readonly OperationView[], now: readonly OperationView[]): string[] {
  const known = new Map(seen.map(({ id, status }) => [id, status]));
  return now
    .filter(({ id, status }) => known.get(id) !== status)
    .map((operation) => {
      return `${operationTitle(operation)}: ${i18n._(operationStatuses[operation.status].label).toLowerCase()}.`;
    });
}

function changesOfDisputes(seen: DeskCaseView, now: DeskCaseView): string[] {
  const known = new Map(seen.disputes.map(({ id, status }) => [id, status]));
  return now.disputes
    .filter(({ id, status }) => known.get(id) !== status)
    .map(({ status }) => disputeStatusText(status));
}
