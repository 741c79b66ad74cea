import { useCallback, useState } from 'react';
import { rememberedBy } from './query-client.ts';

/** What was typed into forms that were left, by the name of each: in memory, and of the person who is signed in. */
const drafts = new Map<string, unknown>();
rememberedBy({ forget: () => drafts.clear() });

/** What was typed into a form when it was left, as by "back" or Escape; undefined for nothing. */
export const keptDraft = <Value>(name: string): Value | undefined => drafts.get(name) as Value | undefined;

/** Keeps what is typed into a form for when it is opened again on this page. */
export function keepDraft(name: string, value: unknown): void {
  drafts.set(name, value);
}

/** It was sent, or given up. */
export function dropDraft(name: string): void {
  drafts.delete(name);
}

/** As `useState`, but what was set outlasts the component, until `dropDraft` or another person signs in. */
export function useDraft<Value>(name: string, initial: Value) {
  const [value, setValue] = useState<Value>(() => keptDraft<Value>(name) ?? initial);
  const set = useCallback(
    (next: Value) => {
      keepDraft(name, next);
      setValue(next);
    },
    [name],
  );
  return [value, set] as const;
}
