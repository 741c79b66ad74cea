import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Card, Group, NativeSelect, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconReceipt, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TransferView } from '#core/contracts/http/transfers';
import { type TransferStatus, transferStatusNames } from '#core/transfers/states';
import type { Offer } from '../../data/payments.ts';
import { transfersQuery } from '../../data/transfers.ts';
import { transfersId } from '../../lib/paths.ts';
import { PagedListView } from '../../ui/paged-list-view.tsx';
import { EmptyState, LoadingRows } from '../../ui/states.tsx';
import { statusLabel } from '../shared/status-badge.tsx';
import { StatementsOffer } from './statements.tsx';
import { TransferRows } from './transfer-rows.tsx';

const statusChoices = () => [
  { value: '', label: t`Todos los estados` },
  ...transferStatusNames.map((value) => ({ value, label: statusLabel(value) })),
];
const typingMs = 250;
const searchLengthMax = 100;

interface Props {
  onOpen: (id: string) => void;
  /** The sender goes on with a payment that was left. */
  onPay: (offer: Offer) => void;
  /** The sender wants to send the same again, and to look at it in the form first. */
  onRepeat: (transfer: TransferView) => void;
}

/** 'Transacciones Recientes': the sender's transfers, live, with search, one status, and more on demand. */
export function RecentTransfers({ onOpen, onPay, onRepeat }: Props) {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<TransferStatus | ''>('');
  const [typed] = useDebouncedValue(search.trim(), typingMs);
  const list = useInfiniteQuery({ ...transfersQuery({ search: typed, status }), placeholderData: keepPreviousData });
  const filtered = typed !== '' || status !== '';
  return (
    <Card component="section" aria-labelledby="transfers-title" id={transfersId} tabIndex={-1}>
      <Group justify="space-between" mb="md">
        <Title order={2} id="transfers-title">
          <Trans>Transacciones Recientes</Trans>
        </Title>
        <Group gap="xs" grow preventGrowOverflow={false}>
          <TextInput
            placeholder={t`Nombre o número`}
            aria-label={t`Buscar en tus transacciones`}
            type="search"
            maxLength={searchLengthMax}
            leftSection={<IconSearch size={18} aria-hidden />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            data-testid="transfer-search"
          />
          <NativeSelect
            aria-label={t`Estado`}
            data={statusChoices()}
            value={status}
            onChange={(event) => setStatus(event.currentTarget.value as TransferStatus | '')}
            data-testid="transfer-status"
          />
        </Group>
      </Group>
      <PagedListView
        query={list}
        loading={<LoadingRows rows={4} height={56} />}
        empty={
          <EmptyState icon={<IconReceipt aria-hidden />}>
            {filtered ? t`No se encontraron transacciones` : t`No tienes transacciones realizadas`}
          </EmptyState>
        }
        moreTestid="transfer-more"
        moreGap="md"
      >
        {(transfers) => <TransferRows transfers={transfers} onOpen={onOpen} onPay={onPay} onRepeat={onRepeat} />}
      </PagedListView>
      <StatementsOffer />
    </Card>
  );
}
