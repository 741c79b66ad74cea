import { Button, Center } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';

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
        Ver más
      </Button>
    </Center>
  );
}
