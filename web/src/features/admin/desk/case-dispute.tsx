import { Anchor, Button, Card, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { DisputeView } from '#core/contracts/http/disputes';
import type { DeskCaseView } from '#core/contracts/http/operations';
import { formatAmount } from '#core/money/format';
import { openStatuses } from '#core/operations/operation';
import { useRespondToDispute } from '../../../data/desk-cases.ts';
import { laPazTime } from '../la-paz-time.ts';
import { Section } from '../transfers/transfer-sections.tsx';
import { disputeStatusText } from './case-messages.ts';
import { Refused } from './refused.tsx';

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
          <b className="cq-num">{formatAmount(amount, currency)}</b>: {reasonTexts[reason] ?? reason}.
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
