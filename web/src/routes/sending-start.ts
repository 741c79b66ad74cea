import { useNavigate } from 'react-router';
import { useSession } from '../data/session.ts';
import type { CalculatedSending } from '../features/calculator/use-calculator.ts';
import { sendingPath, signupLeadingTo } from '../lib/paths.ts';

/**
 * Carries what was calculated into the panel's form, past the sign-up page for who is not signed in. Only amount and currency
 * travel: the form asks the server for its own quote.
 */
export function useSendingStart(): (sending: CalculatedSending) => void {
  const navigate = useNavigate();
  const { data: session } = useSession();
  return ({ sendAmount, currency }) => {
    const form = sendingPath({ amount: sendAmount, currency });
    void navigate(session ? form : signupLeadingTo(form));
  };
}
