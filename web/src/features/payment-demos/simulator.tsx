import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Card, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheckFilled, IconFlask } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { parseMinor, type SendCurrency } from '#core/money/money';
import { minimumMinor } from '#core/transfers/limits';
import { focusFirstProblem } from '../../lib/form-failure.ts';
import { formatAmount } from '../../lib/format/money.ts';
import { paths, readSendingPath } from '../../lib/paths.ts';
import { belowMinimum } from '../../lib/sending-draft.ts';
import { toastError } from '../../lib/toast.ts';
import { AmountInput } from '../../ui/decimal-input.tsx';
import { ExchangeRate, Money } from '../../ui/figures.tsx';
import classes from '../payment/payment.module.css';
import { CurrencyChoice } from '../shared/sending-inputs.tsx';
import {
  cutCvc,
  exampleAt,
  fixed696,
  groupExpiry,
  groupNumber,
  inventedReference,
  problemsOf,
  simulatedCards,
} from './simulation.ts';

/** How long the pretended processing lasts (specification, section 9). */
const processingMs = 2000;
const blank = { number: '', expiry: '', cvc: '' };

/** A card form that pays nothing: no call is made, nothing leaves the page, and it says so. */
export function Simulator() {
  const [search] = useSearchParams();
  const [{ amount, currency }, setDraft] = useState<{ amount: string; currency: SendCurrency }>(
    () => readSendingPath(search) ?? { amount: '100', currency: 'USD' },
  );
  const [card, setCard] = useState(blank);
  const [asked, setAsked] = useState(false);
  const [state, setState] = useState<'form' | 'processing' | 'declined' | { reference: string }>('form');
  const processing = state === 'processing';
  useEffect(() => {
    if (!processing) return;
    const timer = window.setTimeout(() => {
      const declined = card.number === simulatedCards.decline;
      setState(declined ? 'declined' : { reference: inventedReference(crypto.getRandomValues(new Uint32Array(1))) });
    }, processingMs);
    return () => window.clearTimeout(timer);
  }, [processing, card.number]);
  if (typeof state === 'object')
    return (
      <Done
        reference={state.reference}
        arrives={exampleAt(fixed696, amount, currency)}
        onAgain={() => {
          setCard(blank);
          setAsked(false);
          setState('form');
        }}
      />
    );
  const enough = (parseMinor(amount) ?? 0n) >= minimumMinor;
  const problems = asked ? problemsOf(card) : {};
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (processing) return;
    if (!enough) return toastError(t`Monto inválido`, belowMinimum());
    setAsked(true);
    if (Object.keys(problemsOf(card)).length > 0) return focusFirstProblem(event);
    setState('processing');
  };
  const set = (field: keyof typeof blank, format: (text: string) => string) => ({
    value: card[field],
    onChange: (event: { currentTarget: { value: string } }) => {
      const value = format(event.currentTarget.value);
      setCard((before) => ({ ...before, [field]: value }));
    },
    error: problems[field],
    inputMode: 'numeric' as const,
    // Browsers shall not offer anybody's real card.
    autoComplete: 'off',
    disabled: processing,
    'data-testid': `demo-${field}`,
  });
  const arrives = exampleAt(fixed696, amount, currency);
  const paid = formatAmount(plain(amount), currency);
  return (
    <div className={classes.frame} data-arrangement="beside">
      <Card component="section" aria-labelledby="simulator-form">
        <Title order={2} id="simulator-form" mb="md">
          <Trans>Tarjeta simulada</Trans>
        </Title>
        <form noValidate onSubmit={submit}>
          <Stack>
            <AmountInput
              label={t`Monto a enviar`}
              value={amount}
              onChange={(next) => setDraft({ amount: next, currency })}
              error={amount === '' || enough ? null : belowMinimum()}
              testid="demo-amount"
            />
            <CurrencyChoice
              value={currency}
              onChange={(next) => setDraft({ amount, currency: next })}
              testid="demo-currency"
            />
            <TextInput label={t`Número de tarjeta`} placeholder="4242 4242 4242 4242" {...set('number', groupNumber)} />
            <Group grow align="flex-start">
              <TextInput label={t`Vencimiento`} placeholder={t`MM/AA`} {...set('expiry', groupExpiry)} />
              <PasswordInput
                label="CVC"
                placeholder="123"
                visibilityToggleButtonProps={{ 'aria-label': t`Mostrar u ocultar el código` }}
                {...set('cvc', cutCvc)}
              />
            </Group>
            {state === 'declined' && (
              <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="demo-declined">
                <Trans>La tarjeta simulada fue rechazada. Prueba con la que se acepta.</Trans>
              </Alert>
            )}
            <Button
              type="submit"
              size="lg"
              fullWidth
              {...((!enough || processing) && { 'data-disabled': true, 'aria-disabled': true })}
              data-testid="demo-submit"
            >
              {processing ? <Trans>Procesando pago...</Trans> : <Trans>Simular pago de {paid}</Trans>}
            </Button>
          </Stack>
        </form>
      </Card>
      <section className={classes.aside} aria-labelledby="simulator-about">
        <Stack>
          <Title order={2} fz="h3" id="simulator-about">
            <Trans>Tarjetas de prueba</Trans>
          </Title>
          <CardLine number={simulatedCards.success}>{t`Se acepta`}</CardLine>
          <CardLine number={simulatedCards.decline}>{t`Se rechaza`}</CardLine>
          <Text c="dimmed" fz="sm">
            <Trans>Cualquier fecha y cualquier código de tres cifras.</Trans>
          </Text>
          <div className={classes.demonstration} data-testid="pay-demonstration">
            <Text component="div" className={classes.pair}>
              <span>
                <Trans>Tasa fija de demostración</Trans>
              </span>
              <ExchangeRate rate={fixed696.rate} currency={currency} />
            </Text>
            <Text component="div" className={classes.pair}>
              <span>
                <Trans>Recibiría</Trans>
              </span>
              <span className="cq-num">{arrives === null ? '—' : <Money amount={arrives} currency="BOB" />}</span>
            </Text>
            <Text fz="sm">
              <Trans>Ejemplo sin comisión, a una tasa que no es la de hoy.</Trans>
            </Text>
          </div>
        </Stack>
      </section>
    </div>
  );
}

/** The amount with its two decimals, for writing it. */
function plain(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  return `${whole || '0'}.${fraction.padEnd(2, '0')}`;
}

function CardLine({ number, children }: { number: string; children: string }) {
  return (
    <div className={classes.pair}>
      <Text component="span" fw={600} className="cq-num">
        {number}
      </Text>
      <Text component="span">{children}</Text>
    </div>
  );
}

function Done(props: { reference: string; arrives: string | null; onAgain: () => void }) {
  return (
    <div className={classes.frame} data-arrangement="steps">
      <Card>
        <Stack align="center" ta="center" data-testid="demo-success">
          <IconCircleCheckFilled size={64} color="var(--cq-good)" aria-hidden />
          <div role="status">
            <Title order={2}>
              <Trans>Pago simulado con éxito</Trans>
            </Title>
          </div>
          {props.arrives && (
            <Text>
              <Trans>
                Con la tasa de demostración habrían llegado <Money amount={props.arrives} currency="BOB" />
              </Trans>
            </Text>
          )}
          <div>
            <Text c="dimmed" fz="sm">
              <Trans>Referencia inventada</Trans>
            </Text>
            <Text className={`${classes.reference} cq-num`} data-testid="demo-reference">
              {props.reference}
            </Text>
          </div>
          <Alert icon={<IconFlask aria-hidden />} color="sun" ta="left" w="100%">
            <Trans>No se cobró nada y no se envió nada: esta página es un simulador.</Trans>
          </Alert>
          <div className={classes.choices}>
            <Button variant="default" onClick={props.onAgain} data-testid="demo-again">
              <Trans>Hacer otra remesa</Trans>
            </Button>
            <Button component={Link} to={paths.dashboard} data-testid="demo-panel">
              <Trans>Ir al panel</Trans>
            </Button>
          </div>
        </Stack>
      </Card>
    </div>
  );
}
