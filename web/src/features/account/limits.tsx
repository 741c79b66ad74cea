import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Progress, Stack, Text } from '@mantine/core';
import { IconArrowBack } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link, useLocation } from 'react-router';
import type { IdentityView } from '#core/contracts/http/identity';
import { formatMinor, parseMinor } from '#core/money/money';
import { identityQuery } from '../../data/identity.ts';
import { formatAmount } from '../../lib/format/money.ts';
import { paths, sendFormId } from '../../lib/paths.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import type { fromPayment } from '../shared/next-tier.ts';
import { Verification } from './verification.tsx';

/** What the person may still send, of each limit, and the steps after which it is more. */
export default function Limits() {
  const query = useQuery(identityQuery);
  return (
    <QueryView query={query} loading={<LoadingRows rows={2} height={56} />}>
      {(view) => (
        <Stack gap="xl">
          <Meters view={view} />
          <Verification view={view} />
          <BackToPayment />
        </Stack>
      )}
    </QueryView>
  );
}

function Meters({ view: { tier, tiers, sent } }: { view: IdentityView }) {
  const own = tiers.find((one) => one.tier === tier);
  if (!own) return null;
  const most = formatAmount(own.payment, 'USD');
  return (
    <Stack gap="md">
      <Limit title={t`En 24 horas`} sent={sent.day} limit={own.day} testid="limit-day" />
      <Limit title={t`En 30 días`} sent={sent.month} limit={own.month} testid="limit-month" />
      <Text fz="sm" c="dimmed">
        <Trans>Cada envío puede ser de hasta {most}, o su equivalente en euros. Lo que se devuelve no cuenta.</Trans>
      </Text>
    </Stack>
  );
}

function Limit({ title, sent, limit, testid }: { title: string; sent: string; limit: string; testid: string }) {
  const label = useId();
  const [most, used] = [parseMinor(limit) ?? 0n, parseMinor(sent) ?? 0n];
  const left = formatMinor(used < most ? most - used : 0n);
  const [rest, whole] = [formatAmount(left, 'USD'), formatAmount(limit, 'USD')];
  return (
    <div data-testid={testid}>
      <Text fw={600} id={label}>
        {title}
      </Text>
      <Text fz="sm" mb={6} className="cq-num">
        <Trans>
          Puedes enviar {rest} de {whole}
        </Trans>
      </Text>
      <Progress.Root size="lg">
        <Progress.Section
          value={(100 * Number(left)) / Math.max(1, Number(limit))}
          color="var(--cq-good)"
          aria-labelledby={label}
        />
      </Progress.Root>
    </div>
  );
}

/** For who came from a payment that was refused: what they typed there is still in the form. */
function BackToPayment() {
  const { state } = useLocation() as { state: Partial<typeof fromPayment> | null };
  if (!state?.fromPayment) return null;
  return (
    <Button
      component={Link}
      to={`${paths.dashboard}#${sendFormId}`}
      variant="default"
      leftSection={<IconArrowBack size={18} aria-hidden />}
      style={{ alignSelf: 'flex-start' }}
      data-testid="back-to-payment"
    >
      <Trans>Volver a mi envío</Trans>
    </Button>
  );
}
