import { lazy } from 'react';
import { stepUp } from '../../lib/step-up.ts';
import { useQuestion } from '../../lib/waiting-question.ts';
import { WhenOpened } from '../../ui/lazy-part.tsx';

const StepUpDialog = lazy(() => import('./step-up-dialog.tsx'));

/** Where a person is asked for their second factor while a call waits (lib/step-up.ts). */
export function StepUp() {
  const { about, answer } = useQuestion(stepUp);
  return (
    <WhenOpened opened={answer !== null}>
      {(opened) => about && <StepUpDialog opened={opened} kinds={about} onAnswer={(proven) => answer?.(proven)} />}
    </WhenOpened>
  );
}
