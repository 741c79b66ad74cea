import { Trans } from '@lingui/react/macro';
import { Button, Center } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorMessage } from '../lib/http.ts';
import { LoadError } from './load-error.tsx';
import { QueryView } from './query-view.tsx';

type PagedQuery<Item> = UseInfiniteQueryResult<InfiniteData<{ items: Item[] }>>;

/** A list that is loaded page by page: its items, what to show when there are none, and a button for the next page. */
export function PagedListView<Item>(props: {
  query: PagedQuery<Item>;
  loading: ReactNode;
  empty: ReactNode;
  moreTestid: string;
  /** Space above that button, where nothing else keeps it apart. */
  moreGap?: 'md';
  children: (items: Item[]) => ReactNode;
}) {
  const { query, empty, children } = props;
  return (
    <>
      <QueryView query={query} loading={props.loading}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          return items.length === 0 ? empty : children(items);
        }}
      </QueryView>
      <MoreButton list={query} testid={props.moreTestid} mt={props.moreGap ?? 0} />
      {query.isFetchNextPageError && <LoadError message={errorMessage(query.error)} retry={query.fetchNextPage} />}
    </>
  );
}

/** Asks for the next page of a list, as long as there is one. */
export function MoreButton({
  list: { hasNextPage, isFetchingNextPage, fetchNextPage },
  testid,
  mt = 0,
}: {
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  testid: string;
  /** Where nothing else keeps it apart. */
  mt?: 'md' | 0;
}) {
  if (!hasNextPage) return null;
  return (
    <Center mt={mt}>
      <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()} data-testid={testid}>
        <Trans>Ver más</Trans>
      </Button>
    </Center>
  );
}
