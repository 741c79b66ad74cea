import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Card, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle, IconReceipt, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { RecipientView } from '#core/contracts/http/recipients';
import type { TransferView } from '#core/contracts/http/transfers';
import { type TransferStatus, transferStatusNames } from '#core/transfers/states';
import type { Offer } from '../../data/payments.ts';
import { transfersQuery, useAssignRecipient, waitingForRecipientQuery } from '../../data/transfers.ts';
import { rowsOf } from '../../data/versioned-collection.ts';
import { formatDay } from '../../lib/format/dates.ts';
import { formatBolivianos } from '../../lib/format/money.ts';
import { errorMessage } from '../../lib/http.ts';
import { transfersId } from '../../lib/paths.ts';
import { toastDone } from '../../lib/toast.ts';
import { Money } from '../../ui/figures.tsx';
import { PagedListView } from '../../ui/paged-list-view.tsx';
import { EmptyState, LoadingRows } from '../../ui/states.tsx';
import { type AddRecipientDialog, RecipientChoice } from '../shared/recipient-choice.tsx';
import { statusLabel } from '../shared/status-badge.tsx';
import { StatementsOffer } from './statements.tsx';
import { TransferRows } from './transfer-rows.tsx';
import classes from './transfers.module.css';

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
            size="md"
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

interface WaitingProps {
  /** Undefined while they are on their way. */
  recipients: readonly RecipientView[] | undefined;
  adding: AddRecipientDialog;
}

/** Asks for whom the sender's paid transfers are, one line each; takes no room when all have somebody. */
export function WaitingForRecipient({ recipients, adding }: WaitingProps) {
  const { data } = useInfiniteQuery(waitingForRecipientQuery);
  const waiting = data ? rowsOf(data) : [];
  if (waiting.length === 0) return null;
  return (
    <Card component="section" aria-labelledby="waiting-title" className={classes.waiting} data-testid="waiting">
      <Title order={2} id="waiting-title">
        <Trans>Falta elegir quién recibe</Trans>
      </Title>
      <Text c="dimmed" mb="md">
        {waiting.length === 1
          ? t`Este envío ya está pagado y espera. No se aprueba hasta que elijas un destinatario; después ya no se cambia.`
          : t`Estos envíos ya están pagados y esperan. No se aprueba hasta que elijas un destinatario; después ya no se cambia.`}
      </Text>
      <Stack>
        {waiting.map((transfer) => (
          <Waiting key={transfer.id} transfer={transfer} recipients={recipients} adding={adding} />
        ))}
      </Stack>
    </Card>
  );
}

function Waiting({ transfer, recipients, adding }: WaitingProps & { transfer: TransferView }) {
  const [recipientId, setRecipientId] = useState('');
  const [asked, setAsked] = useState(false);
  const arrives = formatBolivianos(transfer.bolivianos);
  const choose = useAssignRecipient(transfer.id, ({ recipient, bolivianos }) => {
    const amount = formatBolivianos(bolivianos);
    toastDone(t`Destinatario elegido`, t`${recipient} recibirá ${amount}.`);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (recipientId) choose.mutate(recipientId);
  };
  return (
    <form onSubmit={submit} className={classes.row} data-testid="waiting-row" data-transfer-id={transfer.id}>
      <div>
        <Text fw={600}>
          <Money amount={transfer.bolivianos} currency="BOB" />
        </Text>
        <Text c="dimmed" fz="sm" className="cq-num">
          {formatDay(transfer.date)} · <Money amount={transfer.amount} currency={transfer.currency} />
        </Text>
      </div>
      <RecipientChoice
        aria-label={t`Destinatario del envío de ${arrives}`}
        recipients={recipients}
        value={recipientId}
        onChange={setRecipientId}
        error={asked && !recipientId ? t`Elige un destinatario` : null}
        adding={adding}
        testid="waiting"
      />
      <Button type="submit" disabled={choose.isPending} data-testid="waiting-choose">
        {choose.isPending ? t`Guardando...` : t`Elegir`}
      </Button>
      {choose.error && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" className={classes.problem}>
          {errorMessage(choose.error)}
        </Alert>
      )}
    </form>
  );
}
