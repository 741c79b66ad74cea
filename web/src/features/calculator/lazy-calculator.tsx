import { Skeleton } from '@mantine/core';
import { lazy } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '../../data/session.ts';
import { sendingPath, signupLeadingTo } from '../../lib/paths.ts';
import { WhenVisible } from '../../ui/lazy-part.tsx';
import classes from './lazy-calculator.module.css';
import type { CalculatedSending } from './use-calculator.ts';

const Calculator = lazy(async () => ({ default: (await import('./calculator.tsx')).Calculator }));

/** The calculator for a page that shows something else first; its space is kept while it is on its way. */
export function LazyCalculator() {
  return (
    <WhenVisible className={classes.space} pending={<Skeleton className={classes.pending} />}>
      <Calculator onSubmit={useSendingStart()} />
    </WhenVisible>
  );
}

/**
 * Carries what was calculated into the panel's form, past the sign-up page for who is not signed in. Only what was asked
 * for travels: the form asks the server for its own quote.
 */
function useSendingStart(): (sending: CalculatedSending) => void {
  const navigate = useNavigate();
  const { data: session } = useSession();
  return ({ sendAmount, currency, receive }) => {
    const form = sendingPath({ amount: sendAmount, currency, ...(receive && { receive }) });
    void navigate(session ? form : signupLeadingTo(form));
  };
}
