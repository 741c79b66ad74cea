import { Alert, Button, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChecklist, IconPlugConnectedX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { type CaseFilter, caseFilter } from '#core/contracts/http/operations';
import { openCaseParam } from '#core/contracts/page-addresses';
import { type CaseStatus, casesQuery } from '../../../data/desk-cases.ts';
import { useLiveStatus } from '../../../lib/live.ts';
import { useNow } from '../../../lib/use-now.ts';
import { MoreButton } from '../../../ui/paged-list-view.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { EmptyState, LoadingRows } from '../../../ui/states.tsx';
import { CaseCards } from './case-cards.tsx';
import { CaseDrawer } from './case-drawer.tsx';
import { CaseTable } from './case-table.tsx';
import { DeskFilterBar } from './desk-filter-bar.tsx';

/** From here on a table has room for all its columns. */
const tableQuery = '(min-width: 73em)';

const noFilter = { reason: null, older_than_hours: null, assigned: null } as const;

const emptyTexts: Readonly<Record<CaseStatus, string>> = {
  open: 'Nada necesita a una persona ahora',
  resolved: 'Todavía no se resolvió ningún caso',
};

/** The operations desk: everything that needs a person, the oldest first. */
export function DeskTab() {
  const [status, setStatus] = useState<CaseStatus>('open');
  const [params, setParams] = useSearchParams();
  const filter = caseFilter.safeParse(Object.fromEntries(params)).data ?? {};
  const isFiltered = Object.keys(filter).length > 0;
  const list = useInfiniteQuery(casesQuery(status, filter));
  const cases = list.data?.pages.flatMap((page) => page.items) ?? [];
  const now = useNow();
  const isWide = useMediaQuery(tableQuery, undefined, { getInitialValueInEffect: false });
  const changeAddress = (changes: Readonly<Record<string, string | null | undefined>>) =>
    setParams(
      (known) => {
        const next = new URLSearchParams(known);
        for (const [name, value] of Object.entries(changes)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const open = (id: string | null) => changeAddress({ [openCaseParam]: id });
  const setFilter = (next: CaseFilter) => changeAddress({ ...noFilter, ...next });
  const List = isWide ? CaseTable : CaseCards;
  return (
    <Stack gap="md">
      <DeskFilterBar {...{ status, setStatus, filter, setFilter }} />
      <NotLive />
      <QueryView query={list} loading={<LoadingRows rows={5} height={isWide ? 60 : 210} />} showsRefetchFailure>
        {() =>
          cases.length === 0 ? (
            <EmptyState
              icon={<IconChecklist aria-hidden />}
              action={
                isFiltered && (
                  <Button variant="default" onClick={() => setFilter({})} data-testid="desk-filter-clear">
                    Ver todos
                  </Button>
                )
              }
            >
              {isFiltered ? 'Ningún caso es así' : emptyTexts[status]}
            </EmptyState>
          ) : (
            <List cases={cases} now={now} open={open} />
          )
        }
      </QueryView>
      <MoreButton list={list} testid="desk-more" />
      <CaseDrawer id={params.get(openCaseParam)} cases={cases} now={now} close={() => open(null)} />
    </Stack>
  );
}

/** A connection that was lost: what is shown may have been dealt with by somebody else. */
function NotLive() {
  const lost = useLiveStatus(({ connected, everConnected }) => everConnected && !connected);
  return (
    lost && (
      <Alert color="yellow" icon={<IconPlugConnectedX aria-hidden />} role="status" data-testid="desk-not-live">
        Sin conexión en vivo. Lo que ves puede haber cambiado; se actualiza solo al reconectar.
      </Alert>
    )
  );
}
