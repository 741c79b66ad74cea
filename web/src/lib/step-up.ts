import { create } from 'zustand';
import { ApiFailure } from './http.ts';

/** What kinds of second factor an account has: without an app a code can only be one of recovery. */
export interface FactorKinds {
  readonly app: boolean;
  readonly passkey: boolean;
}

/** What kinds a failure that asks for a second factor names. */
export const factorKindsOf = ({ details }: ApiFailure): FactorKinds => ({
  app: details.app === true,
  passkey: details.passkey === true,
});

interface StepUpState {
  /** Whether the page can ask. */
  readonly mounted: boolean;
  readonly kinds: FactorKinds;
  /** Gets the person's answer while a call waits for it. */
  readonly answer: ((proven: boolean) => void) | null;
}

/** Asks a person for their second factor while a call waits. */
export const useStepUp = create<StepUpState>(() => ({
  mounted: false,
  kinds: { app: true, passkey: false },
  answer: null,
}));

/** Calls that are refused at the same time wait for one answer. */
let asked: Promise<boolean> | undefined;

function askForFactor(kinds: FactorKinds): Promise<boolean> {
  if (!useStepUp.getState().mounted) return Promise.resolve(false);
  asked ??= new Promise<boolean>((answer) => useStepUp.setState({ kinds, answer })).finally(() => {
    asked = undefined;
    useStepUp.setState({ answer: null });
  });
  return asked;
}

/** The same calls, but one that wants the second factor proven lately is made once more after that, unchanged. */
export function withStepUp<Call extends (...input: never[]) => Promise<unknown>>(callOnce: Call): Call {
  const callAfter = async (...input: Parameters<Call>) => {
    try {
      return await callOnce(...input);
    } catch (error) {
      const isStale = error instanceof ApiFailure && error.code === 'second_factor_stale';
      if (!isStale || !(await askForFactor(factorKindsOf(error)))) throw error;
      return callOnce(...input);
    }
  };
  return callAfter as Call;
}
