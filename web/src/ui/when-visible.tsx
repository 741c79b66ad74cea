import { useIntersection } from '@mantine/hooks';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { LazyPart } from './lazy-part.tsx';

/** What is rendered when it comes into view, never in prerendered HTML; `pending` keeps its space meanwhile. */
export function WhenVisible(props: { className?: string | undefined; pending: ReactNode; children: ReactNode }) {
  const { ref, entry } = useIntersection();
  const [visible, setVisible] = useState(false);
  if (!visible && entry?.isIntersecting) setVisible(true);
  // Rendered in slices, between which the browser handles input.
  const shown = useDeferredValue(visible);
  return (
    <div ref={ref} className={props.className}>
      {shown ? <LazyPart pending={props.pending}>{props.children}</LazyPart> : props.pending}
    </div>
  );
}
