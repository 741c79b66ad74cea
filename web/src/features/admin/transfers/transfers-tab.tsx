import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Card, Stack, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowUp, IconMoodEmpty } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, useMemo, useRef, useState } from 'react';
import { adminTransfersQuery, showHeldTransfers } from '../../../data/admin-panel.ts';
import { type Page, rowsOf } from '../../../data/versioned-collection.ts';
import { useCountInTitle } from '../../../lib/title-count.ts';
import { useNow } from '../../../ui/hooks.ts';
import { LazyPart, WhenOpened } from '../../../ui/lazy-part.tsx';
import { MoreButton } from '../../../ui/paged-list-view.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { EmptyState, LoadingRows } from '../../../ui/states.tsx';
import classes from '../admin.module.css';
import { useMay } from '../permitted.tsx';
import { markSeen, useMarkArrivals, useUnseenCount } from './arrivals.ts';
import type { DecisionQuestion } from './decision-dialog.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { RowHandlers } from './transfer-cells.tsx';
import { awaitsDecision, type Decision } from './transfer-labels.ts';
import { TransferCards, TransferTable } from './transfer-list.tsx';
import { useRowKeys } from './use-row-keys.ts';
import { useTransferFilter } from './use-transfer-filter.ts';

// What stands above the list, and what is opened from it, does not keep it waiting.
const ReviewQueue = lazy(async () => ({ default: (await import('./review-queue.tsx')).ReviewQueue }));
const Overview = lazy(async () => ({ default: (await import('../overview.tsx')).Overview }));
const TransferDrawer = lazy(async () => ({ default: (await import('./transfer-drawer.tsx')).TransferDrawer }));
const DecisionDialog = lazy(async () => ({ default: (await import('./decision-dialog.tsx')).DecisionDialog }));

/** From here on a table has room for all its columns. */
const tableQuery = '(min-width: 73em)';

/** Lines of the queue above the list: with them the figures are still in sight. */
const queuedAbove = 5;

/** What waits for a decision, the figures, and all transfers with what can be done with them; follows the truth live. */
export function TransfersTab() {
  const { search, setSearch, narrowing, narrow, clear, filter, openId, setOpenId } = useTransferFilter();
  const queryClient = useQueryClient();
  const list = useInfiniteQuery({ ...adminTransfersQuery(filter), placeholderData: keepPreviousData });
  const rows = useMemo(() => (list.data ? rowsOf(list.data) : []), [list.data]);
  useMarkArrivals(JSON.stringify(filter), list.data && !list.isPlaceholderData ? rows : null);
  const [question, setQuestion] = useState<DecisionQuestion | null>(null);
  const [asking, setAsking] = useState(false);
  const now = useNow();
  const isWide = useMediaQuery(tableQuery, undefined, { getInitialValueInEffect: false });
  const may = useMay();
  const shown = useRef<HTMLDivElement>(null);

  const handlers = useMemo<RowHandlers>(
    () => ({
      decide: (id, decision) => {
        setQuestion((last) => ({ id, decision, opening: (last?.opening ?? 0) + 1 }));
        setAsking(true);
      },
      open: (id) => {
        markSeen(id);
        setOpenId(id);
      },
    }),
    [setOpenId],
  );
  const locked = asking || openId !== null;
  const isFiltered = Object.values(filter).some(Boolean);
  const isQueue = filter.view === 'to_decide' && Object.values(filter).filter(Boolean).length === 1;
  const hasQueue = may('reviews') && (isQueue || !isFiltered);
  // In its view the queue has what the list would have, with why to look twice.
  const hasList = !(hasQueue && isQueue);
  const decide = (decision: Decision) => (id: string) => {
    const transfer = rows.find((row) => row.id === id);
    if (transfer && awaitsDecision(transfer) && may(decision)) handlers.decide(transfer.id, decision);
  };
  useRowKeys({
    list: shown,
    locked,
    actions: { a: decide('approve'), r: decide('reject') },
  });
  return (
    <Stack gap="md">
      <FilterBar {...{ search, setSearch, narrowing, narrow, clear, rows }} />
      {hasQueue && (
        <LazyPart pending={<LoadingRows rows={queuedAbove} height={72} />}>
          <ReviewQueue
            now={now}
            handlers={handlers}
            locked={locked}
            most={isQueue ? Number.POSITIVE_INFINITY : queuedAbove}
            showAll={() => narrow({ view: 'to_decide' })}
            empty={isQueue && <NothingFound clear={clear}>{t`Nada espera una decisión`}</NothingFound>}
          />
        </LazyPart>
      )}
      {!isFiltered && (
        <LazyPart pending={<div className={classes.overviewPending} data-pending />}>
          <Overview />
        </LazyPart>
      )}
      <UnseenNews />
      {hasList && <HeldRows list={list} show={() => showHeldTransfers(queryClient, filter)} />}
      {hasList && (
        <div ref={shown}>
          <QueryView query={list} loading={<LoadingRows rows={6} height={isWide ? 52 : 210} />}>
            {() =>
              rows.length === 0 ? (
                <NothingFound clear={isFiltered ? clear : null}>
                  {isQueue ? t`Nada espera una decisión` : t`No se encontraron transacciones`}
                </NothingFound>
              ) : isWide ? (
                <Card padding={0} style={{ overflow: 'visible' }}>
                  <TransferTable rows={rows} now={now} handlers={handlers} />
                </Card>
              ) : (
                <TransferCards rows={rows} now={now} handlers={handlers} />
              )
            }
          </QueryView>
        </div>
      )}
      {hasList && <MoreButton list={list} testid="admin-load-more" />}
      <WhenOpened opened={openId !== null}>
        {(opened) => (
          <TransferDrawer
            id={opened ? openId : null}
            rows={rows}
            now={now}
            handlers={handlers}
            close={() => setOpenId(null)}
            locked={asking}
          />
        )}
      </WhenOpened>
      <WhenOpened opened={asking}>
        {(opened) => (
          <DecisionDialog opened={opened} question={question} rows={rows} now={now} close={() => setAsking(false)} />
        )}
      </WhenOpened>
    </Stack>
  );
}

/** How many rows came since the list is full, and the way to them. */
function HeldRows({ list, show }: { list: { data?: { pages: Page<unknown>[] } | undefined }; show: () => void }) {
  const count = list.data?.pages[0]?.held?.length ?? 0;
  return (
    <div role="status">
      {count > 0 && (
        <Button
          variant="light"
          fullWidth
          leftSection={<IconArrowUp size={18} aria-hidden />}
          onClick={show}
          data-testid="admin-held"
        >
          {plural(count, { one: 'Mostrar # transacción nueva', other: 'Mostrar # transacciones nuevas' })}
        </Button>
      )}
    </div>
  );
}

function NothingFound({ clear, children }: { clear: (() => void) | null; children: ReactNode }) {
  return (
    <EmptyState
      icon={<IconMoodEmpty aria-hidden />}
      action={
        clear && (
          <Button variant="default" onClick={clear}>
            <Trans>Ver todas</Trans>
          </Button>
        )
      }
    >
      {children}
    </EmptyState>
  );
}

/** Announces arrivals to screen readers, and counts them in the document title for users of another tab. */
function UnseenNews() {
  const count = useUnseenCount();
  useCountInTitle(count);
  return (
    <VisuallyHidden role="status">
      {count === 0 ? '' : plural(count, { one: '# transacción nueva', other: '# transacciones nuevas' })}
    </VisuallyHidden>
  );
}
