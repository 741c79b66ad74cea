import { t } from '@lingui/core/macro';
import { useIntersection } from '@mantine/hooks';
import { type ReactNode, Suspense, useDeferredValue, useEffect, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { reportError } from '../lib/client-errors.ts';
import { useHydrated } from '../lib/document.ts';
import { LoadError } from './load-error.tsx';

/**
 * A part of a page whose file is loaded on its own (`React.lazy`). While the file is on its way `pending` keeps its place; when
 * it does not come, or the part breaks, only the part is missing and the rest of the page stays as it is.
 */
export function LazyPart(props: {
  pending?: ReactNode;
  /** Shown in place of the part when it is missing; an error message unless given, `null` for nothing. */
  missing?: ReactNode;
  /** What that error message says. */
  missingMessage?: string;
  children: ReactNode;
}) {
  const { pending = null, missing, missingMessage, children } = props;
  return (
    <ErrorBoundary
      onError={reportError}
      fallback={missing === undefined ? <MissingPart message={missingMessage} /> : missing}
    >
      <Suspense fallback={pending}>{children}</Suspense>
    </ErrorBoundary>
  );
}

/** Browsers remember that a script failed to load: only a reload asks for it again. */
function MissingPart({ message = t`No pudimos cargar esta parte de la página.` }: { message: string | undefined }) {
  return <LoadError message={message} retry={() => window.location.reload()} />;
}

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

/** Fields, which would lose what is typed into them before hydration; `pending` keeps their space meanwhile. */
export function WhenHydrated({ pending, children }: { pending: ReactNode; children: ReactNode }) {
  // Rendered in slices, between which the browser handles input.
  const hydrated = useDeferredValue(useHydrated());
  return hydrated ? <LazyPart pending={pending}>{children}</LazyPart> : pending;
}

/** A dialog that comes with its first opening, and stays so that it can close slowly. */
export function WhenOpened(props: { opened: boolean; children: (opened: boolean) => ReactNode }) {
  const [wanted, setWanted] = useState(props.opened);
  if (props.opened && !wanted) setWanted(true);
  return (
    wanted && (
      <LazyPart>
        <OnceMounted {...props} />
      </LazyPart>
    )
  );
}

/** A dialog gives the keyboard back to where it was when it opened: so it has to be there before. */
function OnceMounted({ opened, children }: { opened: boolean; children: (opened: boolean) => ReactNode }) {
  const [shown, setShown] = useState(false);
  useEffect(() => setShown(opened), [opened]);
  return children(shown);
}
