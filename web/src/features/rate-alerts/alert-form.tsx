import { Button, NativeSelect, Text } from '@mantine/core';
import { IconBellPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { formatRateLine } from '#core/money/format';
import { type SendCurrency, sendCurrencies } from '#core/money/money';
import { parseRate } from '#core/rates/rate';
import { useAddAlert } from '../../data/rate-alerts.ts';
import { ratesQuery } from '../../data/rates.ts';
import { focusFirstProblem } from '../../lib/form-failure.ts';
import { ApiFailure, errorMessage } from '../../lib/http.ts';
import { decimalComma } from '../../lib/numbers.ts';
import { toastDone } from '../../lib/toast.ts';
import { DecimalInput } from '../../ui/decimal-input.tsx';
import classes from './rate-alerts.module.css';

const wrongRate = 'Escribe una tasa mayor que cero, con dos decimales como máximo';

/** "Avísame cuando 1 [EUR] llegue a [13,20] Bs", laid out like that text. */
export function AlertForm() {
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
          const line = `cuando 1 ${alert.currency} llegue a ${decimalComma(alert.rate)} Bs`;
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
          className={classes.rate}
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
