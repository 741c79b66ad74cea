import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorMessage } from '../lib/http.ts';
import { LoadError } from './load-error.tsx';
import { MoreButton } from './more-button.tsx';
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
