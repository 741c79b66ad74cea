import { useEffect } from 'react';
import { create, type StoreApi, type UseBoundStore } from 'zustand';
import { ApiFailure } from './http.ts';

/** What a dialog needs that asks a person something while a call waits. */
interface WaitingQuestion<About> {
  /** Whether this page can ask. */
  readonly mounted: boolean;
  readonly about: About | null;
  /** Gets the person's answer while a call waits for it. */
  readonly answer: ((agreed: boolean) => void) | null;
}

/** Something that calls ask a person for, through a dialog that the page mounts somewhere. */
export interface Question<About> {
  readonly store: UseBoundStore<StoreApi<WaitingQuestion<About>>>;
  /** Whether the person did what was asked: not when they close the dialog, and not where no page can ask. */
  readonly ask: (about: About) => Promise<boolean>;
}

export function createQuestion<About>(): Question<About> {
  const store = create<WaitingQuestion<About>>(() => ({ mounted: false, about: null, answer: null }));
  /** Calls that are refused at the same time wait for one answer. */
  let asked: Promise<boolean> | undefined;
  return {
    store,
    ask: (about) => {
      if (!store.getState().mounted) return Promise.resolve(false);
      asked ??= new Promise<boolean>((answer) => store.setState({ about, answer })).finally(() => {
        asked = undefined;
        store.setState({ answer: null });
      });
      return asked;
    },
  };
}

/** For the component that shows the dialog of a question: it is open while there is an `answer` to give. */
export function useQuestion<About>({ store }: Question<About>): WaitingQuestion<About> {
  useEffect(() => {
    store.setState({ mounted: true });
    return () => {
      store.getState().answer?.(false);
      store.setState({ mounted: false });
    };
  }, [store]);
  return store();
}

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
