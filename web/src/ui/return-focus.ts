import { useEffect, useState } from 'react';

/** For dialogs that go away altogether when closed: the keyboard returns to where it was when they opened. */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) window.setTimeout(() => before.focus({ preventScroll: true }));
    },
    [before],
  );
}
