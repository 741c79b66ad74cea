import { ApiFailure } from './http.ts';
import { createQuestion } from './waiting-question.ts';

/** What kinds of second factor an account has: without an app a code can only be one of recovery, without any the password is asked for. */
export interface FactorKinds {
  readonly app: boolean;
  readonly passkey: boolean;
}

/** What kinds a failure that asks for a second factor names. */
export const factorKindsOf = ({ details }: ApiFailure): FactorKinds => ({
  app: details.app === true,
  passkey: details.passkey === true,
});

/** Asks a person for their second factor while a call waits. */
export const stepUp = createQuestion<FactorKinds>();

/** The same calls, but one that wants the second factor proven lately is made once more after that, unchanged. */
export function withStepUp<Call extends (...input: never[]) => Promise<unknown>>(callOnce: Call): Call {
  const callAfter = async (...input: Parameters<Call>) => {
    try {
      return await callOnce(...input);
    } catch (error) {
      const isStale = error instanceof ApiFailure && error.code === 'second_factor_stale';
      if (!isStale || !(await stepUp.ask(factorKindsOf(error)))) throw error;
      return callOnce(...input);
    }
  };
  return callAfter as Call;
}
