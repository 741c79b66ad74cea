import { t } from '@lingui/core/macro';
import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { reportError } from '../lib/client-errors.ts';
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
