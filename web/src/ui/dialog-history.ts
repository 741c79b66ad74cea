import { useEffect, useRef } from 'react';

/** An entry of the browser's history: the router's index of its page, and how many dialogs were open above that page. */
interface Entry {
  readonly page: unknown;
  readonly dialogs: number;
}

const readEntry = (): Entry => ({ page: window.history.state?.idx, dialogs: window.history.state?.dialogs ?? 0 });

/** Open dialogs, the topmost last. */
const open: { close: () => void }[] = [];
let current: Entry | undefined;

/** Gives every open dialog an entry of its own, so that "back" leaves the dialog and not the page. */
function addMissingEntry(): void {
  if (open.length > readEntry().dialogs)
    // With the router's own state: to it, the entry is the same page.
    window.history.pushState({ ...window.history.state, dialogs: open.length }, '');
  current = readEntry();
}

function onPopState(): void {
  const before = current;
  current = readEntry();
  const above = open.slice(current.dialogs);
  for (const { close } of above.toReversed()) close();
  // A dialog that may not be closed now stays, with its entry.
  if (above.length > 0) setTimeout(addMissingEntry);
  // The entry of a dialog that was closed by its own button: "back" is meant for the page.
  else if (before?.page === current.page && current.dialogs < (before?.dialogs ?? 0)) window.history.back();
}

/** Call it whenever the address changes, once per app. */
export function useDialogHistory(locationKey: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the router has just written an entry
  useEffect(() => {
    current = readEntry();
  }, [locationKey]);
  useEffect(() => {
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, []);
}

/**
 * Lets the browser's "back" (a swipe or a button on phones) close a dialog instead of leaving its page. For dialogs whose address
 * differs from their page's this is not needed.
 */
export function useCloseOnBack(opened: boolean, onClose: () => void): void {
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  useEffect(() => {
    if (!opened) return;
    const dialog = { close: () => latest.current() };
    open.push(dialog);
    addMissingEntry();
    return () => {
      open.splice(open.indexOf(dialog), 1);
    };
  }, [opened]);
}
