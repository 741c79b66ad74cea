import { Alert, Button, Center, Group, Loader, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { isSignedOut } from '../../lib/http.ts';
import type { Offer, PreparedPayment } from '../../lib/offer.ts';
import { useHoldPage } from '../../lib/open-payment.ts';
import { loginLeadingTo, transferPath } from '../../lib/paths.ts';
import { transferQuery } from '../../lib/transfers.ts';
import { CardForm } from './card-form.tsx';
import type { PaymentStyle } from './payment-style.ts';
import type { PaymentWords } from './payment-words.ts';
import { RateChanged } from './rate-changed.tsx';
import type { Payment, PaymentStep } from './use-payment.ts';

interface Props {
  payment: Payment;
  offer: Offer;
  style: PaymentStyle;
  words: PaymentWords;
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
  const { payment, offer, style, words, onCancel } = props;
  const { step } = payment;
  const [asking, setAsking] = useState(false);
  useHoldPage(asking || afterCard.has(step.name));
  const onBusy = (busy: boolean) => {
    setAsking(busy);
    props.onBusy(busy);
  };
  switch (step.name) {
    case 'preparing':
      return <Waiting>{words.preparing}</Waiting>;
    case 'recording':
      return <Waiting>{step.processing ? words.processing : words.recording}</Waiting>;
    case 'awaiting_notice':
      return <AwaitingNotice {...props} prepared={step.payment} />;
    case 'retry':
      return (
        <Problem
          title={words.notPrepared}
          sentence={step.sentence}
          words={words}
          onRetry={props.onRetry ?? payment.retry}
          onCancel={onCancel}
        />
      );
    case 'refused':
      return <Refused sentence={step.sentence} words={words} onCancel={onCancel} />;
    case 'rate_changed':
      return (
        <RateChanged
          before={payment.accepted}
          after={step.offered}
          words={words}
          onAccept={() => payment.acceptQuote(step.offered)}
          onClose={onCancel}
        />
      );
    case 'form':
      return (
        <CardForm
          stripe={step.stripe}
          style={style}
          words={words}
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
          title={words.cardProblem}
          sentence={words.notMade(step.status)}
          words={words}
          // Its payment takes another card, unless it is over.
          onRetry={step.status === 'requires_payment_method' ? payment.retry : payment.ranOut}
          onCancel={onCancel}
        />
      );
    case 'unrecorded':
      return <Unrecorded sentence={words.unrecorded[step.gaveUp]} words={words} onDone={props.onDone} />;
    case 'unknown':
      return <Unrecorded sentence={words.unknown} words={words} onDone={props.onDone} />;
    case 'session_ended':
      return <SessionEnded words={words} held={step.held} transferId={step.payment.transferId} />;
  }
}

/** From here on the card was asked: what became of it stays on screen, also when the session ends. */
const afterCard: ReadonlySet<PaymentStep['name']> = new Set([
  'recording',
  'awaiting_notice',
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

/** Nothing is told from here: the transfer's own news says when the provider's notice has come, by push or when asked. */
function AwaitingNotice({ payment, words, prepared }: Props & { prepared: PreparedPayment }) {
  const { data, error } = useQuery({ ...transferQuery(prepared.transferId), refetchInterval: noticePollMs });
  const noticed = data !== undefined && data.status !== 'awaiting_payment';
  const signedOut = isSignedOut(error);
  useEffect(() => {
    if (noticed) payment.noticed(prepared);
    else if (signedOut) payment.signedOut(prepared);
  }, [noticed, signedOut, payment.noticed, payment.signedOut, prepared]);
  return <Waiting>{words.processing}</Waiting>;
}

interface ProblemProps {
  sentence: string;
  words: PaymentWords;
  onCancel: () => void;
}

function Problem(props: ProblemProps & { title: string; onRetry: () => void }) {
  const { title, sentence, words, onRetry, onCancel } = props;
  return (
    <Stack data-testid="pay-problem">
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
        {sentence}
      </Alert>
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {words.cancel}
        </Button>
        <Button leftSection={<IconRefresh size={18} aria-hidden />} onClick={onRetry} data-testid="pay-retry">
          {words.retry}
        </Button>
      </Group>
    </Stack>
  );
}

function Refused({ sentence, words, onCancel }: ProblemProps) {
  return (
    <Stack>
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="pay-refused">
        {sentence}
      </Alert>
      <Group justify="flex-end">
        <Button onClick={onCancel}>{words.change}</Button>
      </Group>
    </Stack>
  );
}

function SessionEnded({ words, held, transferId }: { words: PaymentWords; held: boolean; transferId: string }) {
  return (
    <Stack data-testid="pay-session-ended">
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={words.sessionEnded.title} role="alert">
        {held ? words.sessionEnded.held : words.sessionEnded.unknown}
      </Alert>
      <Button component={Link} to={loginLeadingTo(transferPath(transferId))} data-testid="pay-sign-in">
        {words.sessionEnded.signIn}
      </Button>
    </Stack>
  );
}

function Unrecorded({ sentence, words, onDone }: { sentence: string; words: PaymentWords; onDone: () => void }) {
  return (
    <Stack>
      <Alert color="sun" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="pay-unrecorded">
        {sentence}
      </Alert>
      <Text>{words.unrecordedAdvice}</Text>
      <Button onClick={onDone}>{words.backToPanel}</Button>
    </Stack>
  );
}
