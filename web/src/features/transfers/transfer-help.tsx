import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Title } from '@mantine/core';
import { IconMessageReport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TransferView } from '#core/contracts/http/transfers';
import { referenceOf } from '#core/transfers/reference';
import { transferComplaintsQuery } from '../../data/complaints.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { ContactButtons } from '../shared/contact-buttons.tsx';
import { OwnComplaint } from '../shared/own-complaint.tsx';

/** What the sender reported of a transfer, live, and the ways to say more: a report once it is paid, and a message to a person. */
export function TransferHelp({ transfer, onReport }: { transfer: TransferView; onReport: () => void }) {
  return (
    <Stack gap="sm" align="stretch" component="section" aria-label={t`Problemas con este envío`}>
      {transfer.paidAt && <Reported id={transfer.id} />}
      <Group gap="xs">
        {transfer.paidAt && (
          <Button
            variant="default"
            leftSection={<IconMessageReport size={18} aria-hidden />}
            onClick={onReport}
            data-testid="report-problem"
          >
            <Trans>Reportar un problema</Trans>
          </Button>
        )}
        <ContactButtons reference={referenceOf(transfer.id)} />
      </Group>
    </Stack>
  );
}

function Reported({ id }: { id: string }) {
  return (
    <QueryView query={useQuery(transferComplaintsQuery(id))} loading={null}>
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
  );
}
