import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AdminComplaintView } from '#core/contracts/http/complaints';
import { useMay } from '../../../data/permission.ts';
import { reviewQuery } from '../../../data/reviews.ts';
import { useSession } from '../../../data/session.ts';
import { laPazTime } from '../../../lib/format/dates.ts';
import { formatAmount, formatBolivianos } from '../../../lib/format/money.ts';
import { Section } from '../admin-drawer.tsx';
import { Screening } from '../transfers/screening.tsx';
import { findingLabel, remedyLabel } from './complaint-labels.ts';

/**
 * The check of whom a second payout would pay, while a second person decides about it: until it is done, or while a name is like a listed one,
 * it cannot be approved.
 */
export function PayoutScreening({ one: { state, payout, transaction } }: { one: AdminComplaintView }) {
  const waits = state === 'awaiting_approval' && payout !== null;
  const may = useMay();
  const { data: review } = useQuery({ ...reviewQuery(transaction.id), enabled: waits && may('review') });
  const adminId = useSession().data?.user.id;
  if (!waits || !review) return null;
  return (
    <div data-testid="complaint-screening">
      <Screening
        transferId={transaction.id}
        screening={review.screening}
        own={transaction.user_id === adminId || !may('decideScreening')}
      />
      <Text fz="sm" c="dimmed" mt="xs">
        <Trans>
          Antes de pagar por segunda vez se comprueban los nombres de nuevo: sin ese control no se puede aprobar.
        </Trans>
      </Text>
    </div>
  );
}

/** What was found, by whom, and what is done about it. */
export function Result({ one }: { one: AdminComplaintView }) {
  const { finding, remedy, amount, payout, explanation, found_by: by, approved_by: second, operation } = one;
  if (!finding) return null;
  const paid = payout && formatBolivianos(payout.amount);
  const back = amount && formatAmount(amount, one.transaction.currency);
  const found = one.found_at && laPazTime(one.found_at);
  return (
    <Section title={t`Resultado`}>
      <Stack gap={4} data-testid="complaint-result">
        <Text fw={600}>
          {findingLabel(finding)}
          {remedy && `: ${remedyLabel(remedy)}`}
          {paid ? ` (${paid})` : back && ` (${back})`}
        </Text>
        {payout && (
          <Text data-testid="complaint-payout">
            <Trans>
              A {payout.name}, {payout.bank_name}, cuenta {payout.bank_account}. Es pérdida nuestra.
            </Trans>
            {back && ` ${t`Después se devuelve la comisión: ${back}.`}`}
          </Text>
        )}
        <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{explanation}</Text>
        <Text fz="sm" c="dimmed">
          <Trans>
            Por {by}, el {found}
          </Trans>
          {second && ` · ${t`aprobado por ${second}`}`}
        </Text>
        {one.second_payout?.provider_reference && (
          <Text fz="sm" c="dimmed">
            <Trans>Referencia del banco: {one.second_payout.provider_reference}</Trans>
          </Text>
        )}
        {operation?.status === 'failed' && (
          <Text fz="sm" c="var(--cq-bad)">
            <Trans>La tarjeta no tomó la devolución.</Trans> {operation.last_error}
          </Text>
        )}
      </Stack>
    </Section>
  );
}
