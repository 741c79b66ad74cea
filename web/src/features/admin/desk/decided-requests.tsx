import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import type { DeskCaseView, DeskRequestView } from '#core/contracts/http/operations';
import { formatLaPazMoment } from '../../../lib/format/dates.ts';
import { Money } from '../../../ui/figures.tsx';
import { Section } from '../admin-drawer.tsx';
import { doneTextOf } from './action-messages.tsx';
import { ProofLink } from './request-facts.tsx';

/** What people did about a transfer, or declined, with reason and proof; takes no room while there is nothing. */
export function DecidedRequests({ one }: { one: DeskCaseView }) {
  const { decided = [] } = one;
  if (decided.length === 0) return null;
  return (
    <Section title={t`Hecho a mano`}>
      <Stack gap="sm">
        {decided.map((request) => (
          <div key={request.id} data-testid="desk-decided">
            <Text fw={600}>{decidedTitle(one, request)}</Text>
            <Text style={{ overflowWrap: 'anywhere' }}>{request.reason}</Text>
            {request.amount && request.currency && (
              <Text fz="sm">
                <Money amount={request.amount} currency={request.currency} />
              </Text>
            )}
            <BankReference reference={request.bank_reference} />
            <Text fz="sm" c="dimmed" className="cq-num" style={{ whiteSpace: 'normal' }}>
              {peopleOf(request)}, {formatLaPazMoment(request.decided_at ?? request.requested_at)}
            </Text>
            <ProofLink request={request} />
          </div>
        ))}
      </Stack>
    </Section>
  );
}

function decidedTitle(one: DeskCaseView, { action, outcome }: DeskRequestView): string {
  const done = doneTextOf(one, action);
  switch (outcome) {
    case 'declined':
      return t`${done} (rechazado)`;
    case 'dropped':
      return t`${done} (no se envió nada)`;
    case 'refuted':
      return t`${done} (el dinero no salió)`;
    default:
      return done;
  }
}

function BankReference({ reference }: { reference: string | null }) {
  return (
    reference && (
      <Text fz="sm">
        <Trans>Referencia del banco: {reference}</Trans>
      </Text>
    )
  );
}

function peopleOf({ requested_by: one, decided_by: other, outcome }: DeskRequestView): string {
  if (!other || other === one) return one;
  return outcome === 'declined' ? t`${one}; rechazó ${other}` : t`${one}; aprobó ${other}`;
}
