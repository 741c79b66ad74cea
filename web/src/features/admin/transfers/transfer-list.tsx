import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Card, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode } from 'react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { formatLaPazDay, formatLaPazTime, laPazTime, zoneName } from '../../../lib/format/dates.ts';
import { Money } from '../../../ui/figures.tsx';
import classes from '../admin.module.css';
import { markSeen, useIsUnseen, useSeenInView } from './arrivals.ts';
import { RowActions, type RowHandlers, SenderBadge, TransferStatusCell } from './transfer-cells.tsx';
import { cardText, marginLabel, marginText } from './transfer-labels.ts';

/** The desktop's list: one dense line per transfer. */
export function TransferTable({
  rows,
  now,
  handlers,
}: {
  rows: readonly AdminTransferView[];
  now: number;
  handlers: RowHandlers;
}) {
  const zone = zoneName();
  return (
    <Table
      layout="fixed"
      highlightOnHover
      stickyHeader
      stickyHeaderOffset={66}
      verticalSpacing={8}
      horizontalSpacing={10}
      fz="sm"
    >
      <Table.Thead className={classes.head}>
        <Table.Tr>
          <Table.Th w={104}>
            <Trans>Fecha ({zone})</Trans>
          </Table.Th>
          <Table.Th>
            <Trans>Usuario</Trans>
          </Table.Th>
          <Table.Th>
            <Trans>Destinatario</Trans>
          </Table.Th>
          <Table.Th w={126} ta="right">
            <Trans>Paga</Trans>
          </Table.Th>
          <Table.Th w={168} ta="right">
            <Trans>Llega</Trans>
            <Text fz="xs" fw={400}>
              {marginLabel()}
            </Text>
          </Table.Th>
          <Table.Th w={156}>
            <Trans>Estado</Trans>
          </Table.Th>
          <Table.Th w={226}>
            <Trans>Acciones</Trans>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <TransferRow key={row.id} transfer={row} now={now} handlers={handlers} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

const TransferRow = memo(function TransferRow({
  transfer,
  now,
  handlers,
}: {
  transfer: AdminTransferView;
  now: number;
  handlers: RowHandlers;
}) {
  const unseen = useIsUnseen(transfer.id);
  const ref = useSeenInView<HTMLTableRowElement>(transfer.id, unseen);
  return (
    <Table.Tr
      ref={ref}
      className={classes.row}
      mod={{ new: unseen }}
      onFocus={() => markSeen(transfer.id)}
      {...opensOnPress(() => handlers.open(transfer.id))}
      data-row-id={transfer.id}
      data-testid="admin-row"
      data-transfer-id={transfer.id}
      data-status={transfer.status}
      data-state={transfer.state}
    >
      <When iso={transfer.date} />
      <TwoLines first={transfer.user} second={transfer.user_email} more={<SenderBadge transfer={transfer} />} />
      <TwoLines first={transfer.recipient || t`Sin destinatario`} second={transfer.recipient_details.bank_name} />
      <Table.Td ta="right">
        <Text fz="sm">
          <Money amount={transfer.amount} currency={transfer.currency} />
        </Text>
        <Text fz="xs" c="dimmed" className="cq-num">
          {cardText(transfer)}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        <Text fw={700}>
          <Money amount={transfer.amount_bs} currency="BOB" />
        </Text>
        {transfer.status === 'pending' && (
          <Text fz="xs" c="dimmed" className="cq-num" data-testid="admin-margin">
            {marginText(transfer)}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <TransferStatusCell transfer={transfer} now={now} />
      </Table.Td>
      <Table.Td>
        <RowActions transfer={transfer} handlers={handlers} />
      </Table.Td>
    </Table.Tr>
  );
});

/** The row itself opens its details, by a press or by Enter; what can be pressed within it keeps its own meaning. */
function opensOnPress(open: () => void) {
  return {
    // The button within is the stop of the tab key; j and k bring the focus here.
    tabIndex: -1,
    onClick: ({ target }: MouseEvent) => {
      const isSelecting = !document.getSelection()?.isCollapsed;
      if (!isSelecting && !(target as Element).closest('button, a')) open();
    },
    onKeyDown: ({ key, target, currentTarget }: KeyboardEvent) => {
      if (key === 'Enter' && target === currentTarget) open();
    },
  };
}

function When({ iso }: { iso: string }) {
  return (
    <Table.Td className="cq-num">
      <Text fz="sm">{formatLaPazTime(iso)}</Text>
      <Text fz="xs" c="dimmed">
        {formatLaPazDay(iso)}
      </Text>
    </Table.Td>
  );
}

function TwoLines({ first, second, more }: { first: string; second: string; more?: ReactNode }) {
  return (
    <Table.Td>
      <Text fz="sm" fw={500} truncate title={first}>
        {first}
      </Text>
      <Text fz="xs" c="dimmed" truncate title={second}>
        {second}
      </Text>
      {more}
    </Table.Td>
  );
}

/** The phone's list: one card per transfer, its actions within reach of the thumb. */
export function TransferCards({
  rows,
  now,
  handlers,
}: {
  rows: readonly AdminTransferView[];
  now: number;
  handlers: RowHandlers;
}) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {rows.map((row) => (
        <TransferCard key={row.id} transfer={row} now={now} handlers={handlers} />
      ))}
    </SimpleGrid>
  );
}

const TransferCard = memo(function TransferCard({
  transfer,
  now,
  handlers,
}: {
  transfer: AdminTransferView;
  now: number;
  handlers: RowHandlers;
}) {
  const unseen = useIsUnseen(transfer.id);
  const ref = useSeenInView<HTMLDivElement>(transfer.id, unseen);
  const { user, recipient } = transfer;
  const { bank_name: bank } = transfer.recipient_details;
  return (
    <Card
      ref={ref}
      padding="md"
      className={classes.row}
      mod={{ new: unseen }}
      onFocus={() => markSeen(transfer.id)}
      {...opensOnPress(() => handlers.open(transfer.id))}
      data-row-id={transfer.id}
      data-testid="admin-row"
      data-transfer-id={transfer.id}
      data-status={transfer.status}
      data-state={transfer.state}
    >
      <Stack gap="sm" justify="space-between" h="100%">
        <div>
          <Group justify="space-between" align="flex-start" gap="4px 12px">
            <Text className={`${classes.cardAmount} cq-big`}>
              <Money amount={transfer.amount_bs} currency="BOB" />
            </Text>
            <TransferStatusCell transfer={transfer} now={now} />
          </Group>
          <Text>
            {recipient ? (
              <Trans>
                Para <b>{recipient}</b>, {bank}
              </Trans>
            ) : (
              <Trans>Sin destinatario todavía</Trans>
            )}
          </Text>
          <Text>
            <Trans>
              De <b>{user}</b>
            </Trans>
          </Text>
          <SenderBadge transfer={transfer} />
          <Group gap={8} c="dimmed" fz="sm" mt={4}>
            <Money amount={transfer.amount} currency={transfer.currency} />
            <span className="cq-num">{cardText(transfer)}</span>
          </Group>
          {transfer.status === 'pending' && (
            <Text fz="sm" c="dimmed" data-testid="admin-margin">
              {marginLabel()}: <span className="cq-num">{marginText(transfer)}</span>
            </Text>
          )}
          <Text fz="sm" c="dimmed" className="cq-num">
            {laPazTime(transfer.date)}
          </Text>
        </div>
        <RowActions transfer={transfer} handlers={handlers} large />
      </Stack>
    </Card>
  );
});
