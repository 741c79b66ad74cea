import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Card, Group, Stack, Text, Textarea, Timeline } from '@mantine/core';
import { IconCheck, IconDots, IconX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { DisputeView } from '#core/contracts/http/disputes';
import type { DeskCaseView, OperationView } from '#core/contracts/http/operations';
import { openStatuses } from '#core/operations/operation';
import { useNoteCase, useRespondToDispute } from '../../../data/desk-cases.ts';
import { formatLaPazMoment, laPazTime } from '../../../lib/format/dates.ts';
import { formatAmount } from '../../../lib/format/money.ts';
import { CopyValue } from '../../../ui/copy-value.tsx';
import { Money } from '../../../ui/figures.tsx';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import { Section } from '../admin-drawer.tsx';
import { AdminNotes } from '../admin-notes.tsx';
import { Permitted } from '../permitted.tsx';
import { Refused } from './action-messages.tsx';
import { disputeStatusText, operationStatuses, operationTitle, providerLabel } from './case-messages.ts';

const icons = { good: IconCheck, wait: IconDots, bad: IconX, quiet: IconX } as const;
const colors = { good: 'green', wait: 'yellow', bad: 'red', quiet: 'gray' } as const;

/** Every effect on card and bank in its order: how often it was tried, and what came of it. */
export function CaseOperations({
  operations,
  about,
}: {
  operations: readonly OperationView[];
  /** The operation that the case is about. */
  about: string | null;
}) {
  return (
    <Section title={t`Operaciones`}>
      <Timeline active={operations.length - 1} bulletSize={22} lineWidth={2} data-testid="desk-operations">
        {operations.map((operation) => {
          const { tone } = operationStatuses[operation.status];
          const Icon = icons[tone];
          return (
            <Timeline.Item
              key={operation.id}
              color={colors[tone]}
              bullet={<Icon size={13} stroke={2.5} aria-hidden />}
              title={operationTitle(operation)}
              data-testid="desk-operation"
              data-kind={operation.kind}
              data-status={operation.status}
            >
              <Operation operation={operation} isSubject={operation.id === about} />
            </Timeline.Item>
          );
        })}
      </Timeline>
    </Section>
  );
}

function Operation({ operation, isSubject }: { operation: OperationView; isSubject: boolean }) {
  const { status, attempts, next_attempt_at, last_error: technical, provider_reference } = operation;
  const returned = formatAmount(operation.returned, operation.currency);
  const by = providerLabel(operation.provider);
  const next = next_attempt_at && formatLaPazMoment(next_attempt_at);
  const { label, tone } = operationStatuses[status];
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <ToneBadge tone={tone} size="md">
          {i18n._(label)}
        </ToneBadge>
        <Text fz="sm" fw={500}>
          <Money amount={operation.amount} currency={operation.currency} />
        </Text>
        {isSubject && (
          <Text fz="sm" fw={600}>
            <Trans>De esto trata el caso</Trans>
          </Text>
        )}
      </Group>
      {operation.returned !== '0.00' && (
        <Text fz="sm" fw={500}>
          <Trans>Volvieron {returned}</Trans>
        </Text>
      )}
      <Text fz="sm" c="dimmed" className="cq-num" style={{ whiteSpace: 'normal' }}>
        {attempts > 0 && `${plural(attempts, { one: '# intento', other: '# intentos' })} · `}
        <Trans>por {by}</Trans> ·{' '}
        <span style={{ whiteSpace: 'nowrap' }}>{formatLaPazMoment(operation.changed_at)}</span>
      </Text>
      {next && (
        <Text fz="sm" className="cq-num">
          <Trans>Próximo intento: {next}</Trans>
        </Text>
      )}
      {technical && (
        <Text fz="sm" c="var(--cq-bad)" style={{ overflowWrap: 'anywhere' }}>
          {status === 'succeeded' ? (
            <Trans>
              Antes de lograrlo: <code>{technical}</code>
            </Trans>
          ) : (
            <Trans>
              Detalle técnico: <code>{technical}</code>
            </Trans>
          )}
        </Text>
      )}
      {provider_reference && (
        <Text component="div" fz="sm">
          <CopyValue label={t`referencia del proveedor`} value={provider_reference} />
        </Text>
      )}
    </Stack>
  );
}

const textMax = 10_000;

const reasonTexts: Readonly<Record<string, MessageDescriptor>> = {
  fraudulent: msg`quien tiene la tarjeta dice que no hizo el pago`,
  product_not_received: msg`dice que el dinero no llegó`,
  duplicate: msg`dice que se le cobró dos veces`,
  credit_not_processed: msg`dice que no se le devolvió el dinero`,
  product_unacceptable: msg`dice que el servicio no fue el acordado`,
  subscription_canceled: msg`dice que lo había cancelado`,
  unrecognized: msg`no reconoce el cobro`,
};

/** What the card's bank says of the payment, and the one answer each dispute takes. Takes no room without a dispute. */
export function CaseDisputes({ one, isOwn }: { one: DeskCaseView; isOwn: boolean }) {
  const { disputes, operations } = one;
  const isSending = operations.some(({ kind, status }) => kind === 'dispute_response' && openStatuses.includes(status));
  const { length: count } = disputes;
  if (count === 0) return null;
  return (
    <Section title={plural(count, { one: 'Disputa', other: '# disputas' })}>
      <Stack gap="sm">
        {disputes.map((dispute) => (
          <Dispute key={dispute.id} dispute={dispute} isOwn={isOwn} isSending={isSending} />
        ))}
      </Stack>
    </Section>
  );
}

interface DisputeProps {
  dispute: DisputeView;
  /** The person who looks at it is the sender. */
  isOwn: boolean;
  /** An answer is being handed in: one at a time. */
  isSending: boolean;
}

function Dispute({ dispute, isOwn, isSending }: DisputeProps) {
  const respond = useRespondToDispute(dispute.id);
  const { status, reason, amount, currency, evidence_due_by: dueBy, can_respond: canRespond } = dispute;
  const known = reasonTexts[reason];
  const due = dueBy && laPazTime(dueBy);
  const submitted = dispute.submitted_at && laPazTime(dispute.submitted_at);
  return (
    <Card padding="md" data-testid="desk-dispute" data-dispute-id={dispute.id}>
      <Stack gap="xs">
        <Text>
          <Money amount={amount} currency={currency} fw={700} />: {known ? i18n._(known) : reason}.
        </Text>
        <Text>{disputeStatusText(status)}</Text>
        {due && canRespond && (
          <Text fz="sm" fw={600}>
            <Trans>Plazo para responder: {due}</Trans>
          </Text>
        )}
        {submitted && (
          <Text fz="sm" c="dimmed">
            <Trans>Pruebas entregadas el {submitted}.</Trans>
          </Text>
        )}
        {dispute.response_text && (
          <Text fz="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {dispute.response_text}
          </Text>
        )}
        <Permitted to="disputeEvidence">
          <Anchor
            href={`/api/admin/disputes/${dispute.id}/evidence`}
            download={`${dispute.id}.pdf`}
            fz="sm"
            data-testid="desk-dispute-evidence"
          >
            <Trans>Descargar las pruebas (PDF)</Trans>
          </Anchor>
        </Permitted>
        {respond.error && <Refused error={respond.error} testid="desk-dispute-refused" />}
        {canRespond && !isOwn && isSending && (
          <Text fz="sm" role="status" data-testid="desk-dispute-sending">
            {dispute.response_text
              ? t`Se están entregando las pruebas.`
              : t`Podrás responder cuando se entregue la otra respuesta.`}
          </Text>
        )}
        {canRespond && !isOwn && !isSending && (
          <Permitted to="respondToDispute">
            <Response dispute={dispute} respond={respond} />
          </Permitted>
        )}
      </Stack>
    </Card>
  );
}

function Response({ dispute, respond }: { dispute: DisputeView; respond: ReturnType<typeof useRespondToDispute> }) {
  // What was written before an answer that could not be handed in.
  const [text, setText] = useState(dispute.response_text ?? '');
  const [isAsked, setIsAsked] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsAsked(true);
    if (text.trim() !== '' && !respond.isPending) respond.mutate(text.trim());
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs" align="flex-start">
        <Textarea
          label={t`Respuesta al banco de la tarjeta`}
          description={t`Se entrega junto con el PDF de pruebas, y una sola vez.`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          maxLength={textMax}
          autosize
          minRows={3}
          w="100%"
          error={isAsked && text.trim() === '' ? t`Escribe la respuesta` : null}
          disabled={respond.isPending}
          data-testid="desk-dispute-text"
        />
        <Button type="submit" size="sm" loading={respond.isPending} data-testid="desk-dispute-send">
          <Trans>Entregar las pruebas</Trans>
        </Button>
      </Stack>
    </form>
  );
}

/** What admins wrote about a case, and a field for more. */
export function CaseNotes({ one }: { one: DeskCaseView }) {
  return <AdminNotes notes={one.notes} call={useNoteCase(one.id)} testid="desk-note" />;
}
