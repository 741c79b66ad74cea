import { useIntersection } from '@mantine/hooks';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { useHasInteracted } from '../lib/first-interaction.ts';
import { LazyPart } from './lazy-part.tsx';

/**
 * Fields that are rendered when they are in view or after the first interaction, never in prerendered HTML: what is typed before
 * hydration would be lost. `pending` keeps their space meanwhile.
 */
export function WhenVisible(props: { className?: string | undefined; pending: ReactNode; children: ReactNode }) {
  const { ref, entry } = useIntersection();
  const interacted = useHasInteracted();
  const [visible, setVisible] = useState(false);
  if (!visible && (interacted || entry?.isIntersecting)) setVisible(true);
  // Rendered in slices, between which the browser handles input.
  const shown = useDeferredValue(visible);
  return (
    <div ref={ref} className={props.className}>
      {shown ? <LazyPart pending={props.pending}>{props.children}</LazyPart> : props.pending}
    </div>
  );
}
