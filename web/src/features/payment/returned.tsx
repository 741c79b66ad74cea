import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Card, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangleFilled, IconCircleCheckFilled, IconClockHour4 } from '@tabler/icons-react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { referenceOf } from '#core/transfers/reference';
import { paymentKeys } from '../../data/query-keys.ts';
import { transferQuery, writeTransfer } from '../../data/transfers.ts';
import { ApiFailure } from '../../lib/http.ts';
import { paths } from '../../lib/paths.ts';
import { senderCall } from '../../lib/sender-http.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { PaidTransfer } from './paid.tsx';
import classes from './payment.module.css';
import { forgetInterruptedPayment, outcomeOf, type ReturnOutcome } from './return-address.ts';

/** Comes once something was paid. */
const NotifyOffer = lazy(() => import('../shared/notify-offer.tsx'));

const pollMs = 2000;

/**
 * The status of a payment at the provider, through our server, which knows only the reader's own payments. It can change behind this
 * page, as when a failed payment is completed in the panel: every visit asks again.
 */
const statusQuery = (paymentIntentId: string) =>
  queryOptions({
    queryKey: paymentKeys.status(paymentIntentId),
    queryFn: ({ signal }) => senderCall('paymentStatus', { params: { paymentIntentId }, signal }),
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => (state.data && outcomeOf(state.data.status) === 'processing' ? pollMs : false),
  });

/** What came of the payment somebody returns from. What the address says of it is not believed. */
export function Returned({ paymentIntentId, from }: { paymentIntentId: string; from: string | null }) {
  const query = useQuery(statusQuery(paymentIntentId));
  // The page says what became of it from now on.
  useEffect(forgetInterruptedPayment, []);
  const unknown = query.error instanceof ApiFailure && query.error.code === 'not_found';
  // Only a success is final: any other verdict is shown only while it is known to be current.
  const isConfirmed = query.isFetchedAfterMount && query.error === null;
  const isOpen = query.data !== undefined && outcomeOf(query.data.status) !== 'succeeded';
  return (
    <QueryView
      query={isOpen && !isConfirmed ? { ...query, data: undefined } : query}
      loading={<Verdict outcome={null} />}
      failureAction={<Unsure />}
      {...(unknown && { failed: () => <Verdict outcome="wrong">{t`No encontramos este pago en tu cuenta.`}</Verdict> })}
    >
      {({ status }) => <KnownPayment paymentIntentId={paymentIntentId} outcome={outcomeOf(status)} from={from} />}
    </QueryView>
  );
}

/** Warns against paying twice when the outcome could not be loaded. */
function Unsure() {
  return (
    <Stack gap="sm" align="flex-start" mt="md" data-testid="return-unsure">
      <Text>
        <Trans>
          Todavía no sabemos cómo quedó tu pago, y puede estar hecho. No pagues otra vez sin mirar tu panel.
        </Trans>
      </Text>
      <Button component={Link} to={paths.dashboard} variant="default">
        <Trans>Ir al panel</Trans>
      </Button>
    </Stack>
  );
}

function KnownPayment(props: { paymentIntentId: string; outcome: ReturnOutcome; from: string | null }) {
  const { paymentIntentId, outcome, from } = props;
  if (outcome === 'succeeded') return <Succeeded paymentIntentId={paymentIntentId} />;
  return (
    <Verdict outcome={outcome}>
      {outcome === 'failed' && (
        <Button component={Link} to={from ?? paths.stripePago} data-testid="return-again">
          <Trans>Intentar otra vez</Trans>
        </Button>
      )}
      {outcome === 'processing' && t`Esta página se actualiza sola. Puedes cerrarla: tu envío aparecerá en tu panel.`}
      {outcome === 'wrong' && t`Este pago ya no está en curso. Mira tus transacciones en tu panel.`}
    </Verdict>
  );
}

function Succeeded({ paymentIntentId }: { paymentIntentId: string }) {
  const queryClient = useQueryClient();
  // Recording it twice makes no difference to the server, but once it has answered there is nothing more to ask.
  const recorded = useQuery({
    queryKey: paymentKeys.recorded(paymentIntentId),
    queryFn: async () => {
      const { transaction } = await senderCall('confirmTransaction', { body: { paymentIntentId } });
      writeTransfer(queryClient, transaction);
      return transaction.id;
    },
    staleTime: 'static',
  });
  return (
    <Verdict outcome="succeeded">
      <QueryView query={recorded} loading={null}>
        {(transferId) => <RecordedTransfer id={transferId} />}
      </QueryView>
    </Verdict>
  );
}

function RecordedTransfer({ id }: { id: string }) {
  return (
    <QueryView query={useQuery(transferQuery(id))} loading={<LoadingRows rows={2} height={40} />}>
      {(transfer) => (
        <>
          <PaidTransfer transfer={transfer} />
          <div>
            <Text c="dimmed" fz="sm">
              <Trans>Referencia</Trans>
            </Text>
            <Text className={`${classes.reference} cq-num`} data-testid="pay-reference">
              {referenceOf(transfer.id)}
            </Text>
          </div>
          {transfer.paidAt !== null && (
            <LazyPart missing={null}>
              <NotifyOffer transferId={transfer.id} />
            </LazyPart>
          )}
        </>
      )}
    </QueryView>
  );
}

const verdicts: Record<ReturnOutcome, { title: MessageDescriptor; icon: ReactNode }> = {
  succeeded: {
    title: msg`¡Pago exitoso!`,
    icon: <IconCircleCheckFilled size={64} color="var(--cq-good)" aria-hidden />,
  },
  processing: {
    title: msg`Tu pago está siendo procesado.`,
    icon: <IconClockHour4 size={64} color="var(--cq-wait)" aria-hidden />,
  },
  failed: {
    title: msg`Tu pago no fue exitoso, por favor intenta nuevamente.`,
    icon: <IconAlertTriangleFilled size={64} color="var(--cq-bad)" aria-hidden />,
  },
  wrong: { title: msg`Algo salió mal.`, icon: <IconAlertTriangleFilled size={64} color="var(--cq-bad)" aria-hidden /> },
};

/** The page's one card; without an outcome it is being asked for. */
export function Verdict({ outcome, children }: { outcome: ReturnOutcome | null; children?: ReactNode }) {
  return (
    <Card data-testid="return" data-outcome={outcome ?? 'asking'}>
      <Stack align="center" ta="center" aria-live="polite">
        {outcome === null ? (
          <>
            <Loader />
            <Text>
              <Trans>Preguntando cómo quedó tu pago...</Trans>
            </Text>
          </>
        ) : (
          <>
            {verdicts[outcome].icon}
            <Title order={2}>{i18n._(verdicts[outcome].title)}</Title>
            {children}
            <Group justify="center">
              <Button component={Link} to={paths.dashboard} variant={outcome === 'failed' ? 'default' : 'filled'}>
                <Trans>Ir al panel</Trans>
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Card>
  );
}
