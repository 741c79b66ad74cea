import figtree from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url';
import { Alert, Button, Divider, Skeleton, Stack, Text, useComputedColorScheme } from '@mantine/core';
import { Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Appearance, Stripe, StripeElementsOptions } from '@stripe/stripe-js';
import { IconAlertTriangle, IconClockHour4, IconLock } from '@tabler/icons-react';
import { type ComponentType, type FormEvent, type ReactNode, useMemo, useState } from 'react';
import type { QuoteView } from '#core/contracts/http/rates';
import { type DisclosureFigures, disclosureOf } from '#core/transfers/disclosure';
import type { Offer } from '../../data/payments.ts';
import { DataItem, DataList } from '../../ui/data-list.tsx';
import { Breakdown, BreakdownLine } from '../shared/breakdown.tsx';
import type { CardFieldsProps } from './card-method.tsx';
import type { EnteredCard } from './card-payment.ts';
import classes from './payment.module.css';
import type { PaymentMessages } from './payment-messages.ts';
import type { CardProblem } from './payment-reducer.ts';

interface CardFormProps {
  stripe: Stripe;
  Fields: ComponentType<CardFieldsProps>;
  /** What the provider's fields are made for. They begin anew with another object of it. */
  fieldsFor: StripeElementsOptions;
  messages: PaymentMessages;
  /** What is paid and what arrives. */
  quote: QuoteView;
  recipient: Offer['recipient'];
  /** The page shows the figures by itself. */
  withoutFigures?: boolean;
  /** How the rate stands, between the figures and the card. */
  notice?: ReactNode;
  /** Why the last card was not accepted. */
  problem: CardProblem | null;
  /** The card is being asked. */
  busy: boolean;
  /** Nobody knows yet what became of the payment. */
  checking: boolean;
  /** Paying has to wait for something else. */
  locked?: boolean;
  onSubmit: (card: EnteredCard) => void;
  onLoadError: () => void;
  /** Away from the page while it is not known what became of the payment. */
  onLeave: () => void;
  /** A button beside the one that pays, where the page has no other way out. */
  onCancel?: () => void;
}

/** The quote and the provider's card form. The card's data go from the provider's fields to the provider only. */
export function CardForm(props: CardFormProps) {
  const { quote, messages, recipient, fieldsFor } = props;
  const dark = useComputedColorScheme('light') === 'dark';
  const { locale } = messages;
  const options = useMemo(
    () => ({ locale, fonts: ourFonts(), appearance: appearanceFor(dark), ...fieldsFor }) as StripeElementsOptions,
    [locale, dark, fieldsFor],
  );
  return (
    <Stack>
      {!props.withoutFigures && (
        <Breakdown figures={quote} labels={messages.breakdown}>
          {recipient && <BreakdownLine label={messages.recipient}>{recipient.name}</BreakdownLine>}
        </Breakdown>
      )}
      {props.notice}
      {!props.withoutFigures && <Divider />}
      <Elements stripe={props.stripe} options={options}>
        <EnterCard {...props} dark={dark} />
      </Elements>
    </Stack>
  );
}

function EnterCard(props: CardFormProps & { dark: boolean }) {
  const { Fields, messages, quote, problem, busy, checking, locked = false } = props;
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  const pay = (event: FormEvent) => {
    event.preventDefault();
    if (stripe && elements && ready && !busy && !locked) props.onSubmit({ stripe, elements });
  };
  return (
    <form onSubmit={pay}>
      <Stack>
        {!ready && <Skeleton height={180} />}
        <div style={ready ? undefined : { height: 0, overflow: 'hidden' }}>
          <Fields dark={props.dark} onReady={() => setReady(true)} onLoadError={props.onLoadError} />
        </div>
        {problem && (
          <Alert
            color="red"
            icon={<IconAlertTriangle aria-hidden />}
            title={messages.cardProblem}
            role="alert"
            data-testid="pay-error"
          >
            {withFullStop(problem.message ?? messages.problem[problem.code])} {messages.nothingCharged}
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
        <Disclosure figures={quote} />
        <div className={classes.actions}>
          {props.onCancel && (
            <Button variant="default" size="lg" onClick={props.onCancel} disabled={busy} data-testid="pay-cancel">
              {messages.cancel}
            </Button>
          )}
          <Button
            type="submit"
            size="lg"
            disabled={!ready || locked}
            // Disabled it would lose the focus, which a declined card then has to find again.
            {...(busy && { 'data-disabled': true, 'aria-disabled': true })}
            leftSection={<IconLock size={20} aria-hidden />}
            data-testid="pay-submit"
          >
            {busy ? messages.paying : messages.pay(messages.breakdown.money(quote.amount, quote.currency))}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

const withFullStop = (message: string) => (/[.!?]$/.test(message) ? message : `${message}.`);

let fonts: StripeElementsOptions['fonts'];
/** Our font for the provider's frame, which has none of the page's. One object for all forms: another one would be a change. */
function ourFonts() {
  const src = `url(${new URL(figtree, window.location.href).href})`;
  fonts ??= [{ family: 'Figtree Variable', src, weight: '300 900' }];
  return fonts;
}

/** Our look for the provider's fields, which know none of our variables. */
export function appearanceFor(dark: boolean): Appearance {
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

/** What the law wants a sender to read before paying, in both languages side by side, below each other on a phone. */
function Disclosure({ figures }: { figures: DisclosureFigures }) {
  return (
    <div className={classes.languages} data-testid="pay-disclosure">
      {disclosureOf(figures).map(({ language, title, lines }) => (
        <section key={language} lang={language} aria-label={title}>
          <Text fw={600} mb={4}>
            {title}
          </Text>
          <DataList values="end">
            {lines.map(([term, value]) => (
              <DataItem key={term} label={term}>
                <b className="cq-num">{value}</b>
              </DataItem>
            ))}
          </DataList>
        </section>
      ))}
    </div>
  );
}
