import { Alert, Anchor, Button, NativeSelect, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPause, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { parseMinor } from '#core/money/money';
import { minimumMinor } from '#core/transfers/limits';
import type { Offer, OfferRecipient } from '../../data/payments.ts';
import { useQuote } from '../../data/quotes.ts';
import { ratesQuery } from '../../data/rates.ts';
import { useSession } from '../../data/session.ts';
import { birthDateProblem } from '../../lib/birth-date.ts';
import { focusFirstProblem } from '../../lib/form-failure.ts';
import { errorMessage } from '../../lib/http.ts';
import { paths } from '../../lib/paths.ts';
import { useSendingDraft } from '../../lib/sending-draft.ts';
import { toastError } from '../../lib/toast.ts';
import { AmountInput } from '../../ui/amount-input.tsx';
import { BirthDateInput } from '../../ui/birth-date-input.tsx';
import { Breakdown } from '../../ui/breakdown.tsx';
import { CurrencyChoice } from '../../ui/currency-choice.tsx';
import { type CheckoutMessages, limitText } from './checkout-messages.ts';
import type { CheckoutPlan, EnteredAmount } from './checkout-plan.ts';

interface Props {
  plan: CheckoutPlan;
  entered: EnteredAmount;
  onChange: (entered: EnteredAmount) => void;
  recipients?: readonly OfferRecipient[];
  visitor: boolean;
  asksBirthDate: boolean;
  /** With the quote the person was looking at. */
  onContinue: (offer: Offer) => void;
}

/** How much, what arrives for it today, and on to the payment. */
export function AmountStep(props: Props) {
  const { plan, entered, onChange, recipients, asksBirthDate } = props;
  const { messages } = plan;
  const { amount, currency } = entered;
  const { draft, change } = useSendingDraft(useSession().data?.user.id ?? null);
  const { birthDate, recipientId } = draft;
  const [asked, setAsked] = useState(false);
  const { quote, limits, error, retry } = useQuote(entered);
  const problem = problemOf(messages, entered, limits?.maximum ?? null);
  const birthProblem = asksBirthDate ? birthDateProblem(birthDate, new Date()) : null;
  const paused = useQuery(ratesQuery).data?.rates[currency].paused ?? false;
  const ready = quote !== null && problem === null && !paused;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (problem) return toastError(messages.invalid[0], problem);
    if (!quote || paused) return;
    setAsked(true);
    if (birthProblem) return focusFirstProblem(event);
    const recipient = recipients?.find(({ id }) => id === recipientId) ?? null;
    props.onContinue({ recipient, quote, birthDate: asksBirthDate ? birthDate : null });
  };
  const [terms, privacy] = [messages.terms[1], messages.terms[3]];
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <AmountInput
          label={messages.amount}
          value={amount}
          onChange={(next) => onChange({ amount: next, currency })}
          error={amount === '' ? null : problem}
          testid="pay-amount"
        />
        {plan.currencies === 'both' && (
          <CurrencyChoice
            value={currency}
            onChange={(next) => onChange({ amount, currency: next })}
            testid="pay-currency"
          />
        )}
        {recipients && recipients.length > 0 && (
          <NativeSelect
            label="Destinatario (opcional)"
            size="md"
            data={[
              { value: '', label: 'Lo elijo después de pagar' },
              ...recipients.map(({ id, name, bankName }) => ({ value: id, label: `${name} · ${bankName}` })),
            ]}
            value={recipientId}
            onChange={(event) => change({ recipientId: event.currentTarget.value })}
            data-testid="pay-recipient"
          />
        )}
        {asksBirthDate && (
          <BirthDateInput
            value={birthDate}
            onChange={(next) => change({ birthDate: next })}
            label={messages.birthDate[0]}
            description={messages.birthDate[1]}
            error={asked && birthProblem ? (messages.birthDateProblem ?? birthProblem) : null}
            testid="pay-birth-date"
          />
        )}
        {plan.example?.(entered)}
        {error ? (
          <QuoteProblem messages={messages} error={error} retry={retry} />
        ) : (
          <div aria-live="polite">
            <Breakdown figures={problem ? null : quote} blank={problem !== null} labels={messages.payment.breakdown} />
          </div>
        )}
        <div>
          {paused && (
            <Alert color="yellow" mb="sm" icon={<IconPlayerPause aria-hidden />} role="status" data-testid="pay-paused">
              {messages.paused}
            </Alert>
          )}
          <Button
            type="submit"
            fullWidth
            size="lg"
            // Not `disabled`: pressed all the same, it says what is wrong with the amount.
            {...(!ready && { 'data-disabled': true, 'aria-disabled': true })}
            data-testid="pay-continue"
          >
            {messages.continue}
          </Button>
          <Text c="dimmed" fz="sm" mt="sm" ta="center">
            {messages.terms[0]}
            <Anchor component={Link} to={paths.terms} fz="sm" underline="always">
              {terms}
            </Anchor>
            {messages.terms[2]}
            <Anchor component={Link} to={paths.privacy} fz="sm" underline="always">
              {privacy}
            </Anchor>
            {messages.terms[4]}
          </Text>
          {props.visitor && (
            <Text fz="sm" mt="xs" ta="center" data-testid="pay-sign-in-note">
              {messages.signInFirst}
            </Text>
          )}
        </div>
      </Stack>
    </form>
  );
}

/** What is wrong with the amount, as the page's message; an empty field counts as zero. */
function problemOf(
  messages: CheckoutMessages,
  { amount, currency }: EnteredAmount,
  maximum: string | null,
): string | null {
  const minor = amount === '' ? 0n : parseMinor(amount);
  if (minor === null) return messages.badAmount(null).malformed;
  if (minor === 0n) return messages.invalid[1];
  if (minor < minimumMinor) return messages.tooSmall;
  const most = maximum === null ? null : parseMinor(maximum);
  if (most === null || minor <= most) return null;
  return messages.badAmount(limitText(messages, maximum ?? '', currency)).tooMuch;
}

function QuoteProblem({ messages, error, retry }: { messages: CheckoutMessages; error: Error; retry: () => unknown }) {
  const [title, message, again] = messages.quoteFailed;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
      <Stack gap="sm" align="flex-start">
        {message ?? errorMessage(error)}
        <Button size="sm" variant="default" leftSection={<IconRefresh size={18} aria-hidden />} onClick={() => retry()}>
          {again}
        </Button>
      </Stack>
    </Alert>
  );
}
