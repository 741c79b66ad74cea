import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Card, Code, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeliveryView, WebhookView } from '#core/contracts/http/webhooks';
import type { DeliveryStatus } from '#core/webhooks/events';
import { deliveriesQuery, useResendDelivery, useUpdateWebhook, webhooksQuery } from '../../../data/webhooks.ts';
import { formatLaPazMoment, laPazTime } from '../../../lib/format/dates.ts';
import { errorMessage } from '../../../lib/http.ts';
import { PagedListView } from '../../../ui/paged-list-view.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { EmptyState, LoadingRows } from '../../../ui/states.tsx';
import { type Tone, ToneBadge } from '../../../ui/tone-badge.tsx';
import { SecretDialog, WebhookDialog } from './webhook-dialogs.tsx';

/** Which dialog is open, about which address; null for a new one. */
type Open =
  | { readonly dialog: 'content'; readonly webhook: WebhookView | null }
  | { readonly dialog: 'secret'; readonly webhook: WebhookView | null; readonly made: string | null };

/** Where partners are sent what becomes of transfers, and what was sent. */
export function WebhooksTab() {
  const query = useQuery(webhooksQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="md">
        <Title order={2} fz="h3">
          <Trans>Avisos para socios</Trans>
        </Title>
        <Button
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => setOpen({ dialog: 'content', webhook: null })}
          data-testid="webhook-add"
        >
          <Trans>Añadir dirección</Trans>
        </Button>
      </Group>
      <QueryView query={query} loading={<LoadingRows rows={2} height={120} />} showsRefetchFailure>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={<IconWebhook aria-hidden />}>
              <Trans>Todavía no se avisa a nadie</Trans>
            </EmptyState>
          ) : (
            items.map((webhook) => <WebhookCard key={webhook.id} webhook={webhook} onOpen={setOpen} />)
          )
        }
      </QueryView>
      {open?.dialog === 'content' && (
        <WebhookDialog
          webhook={open.webhook}
          onClose={close}
          onSecret={(made) => setOpen({ dialog: 'secret', webhook: null, made })}
        />
      )}
      {open?.dialog === 'secret' && <SecretDialog webhook={open.webhook} made={open.made} onClose={close} />}
    </Stack>
  );
}

function WebhookCard({ webhook, onOpen }: { webhook: WebhookView; onOpen: (open: Open) => void }) {
  const update = useUpdateWebhook(webhook.id);
  const [showsDeliveries, setShowsDeliveries] = useState(false);
  const [standing, tone] = standingOf(webhook);
  const { url, description, events, enabled, created_by: creator, previous_secret_until: until } = webhook;
  const [created, overlap, note] = [laPazTime(webhook.created_at), until && laPazTime(until), standingNote(webhook)];
  const turn = () => update.mutate({ description, events, enabled: !enabled });
  return (
    <Card padding="md" data-testid="webhook" data-enabled={enabled}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs" align="flex-start">
          <div style={{ minWidth: 0 }}>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {url}
            </Text>
            {description && <Text fz="sm">{description}</Text>}
          </div>
          <ToneBadge tone={tone}>{standing}</ToneBadge>
        </Group>
        {note && <Text fz="sm">{note}</Text>}
        {overlap && (
          <Text fz="sm">
            <Trans>El secreto anterior firma hasta el {overlap}.</Trans>
          </Text>
        )}
        <Group gap={6}>
          {events.map((type) => (
            <Code key={type}>{type}</Code>
          ))}
        </Group>
        <Text fz="sm" c="dimmed">
          <Trans>
            Añadida por {creator} el {created}
          </Trans>
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            aria-expanded={showsDeliveries}
            onClick={() => setShowsDeliveries(!showsDeliveries)}
            data-testid="webhook-deliveries"
          >
            {showsDeliveries ? t`Ocultar envíos de avisos` : t`Ver envíos de avisos`}
          </Button>
          <Button variant="default" onClick={() => onOpen({ dialog: 'content', webhook })} data-testid="webhook-edit">
            <Trans>Editar</Trans>
          </Button>
          <Button
            variant="default"
            onClick={() => onOpen({ dialog: 'secret', webhook, made: null })}
            data-testid="webhook-rotate"
          >
            <Trans>Secreto nuevo</Trans>
          </Button>
          <Button variant="subtle" loading={update.isPending} onClick={turn} data-testid="webhook-turn">
            {enabled ? t`Apagar` : t`Encender`}
          </Button>
        </Group>
        {update.error && (
          <Alert color="red" role="alert">
            {errorMessage(update.error)}
          </Alert>
        )}
        {showsDeliveries && <Deliveries id={webhook.id} />}
      </Stack>
    </Card>
  );
}

function Deliveries({ id }: { id: string }) {
  const query = useInfiniteQuery(deliveriesQuery(id));
  return (
    <PagedListView
      query={query}
      loading={<LoadingRows rows={3} height={56} />}
      empty={
        <Text c="dimmed">
          <Trans>Todavía no hubo nada que avisar a esta dirección</Trans>
        </Text>
      }
      moreTestid="webhook-deliveries-more"
      moreGap="md"
    >
      {(deliveries) => (
        <ul className="cq-list" style={{ gap: 16 }}>
          {deliveries.map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
    </PagedListView>
  );
}

function Delivery({ delivery }: { delivery: DeliveryView }) {
  const resend = useResendDelivery();
  const { type, reference, status, attempts, event_id: eventId } = delivery;
  const created = formatLaPazMoment(delivery.created_at);
  const next = delivery.next_attempt_at && formatLaPazMoment(delivery.next_attempt_at);
  const result = attemptText(delivery);
  return (
    <li data-testid="webhook-delivery" data-status={status}>
      <Group justify="space-between" gap="xs" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Text fw={500}>
            <Code>{type}</Code> {reference}
          </Text>
          <Text fz="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {created} · {eventId}
          </Text>
          <Text fz="sm">
            {[t`Intentos: ${attempts}`, result, next && t`Próximo intento: ${next}`].filter(Boolean).join(' · ')}
          </Text>
        </div>
        <Group gap="xs">
          <ToneBadge tone={deliveryTones[status]}>{i18n._(deliveryLabels[status])}</ToneBadge>
          <Button
            variant="default"
            size="sm"
            loading={resend.isPending}
            onClick={() => resend.mutate(delivery.id)}
            aria-label={t`Enviar otra vez ${type} de ${reference}`}
            data-testid="webhook-resend"
          >
            <Trans>Enviar otra vez</Trans>
          </Button>
        </Group>
      </Group>
      {resend.error && (
        <Text fz="sm" c="red" role="alert">
          {errorMessage(resend.error)}
        </Text>
      )}
    </li>
  );
}

/** What became of a delivery. */
const deliveryLabels = {
  pending: msg`En espera`,
  delivered: msg`Entregado`,
  failed: msg`No entregado`,
  stopped: msg`Detenido`,
} as const satisfies Record<DeliveryStatus, unknown>;

const deliveryTones: Readonly<Record<DeliveryStatus, Tone>> = {
  pending: 'wait',
  delivered: 'good',
  failed: 'bad',
  stopped: 'quiet',
};

/** What the last attempt brought; empty where there was none. */
function attemptText({ error, response_status: status }: DeliveryView): string {
  if (error === 'timeout') return t`No contestó a tiempo`;
  if (error === 'connection') return t`No se pudo conectar`;
  if (error === 'address') return t`La dirección no es pública`;
  return status === null ? '' : t`Contestó ${status}`;
}

/** How an address stands, and the tone of it. */
function standingOf({ enabled, disabled_because: because, failing_since: since }: WebhookView): [string, Tone] {
  if (!enabled) return because === 'failures' ? [t`Apagada por fallos`, 'bad'] : [t`Apagada`, 'quiet'];
  return since === null ? [t`Encendida`, 'good'] : [t`Falla`, 'wait'];
}

/** What to know of an address besides; empty where there is nothing. */
function standingNote({ enabled, disabled_because: because, failing_since: since }: WebhookView): string {
  if (since === null) return '';
  const moment = laPazTime(since);
  if (enabled) return t`No acepta avisos desde el ${moment}. Se sigue intentando.`;
  return because === 'failures' ? t`No aceptó ningún aviso desde el ${moment}.` : '';
}
