import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Button, Card, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPause, IconRefresh } from '@tabler/icons-react';
import { type FormEvent, lazy, useEffect, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { RecipientView } from '#core/contracts/http/recipients';
import { recipientAddress } from '#core/contracts/page-addresses';
import { parseMinor } from '#core/money/money';
import { minimumMinor } from '#core/transfers/limits';
import { useOptionalQuery } from '../../data/optional-query.ts';
import type { Offer } from '../../data/payments.ts';
import { ratesQuery, useQuote } from '../../data/rates.ts';
import { useSession } from '../../data/session.ts';
import { useOpenPayment } from '../../lib/document.ts';
import { failureMessages } from '../../lib/failure-messages.ts';
import { focusFirstProblem } from '../../lib/form-failure.ts';
import { formatAmount } from '../../lib/format/money.ts';
import { errorMessage } from '../../lib/http.ts';
import { loginLeadingTo, paths, readSendingPath } from '../../lib/paths.ts';
import { belowMinimum, birthDateProblem, useSendingDraft } from '../../lib/sending-draft.ts';
import { toastError } from '../../lib/toast.ts';
import { AmountInput } from '../../ui/decimal-input.tsx';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { StepDiamond } from '../../ui/mark.tsx';
import { Breakdown } from '../shared/breakdown.tsx';
import { recipientProblem } from '../shared/recipient-problem.ts';
import { BirthDateInput, CurrencyChoice } from '../shared/sending-inputs.tsx';
import type { CheckoutPlan, EnteredAmount, PaymentWords } from './checkout-plan.ts';
import classes from './payment.module.css';
import { useInterruptedPayment } from './return-address.ts';

// Comes with the first recipient that is chosen.
const NameCheck = lazy(async () => ({ default: (await import('../shared/name-check.tsx')).NameCheck }));

const defaultAmount = '100';

/**
 * A whole payment page: amount, payment, success, and back to the start. Amount and currency live in the address, so that
 * signing in and reloading come back to them. `recipients`, where given, may be chosen from before paying.
 */
export function Checkout({ plan, recipients }: { plan: CheckoutPlan; recipients?: readonly RecipientView[] }) {
  const { currencies, arrangement, explanation } = plan;
  const [search, setSearch] = useSearchParams();
  const [entered, setEntered] = useState(() => {
    const { amount = defaultAmount, currency = 'USD' } = readSendingPath(search) ?? {};
    return { amount, currency: currencies === 'USD' ? 'USD' : currency } as EnteredAmount;
  });
  const [offer, setOffer] = useState<Offer | null>(null);
  const interrupted = useInterruptedPayment();
  const session = useSession();
  const login = useLogin();
  const visitor = session.data === null;
  const { held } = useOpenPayment();
  useEffect(() => {
    // The session ended before the card was asked. Afterwards the page stays: it says what became of the payment.
    if (visitor && offer && !held) login();
  }, [visitor, offer, held, login]);
  const change = (next: EnteredAmount) => {
    setEntered(next);
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(next)) after.set(name, value);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  if (interrupted) return <Navigate to={interrupted} replace />;
  if (offer)
    return <plan.Payment plan={plan} offer={offer} onEdit={() => setOffer(null)} onAgain={() => setOffer(null)} />;
  return (
    <div className={classes.frame} data-arrangement={arrangement} data-testid="checkout" data-step="amount">
      <Card component="section" aria-labelledby="checkout-amount">
        <Title order={2} id="checkout-amount" mb="md">
          <Trans>Cuánto envías</Trans>
        </Title>
        <AmountStep
          plan={plan}
          entered={entered}
          onChange={change}
          {...(recipients && { recipients })}
          visitor={visitor}
          asksBirthDate={session.data?.user.birthDateKnown === false}
          onContinue={(accepted) => (visitor ? login() : setOffer(accepted))}
        />
      </Card>
      {explanation && <Explanation {...explanation()} />}
    </div>
  );
}

function Explanation({ title, points }: ReturnType<NonNullable<CheckoutPlan['explanation']>>) {
  return (
    <section className={classes.aside} aria-labelledby="checkout-about">
      <Title order={2} id="checkout-about">
        {title}
      </Title>
      <ol className={classes.points}>
        {points.map((point, index) => (
          <li key={point} className={classes.point}>
            <StepDiamond size={40}>{String(index + 1)}</StepDiamond>
            <Text>{point}</Text>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** To the login page and back to this very address. */
function useLogin(): () => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [login] = useState(() => ({ go: () => {} }));
  login.go = () => void navigate(loginLeadingTo(pathname + search));
  const [stable] = useState(() => () => login.go());
  return stable;
}

interface Props {
  plan: CheckoutPlan;
  entered: EnteredAmount;
  onChange: (entered: EnteredAmount) => void;
  recipients?: readonly RecipientView[];
  visitor: boolean;
  asksBirthDate: boolean;
  /** With the quote the person was looking at. */
  onContinue: (offer: Offer) => void;
}

/** How much, what arrives for it today, and on to the payment. */
function AmountStep(props: Props) {
  const { plan, entered, onChange, recipients, asksBirthDate } = props;
  const { amount, currency } = entered;
  const { draft, change } = useSendingDraft(useSession().data?.user.id ?? null);
  const { birthDate, recipientId } = draft;
  const [asked, setAsked] = useState(false);
  const { quote, limits, error, retry } = useQuote(entered);
  const problem = problemOf(plan.words(), entered, limits?.maximum ?? null);
  const birthProblem = asksBirthDate ? birthDateProblem(birthDate, new Date()) : null;
  const paused = useOptionalQuery(ratesQuery)?.rates[currency].paused ?? false;
  const recipient = recipients?.find(({ id }) => id === recipientId) ?? null;
  const whomProblem = recipient && recipientProblem(recipient);
  const navigate = useNavigate();
  const ready = quote !== null && problem === null && !paused;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (problem) return toastError(t`Monto inválido`, problem);
    if (!quote || paused) return;
    setAsked(true);
    if (birthProblem || whomProblem) return focusFirstProblem(event);
    props.onContinue({ recipient, quote, birthDate: asksBirthDate ? birthDate : null });
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <AmountInput
          label={plan.currencies === 'USD' ? t`Monto (USD)` : t`Monto a enviar`}
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
            label={t`Destinatario (opcional)`}
            data={[
              { value: '', label: t`Lo elijo después de pagar` },
              ...recipients.map(({ id, name, bankName }) => ({ value: id, label: `${name} · ${bankName}` })),
            ]}
            value={recipientId}
            onChange={(event) => change({ recipientId: event.currentTarget.value })}
            error={asked ? whomProblem : null}
            data-testid="pay-recipient"
          />
        )}
        {recipient?.nameCheck && (
          <LazyPart missing={null}>
            <NameCheck
              key={recipient.id}
              recipient={recipient}
              onCorrect={() => void navigate(recipientAddress(recipient.id))}
            />
          </LazyPart>
        )}
        {asksBirthDate && (
          <BirthDateInput
            value={birthDate}
            onChange={(next) => change({ birthDate: next })}
            error={asked ? birthProblem : null}
            testid="pay-birth-date"
          />
        )}
        {plan.example?.(entered)}
        {error ? (
          <QuoteProblem error={error} retry={retry} />
        ) : (
          <div aria-live="polite">
            <Breakdown figures={problem ? null : quote} blank={problem !== null} {...plan.labels} />
          </div>
        )}
        <div>
          {paused && (
            <Alert color="yellow" mb="sm" icon={<IconPlayerPause aria-hidden />} role="status" data-testid="pay-paused">
              {failureMessages.payments_paused}
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
            <Trans>Continuar al pago</Trans>
          </Button>
          <Text c="dimmed" fz="sm" mt="sm" ta="center">
            <Trans>
              Al continuar aceptas los{' '}
              <Anchor component={Link} to={paths.terms} fz="sm" underline="always">
                Términos de Servicio
              </Anchor>{' '}
              y las{' '}
              <Anchor component={Link} to={paths.privacy} fz="sm" underline="always">
                Políticas de Privacidad
              </Anchor>
              .
            </Trans>
          </Text>
          {props.visitor && (
            <Text fz="sm" mt="xs" ta="center" data-testid="pay-sign-in-note">
              <Trans>Al continuar te pediremos iniciar sesión y volverás aquí, con este mismo monto.</Trans>
            </Text>
          )}
        </div>
      </Stack>
    </form>
  );
}

/** What is wrong with the amount, as the page's message; an empty field counts as zero. */
function problemOf(
  { amountProblem }: PaymentWords,
  { amount, currency }: EnteredAmount,
  maximum: string | null,
): string | null {
  const minor = amount === '' ? 0n : parseMinor(amount);
  if (minor === null) return amountProblem.malformed;
  if (minor === 0n) return amountProblem.none;
  if (minor < minimumMinor) return belowMinimum();
  const most = maximum === null ? null : parseMinor(maximum);
  if (most === null || minor <= most) return null;
  const limit = formatAmount(maximum ?? '', currency);
  return t`El monto máximo por envío es de ${limit}.`;
}

function QuoteProblem({ error, retry }: { error: Error; retry: () => unknown }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t`No se pudo cargar`} role="alert">
      <Stack gap="sm" align="flex-start">
        {errorMessage(error)}
        <Button size="sm" variant="default" leftSection={<IconRefresh size={18} aria-hidden />} onClick={() => retry()}>
          <Trans>Reintentar</Trans>
        </Button>
      </Stack>
    </Alert>
  );
}
