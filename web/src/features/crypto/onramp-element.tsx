import { Skeleton, useComputedColorScheme } from '@mantine/core';
import type { OnrampAppearanceOptions, OnrampSession } from '@stripe/crypto';
import { useEffect, useRef, useState } from 'react';
import type { OpenSession } from './use-purchase.ts';

/** Its documentation has this one, its types do not. */
type Session = OnrampSession & { setAppearance?: (appearance: OnrampAppearanceOptions) => void };

/** The provider's form: card, identity and amount are between it and the buyer. `onNews` says that something moved there. */
export function OnrampElement({ onramp, clientSecret, onNews }: OpenSession & { onNews: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const mounted = useRef<Session | null>(null);
  const [loaded, setLoaded] = useState(false);
  const theme = useComputedColorScheme('light');
  const firstTheme = useRef(theme);

  useEffect(() => {
    const container = place.current;
    if (!container) return;
    const session: Session = onramp.createSession({ clientSecret, appearance: { theme: firstTheme.current } });
    const ready = () => setLoaded(true);
    session.addEventListener('onramp_ui_loaded', ready);
    session.addEventListener('onramp_session_updated', onNews);
    session.mount(container);
    mounted.current = session;
    return () => {
      session.removeEventListener('onramp_ui_loaded', ready);
      session.removeEventListener('onramp_session_updated', onNews);
      mounted.current = null;
      container.replaceChildren();
    };
  }, [onramp, clientSecret, onNews]);
  useEffect(() => {
    mounted.current?.setAppearance?.({ theme });
  }, [theme]);

  return (
    <div data-testid="crypto-onramp" data-loaded={loaded}>
      {!loaded && <Skeleton height={320} />}
      <div ref={place} style={loaded ? undefined : { height: 0, overflow: 'hidden' }} />
    </div>
  );
}
