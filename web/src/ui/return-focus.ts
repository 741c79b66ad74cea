import { useEffect, useState } from 'react';

/** For dialogs that are mounted open and go away altogether when closed: the keyboard returns to where it was when they opened. */
export function useReturnFocus(opened = true): void {
  const [before] = useState(() => (opened ? document.activeElement : null));
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) window.setTimeout(() => before.focus({ preventScroll: true }));
    },
    [before],
  );
}
