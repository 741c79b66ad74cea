import { Card, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Offer, OfferRecipient } from '../../data/payments.ts';
import { useSession } from '../../data/session.ts';
import { useOpenPayment } from '../../lib/open-payment.ts';
import { loginLeadingTo } from '../../lib/paths.ts';
import { readSendingPath } from '../../lib/sending-path.ts';
import { StepDiamond } from '../../ui/step-diamond.tsx';
import { AmountStep } from './amount-step.tsx';
import classes from './checkout.module.css';
import type { CheckoutPlan, EnteredAmount } from './checkout-plan.ts';
import { useInterruptedPayment } from './interrupted-payment.ts';

const defaultAmount = '100';

/**
 * A whole payment page: amount, payment, success, and back to the start. Amount and currency live in the address, so that
 * signing in and reloading come back to them. `recipients`, where given, may be chosen from before paying.
 */
export function Checkout({ plan, recipients }: { plan: CheckoutPlan; recipients?: readonly OfferRecipient[] }) {
  const { messages, currencies, arrangement, explanation } = plan;
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
          {messages.amountStep}
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
      {explanation && <Explanation {...explanation} />}
    </div>
  );
}

function Explanation({ title, points }: NonNullable<CheckoutPlan['explanation']>) {
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
