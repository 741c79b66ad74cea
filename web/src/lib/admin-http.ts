import { create } from 'zustand';
import { adminRoutes } from '#core/contracts/http/admin-routes';
import { ApiFailure, callsOf } from './http.ts';

const callOnce = callsOf(adminRoutes);

/** Asks an admin for their second factor while a call waits: who asks (`mounted`), and what gets the answer. */
export const useStepUp = create<{ mounted: boolean; answer: ((proven: boolean) => void) | null }>(() => ({
  mounted: false,
  answer: null,
}));

/** Calls that are refused at the same time wait for one answer. */
let asked: Promise<boolean> | undefined;

function askForFactor(): Promise<boolean> {
  if (!useStepUp.getState().mounted) return Promise.resolve(false);
  asked ??= new Promise<boolean>((answer) => useStepUp.setState({ answer })).finally(() => {
    asked = undefined;
    useStepUp.setState({ answer: null });
  });
  return asked;
}

/**
 * As `call`, of endpoints for administrators: a file of its own, so that no sender loads their list. A call that wants the second factor
 * proven lately is made once more after that, unchanged.
 */
export const adminCall = (async (...input: Parameters<typeof callOnce>) => {
  try {
    return await callOnce(...input);
  } catch (error) {
    const isStale = error instanceof ApiFailure && error.code === 'second_factor_stale';
    if (!isStale || !(await askForFactor())) throw error;
    return callOnce(...input);
  }
}) as typeof callOnce;
