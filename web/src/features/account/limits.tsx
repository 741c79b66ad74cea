import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { formatMinor } from '#core/money/money';
import { maximumUsdMinor } from '#core/transfers/limits';
import { summaryQuery } from '../../data/transfers.ts';
import { formatAmount } from '../../lib/format/money.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';

/** What the person may still send, of each limit. */
export default function Limits() {
  const query = useQuery(summaryQuery);
  const most = formatAmount(formatMinor(maximumUsdMinor), 'USD');
  return (
    <QueryView query={query} loading={<LoadingRows rows={2} height={56} />}>
      {({ dayLeft, dayLimit, balance, monthLimit }) => (
        <Stack gap="md">
          <Limit title={t`En 24 horas`} left={dayLeft} limit={dayLimit} testid="limit-day" />
          <Limit title={t`En 30 días`} left={balance} limit={monthLimit} testid="limit-month" />
          <Text fz="sm" c="dimmed">
            <Trans>
              Cada envío puede ser de hasta {most}, o su equivalente en euros. Lo que se devuelve no cuenta.
            </Trans>
          </Text>
        </Stack>
      )}
    </QueryView>
  );
}

function Limit({ title, left, limit, testid }: { title: string; left: string; limit: string; testid: string }) {
  const label = useId();
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
        <Progress.Section value={(100 * Number(left)) / Math.max(1, Number(limit))} aria-labelledby={label} />
      </Progress.Root>
    </div>
  );
}
