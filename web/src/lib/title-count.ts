import { useEffect } from 'react';
import { plainTitle } from './document.ts';

/** What each caller counts. They may count the same things, so the highest one is shown. */
const counts = new Map<object, number>();
const highestShown = 99;

/** Also writes it before a title that a page sets later. */
let observer: MutationObserver | null = null;

function write(): void {
  const count = Math.max(0, ...counts.values());
  const shown = count > highestShown ? `${highestShown}+` : count;
  const title = count === 0 ? plainTitle() : `(${shown}) ${plainTitle()}`;
  if (document.title !== title) document.title = title;
}

/** Shows a count before the tab's title, whichever page gives it; without any the title is the page's own. */
export function useCountInTitle(count: number): void {
  useEffect(() => {
    if (count === 0) return;
    const counter = {};
    counts.set(counter, count);
    write();
    observer ??= new MutationObserver(write);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      counts.delete(counter);
      write();
      if (counts.size > 0) return;
      observer?.disconnect();
      observer = null;
    };
  }, [count]);
}
