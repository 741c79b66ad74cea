import { Alert, Button, Divider, Skeleton, Stack, Text, useComputedColorScheme } from '@mantine/core';
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Appearance, Stripe, StripeElementsOptions } from '@stripe/stripe-js';
import { IconAlertTriangle, IconLock } from '@tabler/icons-react';
import { type FormEvent, useMemo, useState } from 'react';
import { formatAmount } from '#core/format';
import { formatTime } from '../../lib/dates.ts';
import type { Offer } from '../../lib/offer.ts';
import { Breakdown, BreakdownLine } from '../../ui/breakdown.tsx';
import { confirmCard } from './card-payment.ts';
import type { PreparedPayment } from './use-payment.ts';

interface Props {
  stripe: Stripe;
  payment: PreparedPayment;
  recipient: Offer['recipient'];
  onBusy: (busy: boolean) => void;
  /** The card holds the money. */
  onHeld: () => void;
  /** The quote ran out and this payment cannot be made any more. */
  onGone: () => void;
}

/** The frozen quote and the provider's card form. The card's data go from the provider's fields to the provider only. */
export function CardForm(props: Props) {
  const { quote, clientSecret } = props.payment;
  const dark = useComputedColorScheme('light') === 'dark';
  const options = useMemo<StripeElementsOptions>(
    () => ({ clientSecret, locale: 'es', appearance: appearanceFor(dark) }),
    [clientSecret, dark],
  );
  return (
    <Stack>
      <Breakdown figures={quote}>
        <BreakdownLine label="Para">{props.recipient.name}</BreakdownLine>
      </Breakdown>
      <Text c="dimmed" fz="sm">
        Te guardamos esta tasa hasta las {formatTime(quote.expiresAt)}.
      </Text>
      <Divider />
      <Elements stripe={props.stripe} options={options}>
        <CardFields {...props} />
      </Elements>
    </Stack>
  );
}

function CardFields({ payment, onBusy, onHeld, onGone }: Props) {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const pay = async (event: FormEvent) => {
    event.preventDefault();
    if (!stripe || !elements || busy) return;
    setBusy(true);
    onBusy(true);
    setProblem(null);
    const outcome = await confirmCard(stripe, elements, payment.clientSecret);
    onBusy(false);
    if (outcome.kind === 'held') return onHeld();
    if (outcome.kind === 'gone') return onGone();
    setBusy(false);
    setProblem(outcome.sentence);
  };
  const { amount, currency } = payment.quote;
  return (
    <form onSubmit={pay}>
      <Stack>
        {!ready && <Skeleton height={180} />}
        <div style={ready ? undefined : { height: 0, overflow: 'hidden' }}>
          <PaymentElement
            options={{ layout: 'tabs' }}
            onReady={() => setReady(true)}
            onLoadError={() => {
              setReady(true);
              setProblem('No pudimos inicializar el servicio de pago. Por favor, intenta de nuevo.');
            }}
          />
        </div>
        {problem && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="pay-error">
            {problem} No se cobró nada.
          </Alert>
        )}
        <Button
          type="submit"
          size="lg"
          fullWidth
          disabled={!ready || busy}
          leftSection={<IconLock size={20} aria-hidden />}
          data-testid="pay-submit"
        >
          {busy ? 'Procesando pago...' : `Pagar ${formatAmount(amount, currency)}`}
        </Button>
      </Stack>
    </form>
  );
}

/** Our look for the provider's fields, which know none of our variables. */
function appearanceFor(dark: boolean): Appearance {
  return {
    theme: dark ? 'night' : 'stripe',
    variables: {
      fontFamily: "'Figtree Variable', system-ui, sans-serif",
      fontSizeBase: '16px',
      borderRadius: '10px',
      colorPrimary: dark ? '#6fd6a0' : '#0b6b43',
      colorBackground: dark ? '#1b273d' : '#ffffff',
      colorText: dark ? '#e9edf5' : '#14213d',
      colorTextSecondary: dark ? '#a9b4c8' : '#5d574b',
      colorDanger: dark ? '#ff9d94' : '#b3231a',
    },
    rules: { '.Input': { border: `1px solid ${dark ? '#7f8ca5' : '#8f8674'}` } },
  };
}
