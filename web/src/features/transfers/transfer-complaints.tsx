import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Title } from '@mantine/core';
import { IconMessageReport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TransferView } from '#core/contracts/http/transfers';
import { transferComplaintsQuery } from '../../data/complaints.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { OwnComplaint } from '../shared/own-complaint.tsx';

/** What the sender reported of a transfer, live, and the way to report more. */
export function TransferComplaints({ transfer, onReport }: { transfer: TransferView; onReport: () => void }) {
  const query = useQuery(transferComplaintsQuery(transfer.id));
  return (
    <Stack gap="sm" align="stretch" component="section" aria-label={t`Problemas con este envío`}>
      <QueryView query={query} loading={null}>
        {({ items }) =>
          items.length > 0 && (
            <Stack gap="sm">
              <Title order={3} fz="h4">
                <Trans>Lo que reportaste</Trans>
              </Title>
              {items.map((one) => (
                <OwnComplaint key={one.id} complaint={one} />
              ))}
            </Stack>
          )
        }
      </QueryView>
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconMessageReport size={18} aria-hidden />}
        onClick={onReport}
        data-testid="report-problem"
      >
        <Trans>Reportar un problema</Trans>
      </Button>
    </Stack>
  );
}
