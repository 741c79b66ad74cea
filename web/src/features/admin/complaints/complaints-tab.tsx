import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Card, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { AdminComplaintView } from '#core/contracts/http/complaints';
import { openComplaintParam } from '#core/contracts/page-addresses';
import { referenceOf } from '#core/transfers/reference';
import { type ComplaintStatus, complaintsQuery } from '../../../data/admin-complaints.ts';
import { Money } from '../../../ui/figures.tsx';
import { useNow } from '../../../ui/hooks.ts';
import { MoreButton } from '../../../ui/paged-list-view.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { EmptyState, LoadingRows } from '../../../ui/states.tsx';
import { complaintReasonLabel } from '../../shared/complaint-texts.tsx';
import { ComplaintDrawer } from './complaint-drawer.tsx';
import { Clocks, ComplaintBadge, regimeLabel } from './complaint-parts.tsx';

/** Problems that senders reported, those first that are due first. */
export function ComplaintsTab() {
  const [status, setStatus] = useState<ComplaintStatus>('open');
  const [params, setParams] = useSearchParams();
  const list = useInfiniteQuery(complaintsQuery(status));
  const complaints = list.data?.pages.flatMap((page) => page.items) ?? [];
  const now = useNow();
  const open = (id: string | null) =>
    setParams(
      (known) => {
        const next = new URLSearchParams(known);
        if (id) next.set(openComplaintParam, id);
        else next.delete(openComplaintParam);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label={t`Qué reclamos`}
        value={status}
        onChange={(value) => setStatus(value as ComplaintStatus)}
        data={[
          { value: 'open', label: t`Abiertos` },
          { value: 'resolved', label: t`Cerrados` },
        ]}
        style={{ alignSelf: 'flex-start' }}
        data-testid="complaints-status"
      />
      <QueryView query={list} loading={<LoadingRows rows={4} height={180} />} showsRefetchFailure>
        {() =>
          complaints.length === 0 ? (
            <EmptyState icon={<IconChecklist aria-hidden />}>
              {status === 'open' ? t`Ningún reclamo espera respuesta` : t`Todavía no se cerró ningún reclamo`}
            </EmptyState>
          ) : (
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
              {complaints.map((one) => (
                <Row key={one.id} one={one} now={now} open={() => open(one.id)} />
              ))}
            </SimpleGrid>
          )
        }
      </QueryView>
      <MoreButton list={list} testid="complaints-more" />
      <ComplaintDrawer id={params.get(openComplaintParam)} complaints={complaints} now={now} close={() => open(null)} />
    </Stack>
  );
}

function Row({ one, now, open }: { one: AdminComplaintView; now: number; open: () => void }) {
  const { transaction } = one;
  const { user } = transaction;
  return (
    <Card padding="md" data-testid="complaint" data-complaint-id={one.id} data-state={one.state}>
      <Stack gap="sm" justify="space-between" h="100%">
        <Stack gap="sm" align="flex-start">
          <ComplaintBadge one={one} />
          <div>
            <Text fw={600}>{complaintReasonLabel(one.reason)}</Text>
            <Text fz="sm" c="dimmed">
              {regimeLabel(one.regime)}
            </Text>
          </div>
          <Clocks one={one} now={now} />
          <Text fz="sm">
            {user} · <Money amount={transaction.amount} currency={transaction.currency} /> ·{' '}
            <span className="cq-num">{referenceOf(transaction.id)}</span>
          </Text>
          <Text fz="sm" c={one.assigned_to ? undefined : 'dimmed'}>
            {one.assigned_to ?? t`Nadie lo tiene`}
          </Text>
        </Stack>
        <Button
          variant="default"
          onClick={open}
          aria-label={t`Abrir el reclamo de ${user}`}
          data-testid="complaint-open"
        >
          <Trans>Abrir</Trans>
        </Button>
      </Stack>
    </Card>
  );
}
