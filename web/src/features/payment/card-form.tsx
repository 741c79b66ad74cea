import figtree from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Skeleton, Stack, Text, useComputedColorScheme } from '@mantine/core';
import { Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Appearance, Stripe, StripeElementsOptions } from '@stripe/stripe-js';
import { IconAlertTriangle, IconClockHour4, IconLock } from '@tabler/icons-react';
import { type ComponentType, type FormEvent, lazy, type ReactNode, useMemo, useState } from 'react';
import type { QuoteView } from '#core/contracts/http/rates';
import type { Offer } from '../../data/payments.ts';
import { formatAmount } from '../../lib/format/money.ts';
import { language, otherLanguage } from '../../lib/language.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import type { CardFieldsProps } from './card-method.tsx';
import type { EnteredCard } from './card-payment.ts';
import type { PaymentWords } from './checkout-plan.ts';
import { Disclosure } from './disclosure.tsx';
import classes from './payment.module.css';
import type { CardProblem } from './payment-reducer.ts';

/** Who takes the money; the foot of every page has loaded its file. */
const CompanyNotice = lazy(() => import('../shared/company-notice.tsx'));

interface CardFormProps {
  stripe: Stripe;
  Fields: ComponentType<CardFieldsProps>;
  /** What the provider's fields are made for. They begin anew with another object of it. */
  fieldsFor: StripeElementsOptions;
  words: PaymentWords;
  /** What is paid and what arrives. */
  quote: QuoteView;
  recipient: Offer['recipient'];
  /** What is paid and what arrives stands beside the form, in the language of the page. */
  figuresBeside?: boolean;
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
  const { quote, recipient, fieldsFor } = props;
  const dark = useComputedColorScheme('light') === 'dark';
  const locale = language();
  const options = useMemo(
    () => ({ locale, fonts: ourFonts(), appearance: appearanceFor(dark), ...fieldsFor }) as StripeElementsOptions,
    [locale, dark, fieldsFor],
  );
  return (
    <Stack>
      {!props.figuresBeside && <Disclosure figures={quote} in={locale} recipient={recipient} />}
      {props.notice}
      <Elements stripe={props.stripe} options={options}>
        <EnterCard {...props} dark={dark} />
      </Elements>
    </Stack>
  );
}

function EnterCard(props: CardFormProps & { dark: boolean }) {
  const { Fields, words, quote, problem, busy, checking, locked = false } = props;
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  const amount = formatAmount(quote.amount, quote.currency);
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
        <CashAdvanceNotice />
        {problem && (
          <Alert
            color="red"
            icon={<IconAlertTriangle aria-hidden />}
            title={t`Ocurrió un error al procesar el pago`}
            role="alert"
            data-testid="pay-error"
          >
            {withFullStop(problem.message ?? problemText(problem.code))} <Trans>No se cobró nada.</Trans>
          </Alert>
        )}
        {checking && (
          <Alert
            color="yellow"
            icon={<IconClockHour4 aria-hidden />}
            title={t`Comprobando tu pago`}
            role="alert"
            data-testid="pay-checking"
          >
            <Stack gap="sm" align="flex-start">
              <Trans>
                Se perdió la respuesta de tu tarjeta y no sabemos si aceptó. No pagues otra vez: lo comprobamos en
                cuanto haya conexión.
              </Trans>
              <Button size="sm" variant="default" onClick={props.onLeave}>
                <Trans>Volver al panel</Trans>
              </Button>
            </Stack>
          </Alert>
        )}
        <Disclosure figures={quote} in={otherLanguage()} />
        <LazyPart missing={null}>
          <CompanyNotice small />
        </LazyPart>
        <div className={classes.actions}>
          {props.onCancel && (
            <Button variant="default" size="lg" onClick={props.onCancel} disabled={busy} data-testid="pay-cancel">
              <Trans>Cancelar</Trans>
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
            {busy ? t`Procesando pago...` : words.pay(amount)}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

/**
 * Issuers may book a transfer of money that is paid by credit card as a cash advance, with a fee and interest of their own. Whether a card is
 * one of credit is known only once it has been asked, so everybody is told before.
 */
function CashAdvanceNotice() {
  return (
    <details className={classes.advance} data-testid="pay-cash-advance">
      <summary>
        <Trans>Si es tarjeta de crédito, tu banco puede cobrarlo como adelanto de efectivo; con débito no pasa.</Trans>
      </summary>
      <Text fz="sm" c="dimmed" mt={4}>
        <Trans>
          Un adelanto de efectivo lleva la comisión y los intereses de tu banco desde el primer día. Nosotros no los
          cobramos ni los vemos. Para evitarlo paga con débito, o pregunta antes a tu banco cómo cobra los envíos de
          dinero.
        </Trans>
      </Text>
    </details>
  );
}

/** What was wrong with the card, where the provider has no message for its holder. */
function problemText(code: CardProblem['code']): string {
  switch (code) {
    case 'declined':
      return t`Error en el pago`;
    case 'unexpected':
      return t`Ocurrió un error inesperado`;
    case 'form_broke':
      return t`Ocurrió un error inesperado. Por favor, inténtalo de nuevo.`;
  }
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
