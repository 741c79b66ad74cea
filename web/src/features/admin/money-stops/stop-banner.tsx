import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import type { MoneyStopView } from '#core/contracts/http/money-stops';
import { moneyStopsQuery } from '../../../data/money-stops.ts';
import { useOptionalQuery } from '../../../data/optional-query.ts';
import { laPazTime } from '../../../lib/format/dates.ts';
import { reasonText, setByText, stopTitle } from './stop-texts.ts';

/** Says on every screen of the panel which money is stopped, by whom, since when and why; nothing while none is. */
export function StopBanner() {
  const stops = useOptionalQuery(moneyStopsQuery);
  const [params] = useSearchParams();
  if (!stops || stops.length === 0) return null;
  return (
    <Stack gap="sm">
      {stops.map((stop) => (
        <Stopped key={stop.id} stop={stop} hasLink={params.get('tab') !== 'operations'} />
      ))}
    </Stack>
  );
}

function Stopped({ stop, hasLink }: { stop: MoneyStopView; hasLink: boolean }) {
  const [by, since, reason] = [setByText(stop), laPazTime(stop.set_at), reasonText(stop)];
  const requester = stop.lift?.requested_by;
  return (
    <Alert
      color="red"
      icon={<IconHandStop aria-hidden />}
      title={stopTitle(stop)}
      role="alert"
      data-testid="money-stop-banner"
      data-scope={stop.scope}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        <Trans>
          {by}, {since}: {reason}
        </Trans>
      </Text>
      {requester && (
        <Text>
          <Trans>{requester} pide levantar la parada: falta que otra persona lo confirme.</Trans>
        </Text>
      )}
      {hasLink && (
        <Anchor component={Link} to={{ search: '?tab=operations' }} underline="always" inherit fw={600}>
          <Trans>Ver la parada</Trans>
        </Anchor>
      )}
    </Alert>
  );
}
