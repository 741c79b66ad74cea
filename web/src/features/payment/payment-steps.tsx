import { Alert, Button, Center, Group, Loader, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { transferAddress } from '#core/contracts/page-addresses';
import type { Offer, PreparedPayment } from '../../data/payments.ts';
import { transferQuery } from '../../data/transfers.ts';
import { isSignedOut } from '../../lib/http.ts';
import { useHoldPage } from '../../lib/open-payment.ts';
import { loginLeadingTo } from '../../lib/paths.ts';
import { CardForm } from './card-form.tsx';
import type { PaymentMessages } from './payment-messages.ts';
import type { PaymentStyle } from './payment-style.ts';
import { RateChanged } from './rate-changed.tsx';
import type { Payment, PaymentStep } from './use-payment.ts';

interface Props {
  payment: Payment;
  offer: Offer;
  style: PaymentStyle;
  messages: PaymentMessages;
  onBusy: (busy: boolean) => void;
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

/** What the person sees of one payment, step by step; the dialog and every page are frames around it. */
export function PaymentSteps(props: Props) {
  const { payment, offer, style, messages, onCancel } = props;
  const { step } = payment;
  const [asking, setAsking] = useState(false);
  useHoldPage(asking || afterCard.has(step.name));
  const onBusy = (busy: boolean) => {
    setAsking(busy);
    props.onBusy(busy);
  };
  switch (step.name) {
    case 'preparing':
      return <Waiting>{messages.preparing}</Waiting>;
    case 'recording':
      return <Waiting>{step.processing ? messages.processing : messages.recording}</Waiting>;
    case 'awaiting_webhook':
      return <AwaitingWebhook {...props} prepared={step.payment} />;
    case 'retry':
      return (
        <Problem
          title={messages.notPrepared}
          message={step.message}
          messages={messages}
          onRetry={props.onRetry ?? payment.retry}
          onCancel={onCancel}
        />
      );
    case 'refused':
      return <Refused message={step.message} messages={messages} onCancel={onCancel} />;
    case 'rate_changed':
      return (
        <RateChanged
          before={payment.accepted}
          after={step.offered}
          messages={messages}
          onAccept={() => payment.acceptQuote(step.offered)}
          onClose={onCancel}
        />
      );
    case 'form':
      return (
        <CardForm
          stripe={step.stripe}
          style={style}
          messages={messages}
          accepted={payment.accepted}
          payment={step.payment}
          recipient={offer.recipient}
          withoutFigures={props.withoutFigures ?? false}
          onChange={payment.changeTo}
          onOpen={() => payment.openNow(step.stripe)}
          onBusy={onBusy}
          onHeld={payment.record}
          onUnknown={payment.resolveUnknown}
          onLeave={props.onDone}
          onGone={payment.ranOut}
          {...(props.cancelInForm && { onCancel })}
        />
      );
    case 'paid':
      return props.success(step.payment);
    case 'not_made':
      return (
        <Problem
          title={messages.cardProblem}
          message={messages.notMade(step.status)}
          messages={messages}
          // Its payment takes another card, unless it is over.
          onRetry={step.status === 'requires_payment_method' ? payment.retry : payment.ranOut}
          onCancel={onCancel}
        />
      );
    case 'unrecorded':
      return <Unrecorded message={messages.unrecorded[step.gaveUp]} messages={messages} onDone={props.onDone} />;
    case 'unknown':
      return <Unrecorded message={messages.unknown} messages={messages} onDone={props.onDone} />;
    case 'session_ended':
      return <SessionEnded messages={messages} held={step.held} transferId={step.payment.transferId} />;
  }
}

/** From here on the card was asked: what became of it stays on screen, also when the session ends. */
const afterCard: ReadonlySet<PaymentStep['name']> = new Set([
  'recording',
  'awaiting_webhook',
  'paid',
  'not_made',
  'unrecorded',
  'unknown',
  'session_ended',
]);

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

const noticePollMs = 2000;

/** This browser confirms nothing: the transfer itself shows that the webhook was received, by push or refetch. */
function AwaitingWebhook({ payment, messages, prepared }: Props & { prepared: PreparedPayment }) {
  const { data, error } = useQuery({ ...transferQuery(prepared.transferId), refetchInterval: noticePollMs });
  const webhookReceived = data !== undefined && data.status !== 'awaiting_payment';
  const signedOut = isSignedOut(error);
  useEffect(() => {
    if (webhookReceived) payment.webhookReceived(prepared);
    else if (signedOut) payment.signedOut(prepared);
  }, [webhookReceived, signedOut, payment.webhookReceived, payment.signedOut, prepared]);
  return <Waiting>{messages.processing}</Waiting>;
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
