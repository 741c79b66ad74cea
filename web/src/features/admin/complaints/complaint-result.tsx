import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import type { AdminComplaintView } from '#core/contracts/http/complaints';
import { laPazTime } from '../../../lib/format/dates.ts';
import { formatAmount, formatBolivianos } from '../../../lib/format/money.ts';
import { Section } from '../admin-drawer.tsx';
import { findingLabel, remedyLabel } from './complaint-labels.ts';

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
