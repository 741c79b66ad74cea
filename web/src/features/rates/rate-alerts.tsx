import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Card, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { IconBell, IconBellCheck, IconBellPlus, IconBellRinging, IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { RateAlertView } from '#core/contracts/http/rate-alerts';
import { type SendCurrency, sendCurrencies } from '#core/money/money';
import { parseRate } from '#core/rates/rate';
import { useOptionalQuery } from '../../data/optional-query.ts';
import { inReadingOrder, rateAlertsQuery, useAddAlert, useRemoveAlert } from '../../data/rate-alerts.ts';
import { ratesQuery } from '../../data/rates.ts';
import { focusFirstProblem, refusedField } from '../../lib/form-failure.ts';
import { formatDay, formatMoment } from '../../lib/format/dates.ts';
import { bolivianosUnit, formatRate, formatRateLine } from '../../lib/format/money.ts';
import { errorMessage } from '../../lib/http.ts';
import { toastDone, toastError } from '../../lib/toast.ts';
import { useUsualCurrency } from '../../lib/usual-currency.ts';
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
        <Trans>Alertas de tasa</Trans>
      </Title>
      <Stack gap="md">
        <AlertForm />
        <PagedListView
          query={list}
          loading={<LoadingRows rows={2} height={56} />}
          empty={
            <EmptyState icon={<IconBell aria-hidden />}>
              <Trans>Todavía no esperas ninguna tasa. Te avisamos aquí y por correo.</Trans>
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
  const wanted = formatRate(rate);
  const value = t`1 ${currency} a ${wanted}`;
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
          {fired ? reached(firedAt, firedRate) : waitingSince(createdAt)}
        </Text>
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="xl"
        aria-label={t`Borrar la alerta de ${value}`}
        loading={remove.isPending}
        onClick={() => remove.mutate(id, { onError: (error) => toastError(t`No se pudo borrar`, errorMessage(error)) })}
        data-testid="rate-alert-delete"
      >
        <IconTrash size={20} aria-hidden />
      </ActionIcon>
    </li>
  );
}

function reached(at: string, rate: string): string {
  const [moment, figure] = [formatMoment(at), formatRate(rate)];
  return t`Llegó el ${moment}, a ${figure}`;
}

function waitingSince(createdAt: string): string {
  const day = formatDay(createdAt);
  return t`En espera desde el ${day}`;
}

/** "Avísame cuando 1 [EUR] llegue a [13,20] Bs", laid out like that text. */
function AlertForm() {
  const usual = useUsualCurrency();
  const [chosen, setCurrency] = useState<SendCurrency | null>(null);
  const currency = chosen ?? usual;
  const [rate, setRate] = useState('');
  const [asked, setAsked] = useState(false);
  const data = useOptionalQuery(ratesQuery);
  const add = useAddAlert();
  const inForce = data?.rates[currency];
  const problem =
    asked && parseRate(rate) === null
      ? t`Escribe una tasa mayor que cero, con dos decimales como máximo`
      : failureOf(add.error);
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
          const [asked, wanted] = [alert.currency, formatRate(alert.rate)];
          toastDone(t`Alerta creada`, t`Te avisamos aquí y por correo cuando 1 ${asked} llegue a ${wanted}.`);
        },
      },
    );
  };
  const current = inForce && formatRateLine(inForce.rate, currency);
  return (
    <form onSubmit={submit} noValidate data-testid="rate-alert-form">
      <div className={classes.fields}>
        <span>
          <Trans>Avísame cuando 1</Trans>
        </span>
        <NativeSelect
          aria-label={t`Moneda de la alerta`}
          data={[...sendCurrencies]}
          value={currency}
          onChange={(event) => {
            add.reset();
            setCurrency(event.currentTarget.value as SendCurrency);
          }}
          data-testid="rate-alert-currency"
        />
        <span>
          <Trans>llegue a</Trans>
        </span>
        <DecimalInput
          aria-label={t`Tasa que esperas, en bolivianos`}
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
        <span>{bolivianosUnit()}</span>
        <Button
          type="submit"
          className={classes.add}
          leftSection={<IconBellPlus size={20} aria-hidden />}
          loading={add.isPending}
          data-testid="rate-alert-submit"
        >
          <Trans>Crear alerta</Trans>
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
        {problem ?? (current ? t`Ahora: ${current}` : '')}
      </Text>
    </form>
  );
}

function failureOf(error: Error | null): string | null {
  if (error === null) return null;
  return refusedField(error, 'rate') ?? errorMessage(error);
}
