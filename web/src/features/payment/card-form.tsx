import { Alert, Button, Divider, Skeleton, Stack, useComputedColorScheme } from '@mantine/core';
import { CardElement, Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Appearance, Stripe, StripeElementsOptions } from '@stripe/stripe-js';
import { IconAlertTriangle, IconClockHour4, IconLock } from '@tabler/icons-react';
import { type FormEvent, useMemo, useState } from 'react';
import type { QuoteView } from '#core/contracts/http/rates';
import { parseMinor } from '#core/money/money';
import type { Offer, PreparedPayment } from '../../data/payments.ts';
import { Breakdown, BreakdownLine } from '../../ui/breakdown.tsx';
import { confirmCard, type FoundOutcome } from './card-payment.ts';
import { Disclosure } from './disclosure.tsx';
import classes from './payment.module.css';
import type { PaymentMessages } from './payment-messages.ts';
import type { PaymentStyle } from './payment-style.ts';
import { RateNotice } from './rate-notice.tsx';

interface Props {
  stripe: Stripe;
  style: PaymentStyle;
  messages: PaymentMessages;
  /** What the person accepted; the frozen quote of `payment` says the same. */
  accepted: QuoteView;
  /** Null until the person presses pay, where the style opens it only then. */
  payment: PreparedPayment | null;
  recipient: Offer['recipient'];
  /** The page shows the figures by itself. */
  withoutFigures?: boolean;
  /** Goes over to a payment with a better quote. @returns why that was not possible, or null. */
  onChange: (quote: QuoteView) => Promise<string | null>;
  onOpen: () => Promise<PreparedPayment | null>;
  onBusy: (busy: boolean) => void;
  /** The card holds the money. */
  onHeld: (payment: PreparedPayment) => void;
  /** Finds out what became of a payment whose answer got lost; what the page itself shows next is answered as `null`. */
  onUnknown: (payment: PreparedPayment) => Promise<FoundOutcome | null>;
  /** Away from the page while that is not known. */
  onLeave: () => void;
  /** The quote ran out and this payment cannot be made any more. */
  onGone: () => void;
  /** A button beside the one that pays, where the page has no other way out. */
  onCancel?: () => void;
}

/** The frozen quote and the provider's card form. The card's data go from the provider's fields to the provider only. */
export function CardForm(props: Props) {
  const { payment, accepted, style, messages, recipient } = props;
  const dark = useComputedColorScheme('light') === 'dark';
  // Once mounted, the fields keep what they were made with: a payment opened on submit does not begin them anew.
  const [clientSecret] = useState(payment?.clientSecret);
  const { amount, currency } = accepted;
  const options = useMemo<StripeElementsOptions>(() => {
    const base = { locale: messages.locale, appearance: appearanceFor(dark) };
    if (style.element === 'card') return base;
    if (clientSecret) return { ...base, clientSecret };
    const minor = Number(parseMinor(amount));
    const card = { captureMethod: 'manual' as const, allowedPaymentMethodTypes: ['card'] };
    return { ...base, mode: 'payment', amount: minor, currency: currency.toLowerCase(), ...card };
  }, [clientSecret, dark, messages, style, amount, currency]);
  // Of asking the card and changing the payment only one happens at a time.
  const [asking, setAsking] = useState(false);
  const [changing, setChanging] = useState(false);
  const watchBusy = (busy: boolean) => {
    setAsking(busy);
    props.onBusy(busy);
  };
  const change = async (quote: QuoteView) => {
    setChanging(true);
    const problem = await props.onChange(quote);
    setChanging(false);
    return problem;
  };
  return (
    <Stack>
      {!props.withoutFigures && (
        <Breakdown figures={payment?.quote ?? accepted} labels={messages.breakdown}>
          {recipient && <BreakdownLine label={messages.recipient}>{recipient.name}</BreakdownLine>}
        </Breakdown>
      )}
      {payment && <RateNotice payment={payment} messages={messages} locked={asking} onChange={change} />}
      {!props.withoutFigures && <Divider />}
      <Elements stripe={props.stripe} options={options}>
        <CardFields {...props} changing={changing} onBusy={watchBusy} />
      </Elements>
    </Stack>
  );
}

function CardFields(props: Props & { changing: boolean }) {
  const { style, messages, accepted, payment } = props;
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  const [busy, setBusy] = useState(false);
  const [checking, setChecking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const pay = async (event: FormEvent) => {
    event.preventDefault();
    if (!stripe || !elements || busy || props.changing) return;
    setBusy(true);
    props.onBusy(true);
    setProblem(null);
    let opened = payment;
    const secret = async () => {
      opened ??= await props.onOpen();
      return opened?.clientSecret ?? null;
    };
    const outcome = await confirmCard({ stripe, elements, secret, style, messages });
    let kind: typeof outcome.kind | null = outcome.kind;
    if (kind === 'unknown' && opened) {
      setChecking(true);
      kind = await props.onUnknown(opened);
      setChecking(false);
    }
    props.onBusy(false);
    if (kind === 'held' && opened) return props.onHeld(opened);
    if (kind === 'gone') return props.onGone();
    setBusy(false);
    if (kind === 'declined' && 'message' in outcome) setProblem(outcome.message);
  };
  const dark = useComputedColorScheme('light') === 'dark';
  // The older element knows no appearance, only a style of its own.
  const cardOptions = useMemo(() => {
    const { colorText, colorTextSecondary, colorDanger } = appearanceFor(dark).variables ?? {};
    const base = { fontSize: '16px', color: colorText ?? '', '::placeholder': { color: colorTextSecondary ?? '' } };
    return { hidePostalCode: true, style: { base, invalid: { color: colorDanger ?? '' } } };
  }, [dark]);
  const settings = {
    onReady: () => setReady(true),
    onLoadError: () => {
      setReady(true);
      setProblem(messages.formNotLoaded);
    },
  };
  return (
    <form onSubmit={pay}>
      <Stack>
        {!ready && <Skeleton height={180} />}
        <div style={ready ? undefined : { height: 0, overflow: 'hidden' }}>
          {style.element === 'card' ? (
            <CardElement options={cardOptions} {...settings} />
          ) : (
            <PaymentElement options={{ layout: 'tabs' }} {...settings} />
          )}
        </div>
        {problem && (
          <Alert
            color="red"
            icon={<IconAlertTriangle aria-hidden />}
            title={messages.cardProblem}
            role="alert"
            data-testid="pay-error"
          >
            {withFullStop(problem)} {messages.nothingCharged}
          </Alert>
        )}
        {checking && (
          <Alert
            color="yellow"
            icon={<IconClockHour4 aria-hidden />}
            title={messages.checking.title}
            role="alert"
            data-testid="pay-checking"
          >
            <Stack gap="sm" align="flex-start">
              {messages.checking.message}
              <Button size="sm" variant="default" onClick={props.onLeave}>
                {messages.backToPanel}
              </Button>
            </Stack>
          </Alert>
        )}
        <Disclosure figures={payment?.quote ?? accepted} />
        <div className={classes.actions}>
          {props.onCancel && (
            <Button variant="default" size="lg" onClick={props.onCancel} disabled={busy} data-testid="pay-cancel">
              {messages.cancel}
            </Button>
          )}
          <Button
            type="submit"
            size="lg"
            disabled={!ready || busy || props.changing}
            leftSection={<IconLock size={20} aria-hidden />}
            data-testid="pay-submit"
          >
            {busy ? messages.paying : messages.pay(messages.breakdown.money(accepted.amount, accepted.currency))}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

const withFullStop = (message: string) => (/[.!?]$/.test(message) ? message : `${message}.`);

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
