import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Card, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { TransferView } from '#core/contracts/http/transfers';
import type { OfferRecipient } from '../../data/payments.ts';
import { useAssignRecipient, waitingForRecipientQuery } from '../../data/transfers.ts';
import { rowsOf } from '../../data/versioned-collection.ts';
import { formatDay } from '../../lib/format/dates.ts';
import { formatBolivianos } from '../../lib/format/money.ts';
import { errorMessage } from '../../lib/http.ts';
import { toastDone } from '../../lib/toast.ts';
import { Money } from '../../ui/figures.tsx';
import classes from './transfers.module.css';

interface Props {
  /** Undefined while they are on their way. */
  recipients: readonly OfferRecipient[] | undefined;
}

/** Asks for whom the sender's paid transfers are, one line each; takes no room when all have somebody. */
export function WaitingForRecipient({ recipients }: Props) {
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
          <Waiting key={transfer.id} transfer={transfer} recipients={recipients} />
        ))}
      </Stack>
    </Card>
  );
}

function Waiting({ transfer, recipients }: Props & { transfer: TransferView }) {
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
  const none = recipients?.length === 0;
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
      <NativeSelect
        aria-label={t`Destinatario del envío de ${arrives}`}
        data={[
          { value: '', label: recipients ? t`Elige un destinatario` : t`Cargando…` },
          ...(recipients ?? []).map(({ id, name, bankName }) => ({ value: id, label: `${name} · ${bankName}` })),
        ]}
        size="md"
        value={recipientId}
        onChange={(event) => setRecipientId(event.currentTarget.value)}
        description={none ? t`Primero añade a quien recibe, más abajo en Mis Destinatarios.` : undefined}
        error={asked && !recipientId ? t`Elige un destinatario` : null}
        data-testid="waiting-recipient"
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
