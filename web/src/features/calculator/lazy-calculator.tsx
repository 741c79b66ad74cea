import { Trans } from '@lingui/react/macro';
import { Card, Skeleton, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { quoteQuery } from '../../data/rates.ts';
import { useSession } from '../../data/session.ts';
import { takeFirstQuote } from '../../lib/first-quote.ts';
import { sendingPath, signupLeadingTo } from '../../lib/paths.ts';
import { WhenVisible } from '../../ui/lazy-part.tsx';
import { FirstFigure } from '../shared/first-figure.tsx';
import classes from './lazy-calculator.module.css';
import type { CalculatedSending } from './use-calculator.ts';

const loadCalculator = async () => ({ default: (await import('./calculator.tsx')).Calculator });
const Calculator = lazy(loadCalculator);
// With the scripts of the page: on a slow line hydration would be waited for first. What fails is said where it is shown.
if (!import.meta.env.SSR) loadCalculator().catch(() => undefined);

/** The calculator for a page that shows something else first; while it is on its way its place says what arrives for the first amount. */
export function LazyCalculator() {
  useFirstQuote();
  return (
    <WhenVisible className={classes.space} pending={<FirstAnswer />}>
      <Calculator onSubmit={useSendingStart()} />
    </WhenVisible>
  );
}

/** The page's HTML has asked what the calculator asks at first. */
function useFirstQuote() {
  const queryClient = useQueryClient();
  useEffect(() => {
    void takeFirstQuote().then((answer) => {
      if (!answer) return;
      const { queryKey } = quoteQuery(answer);
      if (!queryClient.getQueryData(queryKey))
        queryClient.setQueryData(queryKey, answer.quote, { updatedAt: answer.at });
    });
  }, [queryClient]);
}

/** What arrives for the first amount, written by a script of the page before the app is there. */
function FirstAnswer() {
  return (
    <Card className={classes.pending} shadow="md" padding="lg" data-testid="first-answer">
      <Text c="dimmed">
        <Trans>
          Si envías <FirstFigure name="amount" width="6em" />, tu familia recibe
        </Trans>
      </Text>
      <div className={`${classes.arrives} cq-big cq-num`}>
        <FirstFigure name="bs" width="5em" />
      </div>
      <Text fz="sm">
        <Trans>
          Comisión incluida: <FirstFigure name="fee" width="5em" />
        </Trans>
      </Text>
      <Text fz="sm">
        <FirstFigure name="rate" width="9em" />
      </Text>
      <Skeleton className={classes.rest} mt="md" />
    </Card>
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
