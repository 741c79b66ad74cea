import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Center, Group, Loader, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { lazy, type ReactNode, useEffect, useEffectEvent, useMemo } from 'react';
import { Link, useBlocker } from 'react-router';
import { transferAddress } from '#core/contracts/page-addresses';
import type { Offer, PreparedPayment } from '../../data/payments.ts';
import { useHoldPage } from '../../lib/document.ts';
import { loginLeadingTo } from '../../lib/paths.ts';
import { clearToasts, toastError } from '../../lib/toast.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { CardForm } from './card-form.tsx';
import { type CardMethod, paymentElement } from './card-method.tsx';
import { failureText, type PaymentWords } from './checkout-plan.ts';
import { canRetry, isAfterCard, mustStay, type PaymentState } from './payment-reducer.ts';
import { RateChanged, RateNotice } from './rate-notice.tsx';
import type { Payment } from './use-payment.ts';

// Few payments are refused for good: it comes when it is needed.
const Refused = lazy(() => import('./refused.tsx'));

interface Props {
  payment: Payment;
  offer: Offer;
  words: PaymentWords;
  method?: CardMethod;
  /** Back to choosing the amount. */
  onCancel: () => void;
  /** After a payment that was made, or may have been. */
  onDone: () => void;
  /** Where the frame around has no way out of its own, the card form gets a button. */
  cancelInForm?: boolean;
  /** What is paid and what arrives stands beside the card form, in the language of the page. */
  figuresBeside?: boolean;
  /** Instead of asking the server again for the same payment. */
  onRetry?: () => void;
  /** The money is held and the transfer written down. */
  success: (payment: PreparedPayment) => ReactNode;
}

/** What the sender sees of one payment in each of its states; the dialog and every page are frames around it. */
export function PaymentScreens(props: Props) {
  const { payment, offer, words, onCancel } = props;
  const { state } = payment;
  useHoldPage(isAfterCard(state));
  useNoWayOut(mustStay(state));
  useToasts(state, words);
  switch (state.name) {
    case 'opening':
      return <Waiting>{t`Preparando tu pago...`}</Waiting>;
    case 'not_opened': {
      const message = failureText(state.failure);
      if (!canRetry(state.failure))
        return (
          <LazyPart
            missing={
              <Alert color="red" role="alert">
                {message}
              </Alert>
            }
          >
            <Refused
              message={message}
              failure={state.failure}
              recipientId={offer.recipient?.id ?? null}
              onCancel={onCancel}
            />
          </LazyPart>
        );
      return (
        <Problem
          title={words.notPrepared}
          message={message}
          onRetry={props.onRetry ?? payment.retry}
          onCancel={onCancel}
        />
      );
    }
    case 'rate_changed':
      return (
        <RateChanged
          before={state.accepted.quote}
          after={state.offered}
          onAccept={payment.acceptQuote}
          onClose={onCancel}
        />
      );
    case 'form':
    case 'confirming':
    case 'checking':
      // The same fields for the whole of a payment: after a decline the sender goes on in them.
      return <OpenForm key={state.payment.paymentIntentId} {...props} state={state} />;
    case 'recording':
      return <Waiting>{state.processing ? words.processing : t`Registrando tu pago...`}</Waiting>;
    case 'paid':
      return props.success(state.payment);
    case 'not_made':
      return (
        <Problem
          title={t`Ocurrió un error al procesar el pago`}
          message={words.notMade(state.status)}
          onRetry={payment.retry}
          onCancel={onCancel}
        />
      );
    case 'not_recorded':
      return <Unrecorded message={words.unrecorded[state.gaveUp]} onDone={props.onDone} />;
    case 'outcome_unknown':
      return <Unrecorded message={t`No pudimos comprobar si tu tarjeta aceptó el pago.`} onDone={props.onDone} />;
    case 'session_ended':
      return <SessionEnded held={state.held} transferId={state.payment.transferId} />;
  }
}

type FormState = Extract<PaymentState, { name: 'form' | 'confirming' | 'checking' }>;

function OpenForm({ payment, offer, words, method = paymentElement, ...props }: Props & { state: FormState }) {
  const { state } = props;
  const { quote } = state.payment;
  const fieldsFor = useMemo(() => method.fieldsFor(state.payment), [method, state.payment]);
  const change = state.name === 'form' ? state.change : null;
  if (!payment.stripe) return null;
  return (
    <CardForm
      stripe={payment.stripe}
      Fields={method.Fields}
      fieldsFor={fieldsFor}
      words={words}
      quote={quote}
      recipient={offer.recipient}
      figuresBeside={props.figuresBeside ?? false}
      notice={<RateNotice accepted={quote} change={change} onChange={payment.changeTo} />}
      problem={state.name === 'form' ? state.problem : null}
      busy={state.name !== 'form'}
      checking={state.name === 'checking' || (state.name === 'confirming' && state.slow)}
      locked={change?.is === 'asking'}
      onSubmit={payment.submit}
      onLoadError={payment.failForm}
      onLeave={props.onDone}
      {...(props.cancelInForm && { onCancel: props.onCancel })}
    />
  );
}

/** Also the browser's back button leads nowhere while the card is asked. Closing a dialog by it is no change of the page. */
function useNoWayOut(closed: boolean): void {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => closed && nextLocation.key !== currentLocation.key);
  useEffect(() => {
    if (blocker.state === 'blocked') blocker.reset();
  }, [blocker]);
}

function useToasts(state: PaymentState, words: PaymentWords): void {
  const notStarted = state.name === 'not_opened' && canRetry(state.failure) && state.failure.code !== 'unauthenticated';
  const renewed = state.name === 'opening' && state.expired;
  const sayNotStarted = useEffectEvent(() => words.notStarted && toastError(...words.notStarted));
  useEffect(() => {
    if (notStarted) sayNotStarted();
  }, [notStarted]);
  useEffect(() => {
    if (!renewed) return;
    // The card has to be entered again.
    toastError(
      t`Tu tasa venció`,
      t`No se cobró nada. Preparamos el pago otra vez: revísalo y escribe tu tarjeta de nuevo.`,
      false,
    );
  }, [renewed]);
  // What is said of an earlier attempt would be wrong from here on.
  const asksCard = state.name === 'confirming';
  useEffect(() => {
    if (asksCard) clearToasts();
  }, [asksCard]);
}

function Waiting({ children }: { children: string }) {
  return (
    <Center mih={260} role="status">
      <Stack align="center">
        <Loader />
        <Text ta="center" data-testid="pay-waiting">
          {children}
        </Text>
      </Stack>
    </Center>
  );
}

interface ProblemProps {
  message: string;
  onCancel: () => void;
}

function Problem(props: ProblemProps & { title: string; onRetry: () => void }) {
  const { title, message, onRetry, onCancel } = props;
  return (
    <Stack data-testid="pay-problem">
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
        {message}
      </Alert>
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          <Trans>Cancelar</Trans>
        </Button>
        <Button leftSection={<IconRefresh size={18} aria-hidden />} onClick={onRetry} data-testid="pay-retry">
          <Trans>Reintentar</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

function SessionEnded({ held, transferId }: { held: boolean; transferId: string }) {
  return (
    <Stack data-testid="pay-session-ended">
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={t`Tu sesión terminó`} role="alert">
        {held ? (
          <Trans>
            Tu tarjeta aceptó y tu envío está a salvo: sigue su curso. No pagues otra vez. Inicia sesión de nuevo para
            seguirlo.
          </Trans>
        ) : (
          <Trans>
            Todavía no sabemos si tu tarjeta aceptó el pago. No pagues otra vez: inicia sesión de nuevo y mira cómo
            quedó tu envío.
          </Trans>
        )}
      </Alert>
      <Button component={Link} to={loginLeadingTo(transferAddress(transferId))} data-testid="pay-sign-in">
        <Trans>Iniciar sesión</Trans>
      </Button>
    </Stack>
  );
}

function Unrecorded({ message, onDone }: { message: string; onDone: () => void }) {
  return (
    <Stack>
      <Alert color="sun" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="pay-unrecorded">
        {message}
      </Alert>
      <Text>
        <Trans>
          No pagues otra vez. Seguimos comprobándolo por nuestra cuenta y tu envío aparecerá en tus transacciones.
        </Trans>
      </Text>
      <Button onClick={onDone}>
        <Trans>Volver al panel</Trans>
      </Button>
    </Stack>
  );
}
