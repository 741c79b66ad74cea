import { Alert, Anchor, Button, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { DisputeView } from '#core/contracts/http/disputes';
import type { DeskCaseView } from '#core/contracts/http/operations';
import { formatAmount } from '#core/money/format';
import type { DisputeStatus } from '#core/operations/dispute';
import { errorMessage } from '../../../lib/http.ts';
import { laPazTime } from '../la-paz-time.ts';
import { Section } from '../transfer-sections.tsx';
import { useRespondToDispute } from './queries.ts';

const textMax = 10_000;

const statusTexts: Readonly<Record<DisputeStatus, string>> = {
  warning_needs_response: 'El banco de la tarjeta pregunta por el pago; todavía no retiró nada.',
  warning_under_review: 'El banco de la tarjeta revisa la respuesta; no retiró nada.',
  warning_closed: 'La consulta se cerró sin consecuencias.',
  needs_response: 'El banco de la tarjeta retiró el monto y espera las pruebas.',
  under_review: 'El banco de la tarjeta revisa las pruebas.',
  won: 'Se ganó: el monto volvió.',
  lost: 'Se perdió: el monto queda con quien tiene la tarjeta.',
  prevented: 'Se resolvió antes de llegar a disputa.',
  appeal_needs_response: 'Se perdió; todavía se puede apelar en el panel de Stripe.',
  appeal_under_review: 'El banco de la tarjeta revisa la apelación.',
};

const reasonTexts: Readonly<Record<string, string>> = {
  fraudulent: 'quien tiene la tarjeta dice que no hizo el pago',
  product_not_received: 'dice que el dinero no llegó',
  duplicate: 'dice que se le cobró dos veces',
  credit_not_processed: 'dice que no se le devolvió el dinero',
  product_unacceptable: 'dice que el servicio no fue el acordado',
  subscription_canceled: 'dice que lo había cancelado',
  unrecognized: 'no reconoce el cobro',
};

/** What the card's bank says of the payment, and the one answer there is. Takes no room without a dispute. */
export function CaseDispute({ one, isOwn }: { one: DeskCaseView; isOwn: boolean }) {
  const { dispute } = one;
  if (!dispute) return null;
  const { status, reason, amount, currency } = dispute;
  return (
    <Section title="Disputa">
      <Stack gap="xs" data-testid="desk-dispute">
        <Text>{statusTexts[status as DisputeStatus] ?? `Stripe: ${status}`}</Text>
        <Text fz="sm" c="dimmed">
          {formatAmount(amount, currency)}; motivo: {reasonTexts[reason] ?? reason}.
        </Text>
        {dispute.evidence_due_by && dispute.can_respond && (
          <Text fz="sm" fw={600}>
            Plazo para responder: {laPazTime(dispute.evidence_due_by)}
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
        {dispute.can_respond && !isOwn && <Response dispute={dispute} />}
      </Stack>
    </Section>
  );
}

function Response({ dispute }: { dispute: DisputeView }) {
  const [text, setText] = useState('');
  const [isAsked, setIsAsked] = useState(false);
  const respond = useRespondToDispute(dispute.id);
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
        {respond.error && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
            {errorMessage(respond.error)}
          </Alert>
        )}
        <Button type="submit" size="sm" loading={respond.isPending} data-testid="desk-dispute-send">
          Entregar las pruebas
        </Button>
      </Stack>
    </form>
  );
}
