import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Card, Group, Stack, Text, Timeline } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCircleCheck, IconHeartHandshake, IconLinkOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type TrackingView, trackingSteps } from '#core/contracts/http/tracking';
import { isPastEstimate } from '#core/transfers/delivery';
import { trackingQuery, useConfirmReceived } from '../../data/tracking.ts';
import { formatLongDay, formatMoment } from '../../lib/format/dates.ts';
import { formatBolivianos } from '../../lib/format/money.ts';
import { errorMessage, isMissing } from '../../lib/http.ts';
import { Money } from '../../ui/figures.tsx';
import { useNow } from '../../ui/hooks.ts';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';

/** What a family sees of the money on its way to them, by the link that the sender gave them. */
export function Tracking({ token }: { token: string }) {
  const query = useQuery(trackingQuery(token));
  const { data, error } = query;
  const sender = data?.sender;
  return (
    <Page title={sender ? t`${sender} te envía dinero` : t`Seguimiento de un envío`} size={640}>
      <QueryView
        query={query}
        loading={<LoadingRows rows={4} height={64} />}
        {...(isMissing(error) && { failed: () => <Unknown /> })}
      >
        {(view) => <Followed view={view} token={token} />}
      </QueryView>
    </Page>
  );
}

function Unknown() {
  return (
    <Alert color="yellow" icon={<IconLinkOff aria-hidden />} role="alert">
      <Trans>Este enlace no es de ningún envío. Pide a quien te lo mandó que te lo pase otra vez.</Trans>
    </Alert>
  );
}

const amountStyle = { fontSize: 'clamp(2.2rem, 9vw, 3.2rem)', lineHeight: 1.15, color: 'var(--cq-good)' };

function Followed({ view, token }: { view: TrackingView; token: string }) {
  const { bolivianos, arrived, gained, bankName, accountEnding, status } = view;
  const isDeposited = status === 'deposited' || status === 'deposited_in_part';
  return (
    <Card shadow="md" padding="lg" data-testid="tracking" data-status={status}>
      <Stack gap="lg">
        <div>
          <Text c="dimmed">{isDeposited ? t`Llegó a Bolivia` : t`Llega a Bolivia`}</Text>
          <div className="cq-big" style={amountStyle} data-testid="tracking-amount">
            <Money amount={isDeposited ? arrived : bolivianos} currency="BOB" />
          </div>
          {gained && <Gained amount={gained} />}
          {bankName && (
            <Text>
              {bankName}
              {accountEnding && <Trans>, cuenta terminada en {accountEnding}</Trans>}
            </Text>
          )}
        </div>
        <Standing view={view} />
        {status !== 'stopped' && <Steps view={view} />}
        <Received view={view} token={token} />
        <Text c="dimmed" fz="sm">
          <Trans>
            Chasqui nunca te pide claves ni pagos para recibir. No compartas este enlace con quien no conozcas.
          </Trans>
        </Text>
      </Stack>
    </Card>
  );
}

/** That more arrives than was accepted at first. */
function Gained({ amount }: { amount: string }) {
  const more = formatBolivianos(amount);
  return (
    <Text c="var(--cq-good)" data-testid="tracking-gained">
      <Trans>La tasa mejoró: son {more} más.</Trans>
    </Text>
  );
}

/** One sentence that says where the money is; a screen reader hears each new one. */
function Standing({ view }: { view: TrackingView }) {
  const { status, estimatedDelivery, receivedAt } = view;
  const promised = formatBolivianos(view.bolivianos);
  const day = formatLongDay(estimatedDelivery);
  const now = useNow();
  return (
    <div role="status" data-testid="tracking-standing">
      {status === 'on_the_way' && (
        <Text fw={600}>
          {isPastEstimate(new Date(estimatedDelivery), new Date(now))
            ? t`El dinero está en camino y se retrasa: lo esperábamos para el ${day}.`
            : t`El dinero está en camino. Lo esperamos para el ${day}.`}
        </Text>
      )}
      {status === 'deposited' && (
        <Text fw={600} c="var(--cq-good)">
          {receivedAt ? t`Dijiste que ya lo recibiste. ¡Gracias por avisar!` : t`El banco confirmó el depósito.`}
        </Text>
      )}
      {status === 'deposited_in_part' && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          <Trans>De los {promised} que te enviaron, el banco devolvió una parte. Quien te envía ya lo sabe.</Trans>
        </Alert>
      )}
      {status === 'delayed' && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          <Trans>El banco no pudo depositarlo todavía. Quien te envía ya lo sabe.</Trans>
        </Alert>
      )}
      {status === 'stopped' && (
        <Alert color="gray" icon={<IconAlertTriangle aria-hidden />}>
          <Trans>Este envío no llegará. Pregunta a quien te lo mandó.</Trans>
        </Alert>
      )}
    </div>
  );
}

const stepTitles = {
  received: msg`Envío recibido`,
  approved: msg`Envío aprobado`,
  sent: msg`En camino al banco`,
  deposited: msg`Depositado`,
} as const;

function Steps({ view }: { view: TrackingView }) {
  const times = new Map(view.steps.map(({ step, at }) => [step, at]));
  const last = trackingSteps.findLastIndex((step) => times.has(step));
  return (
    <section aria-label={t`Pasos del envío`}>
      <Timeline active={last} bulletSize={24} lineWidth={2}>
        {trackingSteps.map((step, index) => {
          const at = times.get(step);
          return (
            <Timeline.Item
              key={step}
              title={i18n._(stepTitles[step])}
              bullet={at && <IconCheck size={14} stroke={2.5} aria-hidden />}
              lineVariant={index < last ? 'solid' : 'dashed'}
              data-testid={at ? 'tracking-step' : 'tracking-expected'}
            >
              <Text c="dimmed" fz="sm" className="cq-num">
                {at ? formatMoment(at) : t`Todavía no`}
              </Text>
            </Timeline.Item>
          );
        })}
      </Timeline>
    </section>
  );
}

/** The family's own word, once. */
function Received({ view: { status, receivedAt }, token }: { view: TrackingView; token: string }) {
  const confirm = useConfirmReceived(token);
  if (status !== 'deposited') return null;
  if (receivedAt) {
    const moment = formatMoment(receivedAt);
    return (
      <Group gap="xs" data-testid="tracking-received" c="var(--cq-good)">
        <IconCircleCheck size={22} aria-hidden />
        <Text fw={600}>{t`Recibido el ${moment}`}</Text>
      </Group>
    );
  }
  return (
    <Stack gap="xs">
      <Button
        size="lg"
        leftSection={<IconHeartHandshake size={20} aria-hidden />}
        loading={confirm.isPending}
        onClick={() => confirm.mutate()}
        data-testid="tracking-confirm"
      >
        <Trans>Ya recibí</Trans>
      </Button>
      {confirm.error && (
        <Text c="var(--cq-bad)" role="alert">
          {errorMessage(confirm.error)}
        </Text>
      )}
    </Stack>
  );
}
