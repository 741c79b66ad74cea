import { lazy, useEffect } from 'react';
import { useEmailProof } from '../../data/payments.ts';
import { WhenOpened } from '../../ui/lazy-part.tsx';

const EmailProofDialog = lazy(() => import('./email-proof.tsx'));

/** Where a person is asked for the code in their e-mail while a payment waits (data/payments.ts). */
export function ProveEmail() {
  const answer = useEmailProof((state) => state.answer);
  useEffect(() => {
    useEmailProof.setState({ mounted: true });
    return () => {
      useEmailProof.getState().answer?.(false);
      useEmailProof.setState({ mounted: false });
    };
  }, []);
  return (
    <WhenOpened opened={answer !== null}>
      {(opened) => <EmailProofDialog opened={opened} onAnswer={(proven) => answer?.(proven)} />}
    </WhenOpened>
  );
}
