import { type ComponentType, lazy } from 'react';
import { emailProof } from '../../data/payments.ts';
import { stepUp } from '../../lib/step-up.ts';
import { type Question, useQuestion } from '../../lib/waiting-question.ts';
import { WhenOpened } from '../../ui/lazy-part.tsx';

const EmailProofDialog = lazy(() => import('./email-proof.tsx'));
const StepUpDialog = lazy(() => import('./step-up-dialog.tsx'));

/** Where a person is asked, while a call waits, for the code in their e-mail (data/payments.ts) and who they are (lib/step-up.ts). */
export default function Proofs() {
  return (
    <>
      <Asked question={emailProof} Shown={EmailProofDialog} />
      <Asked question={stepUp} Shown={StepUpDialog} />
    </>
  );
}

interface Asking<About> {
  question: Question<About>;
  Shown: ComponentType<{ opened: boolean; about: About; onAnswer: (proven: boolean) => void }>;
}

function Asked<About>({ question, Shown }: Asking<About>) {
  const { about, answer } = useQuestion(question);
  return (
    <WhenOpened opened={answer !== null}>
      {(opened) => <Shown opened={opened} about={about as About} onAnswer={(proven) => answer?.(proven)} />}
    </WhenOpened>
  );
}
