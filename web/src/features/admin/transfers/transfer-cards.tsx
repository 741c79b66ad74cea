import { Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { memo } from 'react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { formatAmount, formatBolivianos } from '#core/money/format';
import classes from '../admin.module.css';
import { laPazTime } from '../la-paz-time.ts';
import { markSeen, useIsUnseen, useSeenInView } from './arrivals.ts';
import { RowActions, type RowHandlers } from './row-actions.tsx';
import { cardText, marginLabel, marginText } from './transfer-labels.ts';
import { TransferStatusCell } from './transfer-status.tsx';

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
  const { bank_name } = transfer.recipient_details;
  return (
    <Card
      ref={ref}
      padding="md"
      className={classes.row}
      mod={{ new: unseen }}
      onFocus={() => markSeen(transfer.id)}
      data-testid="admin-row"
      data-transfer-id={transfer.id}
      data-status={transfer.status}
      data-state={transfer.state}
    >
      <Stack gap="sm" justify="space-between" h="100%">
        <div>
          <Group justify="space-between" align="flex-start" gap="4px 12px">
            <Text className={`${classes.cardAmount} cq-big cq-num`}>{formatBolivianos(transfer.amount_bs)}</Text>
            <TransferStatusCell transfer={transfer} now={now} />
          </Group>
          {transfer.recipient ? (
            <Text>
              Para <b>{transfer.recipient}</b>, {bank_name}
            </Text>
          ) : (
            <Text>Sin destinatario todavía</Text>
          )}
          <Text>
            De <b>{transfer.user}</b>
          </Text>
          <Group gap={8} c="dimmed" fz="sm" mt={4}>
            <span className="cq-num">{formatAmount(transfer.amount, transfer.currency)}</span>
            <span className="cq-num">{cardText(transfer)}</span>
          </Group>
          {transfer.status === 'pending' && (
            <Text fz="sm" c="dimmed" data-testid="admin-margin">
              {marginLabel}: <span className="cq-num">{marginText(transfer)}</span>
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
