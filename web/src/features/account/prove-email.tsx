import { lazy } from 'react';
import { emailProof } from '../../data/payments.ts';
import { useQuestion } from '../../lib/waiting-question.ts';
import { WhenOpened } from '../../ui/lazy-part.tsx';

const EmailProofDialog = lazy(() => import('./email-proof.tsx'));

/** Where a person is asked for the code in their e-mail while a payment waits (data/payments.ts). */
export function ProveEmail() {
  const { answer } = useQuestion(emailProof);
  return (
    <WhenOpened opened={answer !== null}>
      {(opened) => <EmailProofDialog opened={opened} onAnswer={(proven) => answer?.(proven)} />}
    </WhenOpened>
  );
}
