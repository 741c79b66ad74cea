import { Container } from '@mantine/core';
import type { ReactNode } from 'react';
import { errorMessage } from '../lib/http.ts';
import { LoadError } from './load-error.tsx';

/** What is needed of a query's result. */
interface Loadable<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

export interface QueryViewProps<Data> {
  query: Loadable<Data>;
  /** Shown until there is an answer. */
  loading: ReactNode;
  /** What to say when nothing could be loaded; the server's own message unless given. */
  failureMessage?: (error: Error) => string;
  /** Shown in place of the error message and its retry button. */
  failed?: (error: Error) => ReactNode;
  /** What else a person can do when nothing could be loaded; shown under the error message. */
  failureAction?: ReactNode;
  /** Whether to say above the data that a refetch failed, where a person can ask for one. */
  showsRefetchFailure?: boolean;
  children: (data: Data) => ReactNode;
}

/**
 * Shows a query's data as soon as there are any, and goes on showing them when a later refetch fails: a query then reports
 * an error although its data are still there. Components must not branch on the query's error state themselves.
 */
export function QueryView<Data>({
  query,
  loading,
  failureMessage = errorMessage,
  failed,
  ...props
}: QueryViewProps<Data>) {
  const { data, error, refetch } = query;
  if (data !== undefined) {
    if (!error || !props.showsRefetchFailure) return props.children(data);
    return (
      <>
        <LoadError message={failureMessage(error)} retry={refetch} />
        {props.children(data)}
      </>
    );
  }
  if (!error) return loading;
  if (failed) return failed(error);
  return (
    <>
      <LoadError message={failureMessage(error)} retry={refetch} />
      {props.failureAction}
    </>
  );
}

/** A `QueryView` that takes the place of a whole page. */
export function PageQueryView<Data>(props: Omit<QueryViewProps<Data>, 'failed'>) {
  const { query, failureMessage = errorMessage } = props;
  const failed = (error: Error) => (
    <Container size={560} py="xl">
      <LoadError message={failureMessage(error)} retry={query.refetch} />
    </Container>
  );
  return <QueryView {...props} failed={failed} />;
}
