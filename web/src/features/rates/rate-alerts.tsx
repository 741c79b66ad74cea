import { ActionIcon, Button, Card, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { IconBell, IconBellCheck, IconBellPlus, IconBellRinging, IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { RateAlertView } from '#core/contracts/http/rate-alerts';
import { type SendCurrency, sendCurrencies } from '#core/money/money';
import { parseRate } from '#core/rates/rate';
import { inReadingOrder, rateAlertsQuery, useAddAlert, useRemoveAlert } from '../../data/rate-alerts.ts';
import { ratesQuery } from '../../data/rates.ts';
import { focusFirstProblem } from '../../lib/form-failure.ts';
import { formatDay, formatMoment } from '../../lib/format/dates.ts';
import { formatRate, formatRateLine } from '../../lib/format/money.ts';
import { ApiFailure, errorMessage } from '../../lib/http.ts';
import { toastDone, toastError } from '../../lib/toast.ts';
import { DecimalInput } from '../../ui/decimal-input.tsx';
import { PagedListView } from '../../ui/paged-list-view.tsx';
import { EmptyState, LoadingRows } from '../../ui/states.tsx';
import classes from './rates.module.css';

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
            <ul className={classes.alerts}>
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
  const value = `1 ${currency} a ${formatRate(rate)}`;
  const fired = firedAt !== null && firedRate !== null;
  const Icon = fired ? IconBellCheck : IconBellRinging;
  return (
    <li className={classes.alert} data-testid="rate-alert" data-alert-id={id} data-fired={fired}>
      <Icon size={22} stroke={1.8} color={fired ? 'var(--cq-good)' : 'var(--cq-wait)'} aria-hidden />
      <div className={classes.alertText}>
        <Text fw={600} className="cq-num">
          {value}
        </Text>
        <Text c="dimmed" fz="sm" className="cq-num">
          {fired
            ? `Llegó el ${formatMoment(firedAt)}, a ${formatRate(firedRate)}`
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

const wrongRate = 'Escribe una tasa mayor que cero, con dos decimales como máximo';

/** "Avísame cuando 1 [EUR] llegue a [13,20] Bs", laid out like that text. */
function AlertForm() {
  const [currency, setCurrency] = useState<SendCurrency>('EUR');
  const [rate, setRate] = useState('');
  const [asked, setAsked] = useState(false);
  const { data } = useQuery(ratesQuery);
  const add = useAddAlert();
  const inForce = data?.rates[currency];
  const problem = asked && parseRate(rate) === null ? wrongRate : failureOf(add.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (parseRate(rate) === null) return focusFirstProblem(event);
    add.mutate(
      { currency, rate },
      {
        onSuccess: (alert) => {
          setRate('');
          setAsked(false);
          const line = `cuando 1 ${alert.currency} llegue a ${formatRate(alert.rate)}`;
          toastDone('Alerta creada', `Te avisamos aquí y por correo ${line}.`);
        },
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate data-testid="rate-alert-form">
      <div className={classes.fields}>
        <span>Avísame cuando 1</span>
        <NativeSelect
          aria-label="Moneda de la alerta"
          size="md"
          data={[...sendCurrencies]}
          value={currency}
          onChange={(event) => {
            add.reset();
            setCurrency(event.currentTarget.value as SendCurrency);
          }}
          data-testid="rate-alert-currency"
        />
        <span>llegue a</span>
        <DecimalInput
          aria-label="Tasa que esperas, en bolivianos"
          aria-describedby="rate-alert-hint"
          size="md"
          className={classes.rateField}
          classNames={{ input: 'cq-num' }}
          value={rate}
          onChange={(value) => {
            add.reset();
            setAsked(false);
            setRate(value);
          }}
          rule={{ kind: 'rate', wholeDigits: 3, decimals: 2 }}
          error={problem !== null}
          testid="rate-alert-rate"
        />
        <span>Bs</span>
        <Button
          type="submit"
          className={classes.add}
          leftSection={<IconBellPlus size={20} aria-hidden />}
          loading={add.isPending}
          data-testid="rate-alert-submit"
        >
          Crear alerta
        </Button>
      </div>
      <Text
        id="rate-alert-hint"
        mt={6}
        fz="sm"
        mih="1.5em"
        c={problem === null ? 'dimmed' : 'var(--mantine-color-error)'}
        role={problem === null ? undefined : 'alert'}
        data-testid="rate-alert-hint"
      >
        {problem ?? (inForce ? `Ahora: ${formatRateLine(inForce.rate, currency)}` : '')}
      </Text>
    </form>
  );
}

function failureOf(error: Error | null): string | null {
  if (error === null) return null;
  return (error instanceof ApiFailure && error.fields.rate) || errorMessage(error);
}
