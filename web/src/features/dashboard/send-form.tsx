import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Card, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconLock, IconPlayerPause } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type FormEvent, lazy, type RefObject, useRef, useState } from 'react';
import type { QuoteView } from '#core/contracts/http/rates';
import type { RecipientView } from '#core/contracts/http/recipients';
import type { Offer } from '../../data/payments.ts';
import { ratesQuery, useQuote } from '../../data/rates.ts';
import { failureMessages } from '../../lib/failure-messages.ts';
import { focusFirstProblem } from '../../lib/form-failure.ts';
import { formatLongDay } from '../../lib/format/dates.ts';
import { sendFormId } from '../../lib/paths.ts';
import {
  amountProblem,
  birthDateProblem,
  draftChanges,
  malformedAmount,
  questionOf,
  type SendingDraft,
} from '../../lib/sending-draft.ts';
import { focusAfterDialog } from '../../ui/dialog.tsx';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { MeasuredArrival } from '../shared/arrival-time.tsx';
import { Breakdown, BreakdownLine } from '../shared/breakdown.tsx';
import { type AddRecipientDialog, RecipientChoice } from '../shared/recipient-choice.tsx';
import { recipientProblem } from '../shared/recipient-problem.ts';
import { SendingAmount } from '../shared/sending-amount.tsx';
import { BirthDateInput } from '../shared/sending-inputs.tsx';
import classes from './dashboard.module.css';

// Hardly anybody reads it: it comes after the first figures.
const AboveLimit = lazy(() => import('./above-limit.tsx'));

interface Props {
  recipients: UseQueryResult<readonly RecipientView[]>;
  adding: AddRecipientDialog;
  draft: SendingDraft;
  onChange: (changes: Partial<SendingDraft>) => void;
  /** Whether the server still has to learn the sender's date of birth. */
  asksBirthDate: boolean;
  /** The address that a code was sent to, which is asked for when paying; null once it was typed. */
  unprovenEmail: string | null;
  amountRef: RefObject<HTMLInputElement | null>;
  onPay: (offer: Offer) => void;
}

const typingPauseMs = 600;

/** Choose whom and how much; see what arrives; pay. The figures always answer the amount in the field. */
export function SendForm(props: Props) {
  const { draft, onChange } = props;
  const { currency, birthDate } = draft;
  const question = questionOf(draft);
  const receives = question.side === 'receive';
  const typed = question.amount;
  const [asked, setAsked] = useState(false);
  const { quote, limits, error, retry } = useQuote(question);
  const rates = useQuery(ratesQuery);
  const paused = rates.data?.rates[currency].paused ?? false;
  const problem =
    receives && (quote === null || typed === '')
      ? malformedAmount(typed)
      : amountProblem(receives ? (quote?.amount ?? '') : typed, currency, limits?.maximum ?? null);
  // An incomplete amount is not an error: wait until the sender stops typing.
  const [settled] = useDebouncedValue(problem, typingPauseMs);
  const recipients = props.recipients.data;
  const recipient = recipients?.find((one) => one.id === draft.recipientId);
  const birthProblem = props.asksBirthDate ? birthDateProblem(birthDate, new Date()) : null;
  const whomProblem = recipient ? recipientProblem(recipient) : t`Elige un destinatario`;
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (paused || !quote || problem || !recipient || whomProblem || birthProblem) return focusFirstProblem(event);
    props.onPay({ recipient, quote, birthDate: props.asksBirthDate ? birthDate : null });
  };
  return (
    <Card component="section" aria-labelledby="send-title" id={sendFormId}>
      <Title order={2} id="send-title" mb="md">
        <Trans context="action">Enviar dinero</Trans>
      </Title>
      <form noValidate onSubmit={submit} className={classes.columns} ref={form}>
        <Stack>
          <SendingAmount
            question={question}
            onChange={(next) => onChange(draftChanges(draft, next))}
            quote={quote}
            payLabel={t`Monto a enviar`}
            problem={asked ? problem : settled && problem}
            inputRef={props.amountRef}
            layout="below"
            testid="send"
          />
          <RecipientChoice
            recipients={props.recipients}
            value={recipient?.id ?? ''}
            onChange={(id) => onChange({ recipientId: id })}
            onAdded={() => focusAfterDialog(() => nextToFill(form.current))}
            error={asked ? whomProblem : null}
            adding={props.adding}
            testid="send"
          />
          {props.asksBirthDate && (
            <BirthDateInput
              value={birthDate}
              onChange={(next) => onChange({ birthDate: next })}
              error={asked ? birthProblem : null}
              testid="send-birth-date"
            />
          )}
        </Stack>
        <Answer
          quote={typed === '' ? null : quote}
          error={error}
          retry={retry}
          // Before they are known, somebody of the draft would be taken for nobody.
          ready={quote !== null && problem === null && recipients !== undefined}
          paused={paused}
          bank={recipient?.bankName ?? null}
          unprovenEmail={props.unprovenEmail}
        />
      </form>
    </Card>
  );
}

/** The right side: what arrives for this amount, and the button that pays it. */
function Answer(props: {
  quote: QuoteView | null;
  error: Error | null;
  retry: () => unknown;
  ready: boolean;
  paused: boolean;
  /** Where the chosen recipient receives. */
  bank: string | null;
  unprovenEmail: string | null;
}) {
  const { quote, error, retry, ready, paused, bank, unprovenEmail } = props;
  return (
    <Stack justify="space-between">
      <QueryView query={{ data: quote ?? undefined, error, refetch: retry }} loading={<Figures quote={null} />}>
        {(known) => <Figures quote={known} />}
      </QueryView>
      {bank && <MeasuredArrival bank={bank} />}
      <div>
        {paused && (
          <Alert color="yellow" mb="sm" icon={<IconPlayerPause aria-hidden />} role="status" data-testid="send-paused">
            {failureMessages.payments_paused}
          </Alert>
        )}
        {ready && quote && (
          <LazyPart missing={null}>
            <AboveLimit quote={quote} />
          </LazyPart>
        )}
        <Button type="submit" fullWidth size="lg" disabled={!ready || paused} data-testid="send-submit">
          <Trans>Enviar dinero ahora</Trans>
        </Button>
        <Text c="dimmed" fz="sm" mt="xs" ta="center" className="cq-balanced">
          <IconLock size={15} aria-hidden style={{ verticalAlign: '-2px' }} />{' '}
          <Trans>Tu tarjeta se cobra solo cuando el envío se aprueba</Trans>
        </Text>
        {unprovenEmail && (
          <Text c="dimmed" fz="sm" ta="center" style={{ overflowWrap: 'anywhere' }} data-testid="send-unproven">
            <Trans>Ten a mano el código que enviamos a {unprovenEmail}</Trans>
          </Text>
        )}
        {quote?.betterRate && (
          <Text c="dimmed" fz="sm" mt={4} ta="center" className="cq-balanced" data-testid="send-better-rate">
            <Trans>Si la tasa mejora antes de aprobarlo, recibes la mejor</Trans>
          </Text>
        )}
      </div>
    </Stack>
  );
}

function Figures({ quote }: { quote: QuoteView | null }) {
  return (
    <div aria-live="polite">
      <Breakdown figures={quote}>
        <BreakdownLine label={t`Llega hacia el`}>{quote ? formatLongDay(quote.estimatedDelivery) : '…'}</BreakdownLine>
      </Breakdown>
    </div>
  );
}

/** What is still empty of the form, or else the button that goes on. */
const nextToFill = (form: HTMLFormElement | null): HTMLElement | null =>
  [...(form?.querySelectorAll<HTMLInputElement>('input') ?? [])].find(({ value }) => value === '') ??
  form?.querySelector<HTMLElement>('[type=submit]') ??
  null;
