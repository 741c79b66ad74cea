import { Stack, Text } from '@mantine/core';
import type { DeskRequestView } from '#core/contracts/http/operations';
import { formatAmount } from '#core/money/format';
import { laPazShort } from '../la-paz-time.ts';
import { Section } from '../transfers/transfer-sections.tsx';
import { actionMessages } from './action-messages.ts';
import { ProofLink } from './pending-request.tsx';

/** What people did about a transfer, or declined, with reason and proof; takes no room while there is nothing. */
export function DecidedRequests({ requests }: { requests: readonly DeskRequestView[] }) {
  if (requests.length === 0) return null;
  return (
    <Section title="Hecho a mano">
      <Stack gap="sm">
        {requests.map((request) => (
          <div key={request.id} data-testid="desk-decided">
            <Text fw={600}>
              {actionMessages[request.action].button}
              {request.outcome === 'declined' && ' (rechazado)'}
            </Text>
            <Text style={{ overflowWrap: 'anywhere' }}>{request.reason}</Text>
            {request.amount && request.currency && (
              <Text fz="sm" className="cq-num">
                {formatAmount(request.amount, request.currency)}
              </Text>
            )}
            {request.bank_reference && <Text fz="sm">Referencia del banco: {request.bank_reference}</Text>}
            <Text fz="sm" c="dimmed" className="cq-num" style={{ whiteSpace: 'normal' }}>
              {peopleOf(request)}, {laPazShort(request.decided_at ?? request.requested_at)}
            </Text>
            <ProofLink request={request} />
          </div>
        ))}
      </Stack>
    </Section>
  );
}

function peopleOf({ requested_by, decided_by, outcome }: DeskRequestView): string {
  if (!decided_by || decided_by === requested_by) return requested_by;
  return `${requested_by}; ${outcome === 'declined' ? 'rechazó' : 'aprobó'} ${decided_by}`;
}
