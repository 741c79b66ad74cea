import { useEffect } from 'react';
import { create, type StoreApi, type UseBoundStore } from 'zustand';

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
