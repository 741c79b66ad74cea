import { lazy, useEffect } from 'react';
import { useStepUp } from '../../lib/step-up.ts';
import { WhenOpened } from '../../ui/lazy-part.tsx';

const StepUpDialog = lazy(() => import('./step-up-dialog.tsx'));

/** Where a person is asked for their second factor while a call waits (lib/step-up.ts). */
export function StepUp() {
  const { answer, kinds } = useStepUp();
  useEffect(() => {
    useStepUp.setState({ mounted: true });
    return () => {
      useStepUp.getState().answer?.(false);
      useStepUp.setState({ mounted: false });
    };
  }, []);
  return (
    <WhenOpened opened={answer !== null}>
      {(opened) => <StepUpDialog opened={opened} kinds={kinds} onAnswer={(proven) => answer?.(proven)} />}
    </WhenOpened>
  );
}
