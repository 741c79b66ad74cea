import { Alert, Button, Center, Group, Loader, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo } from 'react';
import { Link, useBlocker } from 'react-router';
import { transferAddress } from '#core/contracts/page-addresses';
import type { Offer, PreparedPayment } from '../../data/payments.ts';
import { useHoldPage } from '../../lib/open-payment.ts';
import { loginLeadingTo } from '../../lib/paths.ts';
import { toastError } from '../../lib/toast.ts';
import { CardForm } from './card-form.tsx';
import { type CardMethod, paymentElement } from './card-method.tsx';
import type { PaymentMessages } from './payment-messages.ts';
import { canRetry, isAfterCard, mustStay, type PaymentState } from './payment-reducer.ts';
import { RateChanged, RateNotice } from './rate-notice.tsx';
import type { Payment } from './use-payment.ts';

interface Props {
  payment: Payment;
  offer: Offer;
  messages: PaymentMessages;
  method?: CardMethod;
  /** Back to choosing the amount. */
  onCancel: () => void;
  /** After a payment that was made, or may have been. */
  onDone: () => void;
  /** Where the frame around has no way out of its own, the card form gets a button. */
  cancelInForm?: boolean;
  withoutFigures?: boolean;
  /** Instead of asking the server again for the same payment. */
  onRetry?: () => void;
  /** The money is held and the transfer written down. */
  success: (payment: PreparedPayment) => ReactNode;
}

/** What the sender sees of one payment in each of its states; the dialog and every page are frames around it. */
export function PaymentScreens(props: Props) {
  const { payment, messages, onCancel } = props;
  const { state } = payment;
  useHoldPage(isAfterCard(state));
  useNoWayOut(mustStay(state));
  useToasts(state, messages);
  switch (state.name) {
    case 'opening':
      return <Waiting>{messages.preparing}</Waiting>;
    case 'not_opened': {
      const message =
        'message' in state.failure
          ? messages.failure(state.failure.code, state.failure.message)
          : messages.formNotLoaded;
      if (!canRetry(state.failure)) return <Refused message={message} messages={messages} onCancel={onCancel} />;
      return (
        <Problem
          title={messages.notPrepared}
          message={message}
          messages={messages}
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
          messages={messages}
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
      return <Waiting>{state.processing ? messages.processing : messages.recording}</Waiting>;
    case 'paid':
      return props.success(state.payment);
    case 'not_made':
      return (
        <Problem
          title={messages.cardProblem}
          message={messages.notMade(state.status)}
          messages={messages}
          onRetry={payment.retry}
          onCancel={onCancel}
        />
      );
    case 'not_recorded':
      return <Unrecorded message={messages.unrecorded[state.gaveUp]} messages={messages} onDone={props.onDone} />;
    case 'outcome_unknown':
      return <Unrecorded message={messages.unknown} messages={messages} onDone={props.onDone} />;
    case 'session_ended':
      return <SessionEnded messages={messages} held={state.held} transferId={state.payment.transferId} />;
  }
}

type FormState = Extract<PaymentState, { name: 'form' | 'confirming' | 'checking' }>;

function OpenForm({ payment, offer, messages, method = paymentElement, ...props }: Props & { state: FormState }) {
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
      messages={messages}
      quote={quote}
      recipient={offer.recipient}
      withoutFigures={props.withoutFigures ?? false}
      notice={<RateNotice accepted={quote} messages={messages} change={change} onChange={payment.changeTo} />}
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

function useToasts(state: PaymentState, messages: PaymentMessages): void {
  const notStarted = state.name === 'not_opened' && canRetry(state.failure) && state.failure.code !== 'unauthenticated';
  const renewed = state.name === 'opening' && state.expired;
  useEffect(() => {
    if (notStarted) toastError(...messages.notStarted);
  }, [notStarted, messages]);
  useEffect(() => {
    // The card has to be entered again.
    if (renewed) toastError(...messages.renewed);
  }, [renewed, messages]);
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
  messages: PaymentMessages;
  onCancel: () => void;
}

function Problem(props: ProblemProps & { title: string; onRetry: () => void }) {
  const { title, message, messages, onRetry, onCancel } = props;
  return (
    <Stack data-testid="pay-problem">
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
        {message}
      </Alert>
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {messages.cancel}
        </Button>
        <Button leftSection={<IconRefresh size={18} aria-hidden />} onClick={onRetry} data-testid="pay-retry">
          {messages.retry}
        </Button>
      </Group>
    </Stack>
  );
}

function Refused({ message, messages, onCancel }: ProblemProps) {
  return (
    <Stack>
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="pay-refused">
        {message}
      </Alert>
      <Group justify="flex-end">
        <Button onClick={onCancel}>{messages.change}</Button>
      </Group>
    </Stack>
  );
}

function SessionEnded({
  messages,
  held,
  transferId,
}: {
  messages: PaymentMessages;
  held: boolean;
  transferId: string;
}) {
  return (
    <Stack data-testid="pay-session-ended">
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={messages.sessionEnded.title} role="alert">
        {held ? messages.sessionEnded.held : messages.sessionEnded.unknown}
      </Alert>
      <Button component={Link} to={loginLeadingTo(transferAddress(transferId))} data-testid="pay-sign-in">
        {messages.sessionEnded.signIn}
      </Button>
    </Stack>
  );
}

function Unrecorded({ message, messages, onDone }: { message: string; messages: PaymentMessages; onDone: () => void }) {
  return (
    <Stack>
      <Alert color="sun" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="pay-unrecorded">
        {message}
      </Alert>
      <Text>{messages.unrecordedAdvice}</Text>
      <Button onClick={onDone}>{messages.backToPanel}</Button>
    </Stack>
  );
}
