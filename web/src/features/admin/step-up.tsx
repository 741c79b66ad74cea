import { lazy, useEffect } from 'react';
import { useStepUp } from '../../lib/admin-http.ts';
import { WhenOpened } from '../../ui/lazy-part.tsx';

const StepUpDialog = lazy(() => import('./step-up-dialog.tsx'));

/** Where an admin is asked for their second factor while a call waits (admin-http.ts). */
export function StepUp() {
  const answer = useStepUp((state) => state.answer);
  useEffect(() => {
    useStepUp.setState({ mounted: true });
    return () => {
      useStepUp.getState().answer?.(false);
      useStepUp.setState({ mounted: false });
    };
  }, []);
  return (
    <WhenOpened opened={answer !== null}>
      {(opened) => <StepUpDialog opened={opened} onAnswer={(proven) => answer?.(proven)} />}
    </WhenOpened>
  );
}
