import { Button, ScrollArea, Table, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { formatRateLine } from '#core/format';
import { sentenceOf } from '../../lib/http.ts';
import { LoadError, LoadingRows } from '../../ui/states.tsx';
import classes from './admin.module.css';
import { laPazShort, zoneName } from './la-paz-time.ts';
import { rateHistoryQuery } from './queries.ts';

/** Rates that were set, newest first, and by whom. */
export function RateHistory() {
  const history = useInfiniteQuery(rateHistoryQuery);
  const entries = history.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section aria-labelledby="rate-history-title" data-testid="admin-rate-history">
      <Title order={3} id="rate-history-title" fz="md" mb={6}>
        Historial
      </Title>
      {history.isPending && <LoadingRows rows={5} height={22} />}
      {history.isError && !history.data && <LoadError sentence={sentenceOf(history.error)} retry={history.refetch} />}
      {history.data && entries.length === 0 && <Text c="dimmed">No hay historial disponible</Text>}
      {entries.length > 0 && (
        <ScrollArea.Autosize mah={208} type="auto" offsetScrollbars="y" viewportProps={{ tabIndex: 0 }}>
          <Table fz="sm" verticalSpacing={5} horizontalSpacing={6} className={classes.plain}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Fecha ({zoneName})</Table.Th>
                <Table.Th>Tasa</Table.Th>
                <Table.Th visibleFrom="xs">Fijada por</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {entries.map(({ id, date, currency, rate, setBy }) => (
                <Table.Tr key={id}>
                  <Table.Td className="cq-num" c="dimmed">
                    {laPazShort(date)}
                    <Text fz="xs" hiddenFrom="xs">
                      {setBy}
                    </Text>
                  </Table.Td>
                  <Table.Td className="cq-num" fw={600}>
                    {formatRateLine(rate, currency)}
                  </Table.Td>
                  <Table.Td visibleFrom="xs">{setBy}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
      {history.hasNextPage && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt={4}
          loading={history.isFetchingNextPage}
          onClick={() => history.fetchNextPage()}
        >
          Ver más
        </Button>
      )}
    </section>
  );
}
