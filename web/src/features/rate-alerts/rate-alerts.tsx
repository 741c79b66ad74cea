import { ActionIcon, Card, Stack, Text, Title } from '@mantine/core';
import { IconBell, IconBellCheck, IconBellRinging, IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { RateAlertView } from '#core/contracts/http/rate-alerts';
import { rateAlertsQuery, useRemoveAlert } from '../../data/rate-alerts.ts';
import { formatDay, formatMoment } from '../../lib/dates.ts';
import { errorMessage } from '../../lib/http.ts';
import { decimalComma } from '../../lib/numbers.ts';
import { toastError } from '../../lib/toast.ts';
import { PagedListView } from '../../ui/paged-list-view.tsx';
import { EmptyState, LoadingRows } from '../../ui/states.tsx';
import { AlertForm } from './alert-form.tsx';
import classes from './rate-alerts.module.css';
import { inReadingOrder } from './reading-order.ts';

/** 'Alertas de tasa': ask to be told when a rate reaches a value, what waits, and what was reached when. */
export function RateAlerts() {
  const list = useInfiniteQuery(rateAlertsQuery);
  return (
    <Card component="section" aria-labelledby="rate-alerts-title" data-testid="rate-alerts">
      <Title order={2} id="rate-alerts-title" mb="md">
        Alertas de tasa
      </Title>
      <Stack gap="md">
        <AlertForm />
        <PagedListView
          query={list}
          loading={<LoadingRows rows={2} height={56} />}
          empty={
            <EmptyState icon={<IconBell aria-hidden />}>
              Todavía no esperas ninguna tasa. Te avisamos aquí y por correo.
            </EmptyState>
          }
          moreTestid="rate-alerts-more"
        >
          {(alerts) => (
            <ul className={classes.list}>
              {inReadingOrder(alerts).map((alert) => (
                <AlertRow key={alert.id} alert={alert} />
              ))}
            </ul>
          )}
        </PagedListView>
      </Stack>
    </Card>
  );
}

function AlertRow({ alert }: { alert: RateAlertView }) {
  const remove = useRemoveAlert();
  const { id, currency, rate, createdAt, firedAt, firedRate } = alert;
  const value = `1 ${currency} a ${decimalComma(rate)} Bs`;
  const fired = firedAt !== null && firedRate !== null;
  const Icon = fired ? IconBellCheck : IconBellRinging;
  return (
    <li className={classes.row} data-testid="rate-alert" data-alert-id={id} data-fired={fired}>
      <Icon size={22} stroke={1.8} color={fired ? 'var(--cq-good)' : 'var(--cq-wait)'} aria-hidden />
      <div className={classes.text}>
        <Text fw={600} className="cq-num">
          {value}
        </Text>
        <Text c="dimmed" fz="sm" className="cq-num">
          {fired
            ? `Llegó el ${formatMoment(firedAt)}, a ${decimalComma(firedRate)} Bs`
            : `En espera desde el ${formatDay(createdAt)}`}
        </Text>
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="xl"
        aria-label={`Borrar la alerta de ${value}`}
        loading={remove.isPending}
        onClick={() => remove.mutate(id, { onError: (error) => toastError('No se pudo borrar', errorMessage(error)) })}
        data-testid="rate-alert-delete"
      >
        <IconTrash size={20} aria-hidden />
      </ActionIcon>
    </li>
  );
}
