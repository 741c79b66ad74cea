import { useIntersection } from '@mantine/hooks';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { useSign } from '../lib/first-sign.ts';
import { LazyPart } from './lazy-part.tsx';

/**
 * Fields that come when they are in view or when somebody uses the page, never in what is drawn while building: what is typed
 * before anybody listens would be lost. `pending` keeps their room meanwhile.
 */
export function WhenWanted(props: { className?: string | undefined; pending: ReactNode; children: ReactNode }) {
  const { ref, entry } = useIntersection();
  const sign = useSign();
  // What has come stays.
  const [wanted, setWanted] = useState(false);
  if (!wanted && (sign || entry?.isIntersecting)) setWanted(true);
  // Drawn in slices, between which the browser answers the person.
  const shown = useDeferredValue(wanted);
  return (
    <div ref={ref} className={props.className}>
      {shown ? <LazyPart pending={props.pending}>{props.children}</LazyPart> : props.pending}
    </div>
  );
}
