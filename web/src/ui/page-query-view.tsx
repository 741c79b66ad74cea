import { Container } from '@mantine/core';
import { errorMessage } from '../lib/http.ts';
import { LoadError } from './load-error.tsx';
import { QueryView, type QueryViewProps } from './query-view.tsx';

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
