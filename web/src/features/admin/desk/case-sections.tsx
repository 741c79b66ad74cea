import { Alert, Anchor, Button, Card, Group, Stack, Text, Textarea, Timeline } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconDots, IconX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { DisputeView } from '#core/contracts/http/disputes';
import type { DeskCaseView, OperationView } from '#core/contracts/http/operations';
import { openStatuses } from '#core/operations/operation';
import { useNoteCase, useRespondToDispute } from '../../../data/desk-cases.ts';
import { errorMessage } from '../../../lib/http.ts';
import { CopyValue } from '../../../ui/copy-value.tsx';
import { Money } from '../../../ui/figures.tsx';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import { Section } from '../admin-drawer.tsx';
import { laPazShort, laPazTime } from '../la-paz-time.ts';
import { disputeStatusText, operationStatuses, operationTitle, providerLabels } from './case-messages.ts';
import { Refused } from './refused.tsx';

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
    <Section title="Operaciones">
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
  const { status, attempts, provider, next_attempt_at, last_error, provider_reference } = operation;
  const { label, tone } = operationStatuses[status];
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <ToneBadge tone={tone} size="md">
          {label}
        </ToneBadge>
        <Text fz="sm" fw={500}>
          <Money amount={operation.amount} currency={operation.currency} />
        </Text>
        {isSubject && (
          <Text fz="sm" fw={600}>
            De esto trata el caso
          </Text>
        )}
      </Group>
      {operation.returned !== '0.00' && (
        <Text fz="sm" fw={500}>
          Volvieron <Money amount={operation.returned} currency={operation.currency} />
        </Text>
      )}
      <Text fz="sm" c="dimmed" className="cq-num" style={{ whiteSpace: 'normal' }}>
        {attempts > 0 && (attempts === 1 ? '1 intento · ' : `${attempts} intentos · `)}por {providerLabels[provider]} ·{' '}
        {laPazShort(operation.changed_at)}
      </Text>
      {next_attempt_at && (
        <Text fz="sm" className="cq-num">
          Próximo intento: {laPazShort(next_attempt_at)}
        </Text>
      )}
      {last_error && (
        <Text fz="sm" c="var(--cq-bad)" style={{ overflowWrap: 'anywhere' }}>
          {status === 'succeeded' ? 'Antes de lograrlo: ' : ''}
          {last_error}
        </Text>
      )}
      {provider_reference && (
        <Text component="div" fz="sm">
          <CopyValue label="referencia del proveedor" value={provider_reference} />
        </Text>
      )}
    </Stack>
  );
}

const textMax = 10_000;

const reasonTexts: Readonly<Record<string, string>> = {
  fraudulent: 'quien tiene la tarjeta dice que no hizo el pago',
  product_not_received: 'dice que el dinero no llegó',
  duplicate: 'dice que se le cobró dos veces',
  credit_not_processed: 'dice que no se le devolvió el dinero',
  product_unacceptable: 'dice que el servicio no fue el acordado',
  subscription_canceled: 'dice que lo había cancelado',
  unrecognized: 'no reconoce el cobro',
};

/** What the card's bank says of the payment, and the one answer each dispute takes. Takes no room without a dispute. */
export function CaseDisputes({ one, isOwn }: { one: DeskCaseView; isOwn: boolean }) {
  const { disputes, operations } = one;
  const isSending = operations.some(({ kind, status }) => kind === 'dispute_response' && openStatuses.includes(status));
  if (disputes.length === 0) return null;
  return (
    <Section title={disputes.length === 1 ? 'Disputa' : `${disputes.length} disputas`}>
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
  return (
    <Card padding="md" data-testid="desk-dispute" data-dispute-id={dispute.id}>
      <Stack gap="xs">
        <Text>
          <Money amount={amount} currency={currency} fw={700} />: {reasonTexts[reason] ?? reason}.
        </Text>
        <Text>{disputeStatusText(status)}</Text>
        {dueBy && canRespond && (
          <Text fz="sm" fw={600}>
            Plazo para responder: {laPazTime(dueBy)}
          </Text>
        )}
        {dispute.submitted_at && (
          <Text fz="sm" c="dimmed">
            Pruebas entregadas el {laPazTime(dispute.submitted_at)}.
          </Text>
        )}
        {dispute.response_text && (
          <Text fz="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {dispute.response_text}
          </Text>
        )}
        <Anchor
          href={`/api/admin/disputes/${dispute.id}/evidence`}
          download={`${dispute.id}.pdf`}
          fz="sm"
          data-testid="desk-dispute-evidence"
        >
          Descargar las pruebas (PDF)
        </Anchor>
        {respond.error && <Refused error={respond.error} testid="desk-dispute-refused" />}
        {canRespond && !isOwn && isSending && (
          <Text fz="sm" role="status" data-testid="desk-dispute-sending">
            {dispute.response_text
              ? 'Se están entregando las pruebas.'
              : 'Podrás responder cuando se entregue la otra respuesta.'}
          </Text>
        )}
        {canRespond && !isOwn && !isSending && <Response dispute={dispute} respond={respond} />}
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
          label="Respuesta al banco de la tarjeta"
          description="Se entrega junto con el PDF de pruebas, y una sola vez."
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          maxLength={textMax}
          autosize
          minRows={3}
          w="100%"
          error={isAsked && text.trim() === '' ? 'Escribe la respuesta' : null}
          disabled={respond.isPending}
          data-testid="desk-dispute-text"
        />
        <Button type="submit" size="sm" loading={respond.isPending} data-testid="desk-dispute-send">
          Entregar las pruebas
        </Button>
      </Stack>
    </form>
  );
}

const noteMax = 1000;

/** What admins wrote about a case, and a field for more. */
export function CaseNotes({ one }: { one: DeskCaseView }) {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState(false);
  const note = useNoteCase(one.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (text.trim() === '' || note.isPending) return;
    note.mutate(text.trim(), {
      onSuccess: () => {
        setText('');
        setAsked(false);
      },
    });
  };
  return (
    <Section title="Notas">
      <Stack gap="sm">
        {one.notes.length === 0 && <Text c="dimmed">Nadie escribió notas todavía.</Text>}
        {one.notes.map((known) => (
          <div key={`${known.at} ${known.text}`} data-testid="desk-note">
            <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{known.text}</Text>
            <Text fz="sm" c="dimmed" className="cq-num">
              {known.author}, {laPazShort(known.at)}
            </Text>
          </div>
        ))}
        <form onSubmit={submit} noValidate>
          <Stack gap="xs" align="flex-start">
            <Textarea
              label="Nueva nota"
              description="La ven las demás personas de administración; quien envía, no."
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              maxLength={noteMax}
              autosize
              minRows={2}
              w="100%"
              error={asked && text.trim() === '' ? 'Escribe la nota' : null}
              disabled={note.isPending}
              data-testid="desk-note-text"
            />
            {note.error && (
              <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
                {errorMessage(note.error)}
              </Alert>
            )}
            <Button type="submit" variant="default" size="sm" loading={note.isPending} data-testid="desk-note-save">
              Guardar nota
            </Button>
          </Stack>
        </form>
      </Stack>
    </Section>
  );
}
