import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Card, CloseButton, Group, NativeSelect, Stack, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { IconClock, IconMoodEmpty, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, useCallback, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { adminTransferParam } from '#core/contracts/page-addresses';
import { type TransferStatus, transferStatusNames } from '#core/transfers/states';
import { type AdminTransferFilter, adminTransfersQuery, statsQuery } from '../../../data/admin-panel.ts';
import { rowsOf } from '../../../data/versioned-collection.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { useNow } from '../../../ui/hooks.ts';
import { LazyPart } from '../../../ui/lazy-part.tsx';
import { MoreButton } from '../../../ui/paged-list-view.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { EmptyState, LoadingRows } from '../../../ui/states.tsx';
import classes from '../admin.module.css';
import { markSeen, useMarkArrivals, useUnseenCount } from './arrivals.ts';
import { DecisionDialog, type DecisionQuestion } from './decision-dialog.tsx';
import type { RowHandlers } from './transfer-cells.tsx';
import { TransferDrawer } from './transfer-drawer.tsx';
import { adminStatusLabel } from './transfer-labels.ts';
import { TransferCards, TransferTable } from './transfer-list.tsx';

const ReviewQueue = lazy(async () => ({ default: (await import('./review-queue.tsx')).ReviewQueue }));

const searchPauseMs = 250;
/** From here on a table has room for all its columns. */
const tableQuery = '(min-width: 73em)';

/** All transfers with what can be done with them; follows the truth live. */
export function TransfersTab() {
  const { search, setSearch, status, setStatus, openId, setOpenId, filter } = useAddressState();
  const list = useInfiniteQuery({ ...adminTransfersQuery(filter), placeholderData: keepPreviousData });
  const rows = useMemo(() => (list.data ? rowsOf(list.data) : []), [list.data]);
  useMarkArrivals(JSON.stringify(filter), list.data && !list.isPlaceholderData ? rows : null);
  const [question, setQuestion] = useState<DecisionQuestion | null>(null);
  const [asking, setAsking] = useState(false);
  const now = useNow();
  const isWide = useMediaQuery(tableQuery, undefined, { getInitialValueInEffect: false });
  const pendingCount = useQuery(statsQuery).data?.pendingTransactions;

  const handlers = useMemo<RowHandlers>(
    () => ({
      decide: (id, decision) => {
        setQuestion({ id, decision });
        setAsking(true);
      },
      open: (id) => {
        markSeen(id);
        setOpenId(id);
      },
    }),
    [setOpenId],
  );
  const isFiltered = Boolean(filter.search || filter.status);
  return (
    <Stack gap="md">
      <LazyPart missing={null}>
        <ReviewQueue now={now} handlers={handlers} locked={asking || openId !== null} />
      </LazyPart>
      <TransferFilterBar {...{ search, setSearch, status, setStatus, pendingCount }} />
      <UnseenNews />
      <QueryView query={list} loading={<LoadingRows rows={6} height={isWide ? 52 : 210} />}>
        {() =>
          rows.length === 0 ? (
            <EmptyState
              icon={<IconMoodEmpty aria-hidden />}
              action={
                isFiltered && (
                  <Button
                    variant="default"
                    onClick={() => {
                      setSearch('');
                      setStatus(undefined);
                    }}
                  >
                    <Trans>Ver todas</Trans>
                  </Button>
                )
              }
            >
              <Trans>No se encontraron transacciones</Trans>
            </EmptyState>
          ) : isWide ? (
            <Card padding={0} style={{ overflow: 'visible' }}>
              <TransferTable rows={rows} now={now} handlers={handlers} />
            </Card>
          ) : (
            <TransferCards rows={rows} now={now} handlers={handlers} />
          )
        }
      </QueryView>
      <MoreButton list={list} testid="admin-load-more" />
      <TransferDrawer
        id={openId}
        rows={rows}
        now={now}
        handlers={handlers}
        close={() => setOpenId(null)}
        locked={asking}
      />
      <DecisionDialog opened={asking} question={question} rows={rows} close={() => setAsking(false)} />
    </Stack>
  );
}

/** Status and open transfer live in the address: they survive a reload and can be sent to a colleague. Names stay out of it. */
function useAddressState() {
  const [params, setParams] = useSearchParams();
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search.trim(), searchPauseMs);
  const status = transferStatusNames.find((name) => name === params.get('status'));
  const set = useCallback(
    (name: string, value: string | null | undefined) =>
      setParams(
        (known) => {
          const next = new URLSearchParams(known);
          if (value) next.set(name, value);
          else next.delete(name);
          return next;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParams],
  );
  return {
    search,
    setSearch,
    status,
    setStatus: useCallback((value: TransferStatus | undefined) => set('status', value), [set]),
    openId: params.get(adminTransferParam),
    setOpenId: useCallback((id: string | null) => set(adminTransferParam, id), [set]),
    filter: useMemo<AdminTransferFilter>(() => ({ search: settled || undefined, status }), [settled, status]),
  };
}

/** Announces arrivals to screen readers, and counts them in the document title for users of another tab. */
function UnseenNews() {
  const count = useUnseenCount();
  useEffect(() => {
    if (count === 0) return;
    const title = document.title;
    document.title = `(${count}) ${title}`;
    return () => {
      document.title = title;
    };
  }, [count]);
  return (
    <VisuallyHidden role="status">
      {count === 0 ? '' : plural(count, { one: '# transacción nueva', other: '# transacciones nuevas' })}
    </VisuallyHidden>
  );
}

const everything = 'all';
const choices = () => [
  { value: everything, label: t`Todos los estados` },
  ...transferStatusNames.map((status) => ({ value: status, label: adminStatusLabel(status) })),
];

/** What narrows the list: a search, a status, and in one press what waits for a decision. */
function TransferFilterBar({
  search,
  setSearch,
  status,
  setStatus,
  pendingCount,
}: {
  search: string;
  setSearch: (search: string) => void;
  status: TransferStatus | undefined;
  setStatus: (status: TransferStatus | undefined) => void;
  /** Undefined while not known. */
  pendingCount: number | undefined;
}) {
  const onlyPending = status === 'pending';
  return (
    <Group gap="sm">
      <Button
        variant={onlyPending ? 'filled' : 'default'}
        leftSection={<IconClock size={18} aria-hidden />}
        className={classes.pendingFilter ?? ''}
        aria-pressed={onlyPending}
        onClick={() => setStatus(onlyPending ? undefined : 'pending')}
        data-testid="admin-filter-pending"
      >
        <Trans>Pendientes</Trans>
        {pendingCount === undefined ? '' : ` (${formatCount(pendingCount)})`}
      </Button>
      <NativeSelect
        size="md"
        aria-label={t`Estado`}
        data={choices()}
        value={status ?? everything}
        onChange={({ currentTarget }) => setStatus(transferStatusNames.find((name) => name === currentTarget.value))}
        className={classes.statusFilter ?? ''}
        data-testid="admin-filter-status"
      />
      <TextInput
        type="search"
        aria-label={t`Buscar transacciones`}
        placeholder={t`Nombre, correo o número`}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={search && <CloseButton aria-label={t`Borrar la búsqueda`} onClick={() => setSearch('')} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        maxLength={100}
        className={classes.search ?? ''}
        data-testid="admin-search"
      />
    </Group>
  );
}
