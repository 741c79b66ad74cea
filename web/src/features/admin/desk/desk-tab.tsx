import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, NativeSelect, SegmentedControl, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChecklist, IconPlugConnectedX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { type CaseFilter, caseAges, caseFilter, caseKeepers } from '#core/contracts/http/operations';
import { openCaseParam } from '#core/contracts/page-addresses';
import { caseReasonNames } from '#core/operations/desk-case';
import { type CaseStatus, casesQuery } from '../../../data/desk-cases.ts';
import { useLiveStatus } from '../../../lib/live.ts';
import { useNow } from '../../../ui/hooks.ts';
import { MoreButton } from '../../../ui/paged-list-view.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { EmptyState, LoadingRows } from '../../../ui/states.tsx';
import classes from '../admin.module.css';
import { MoneyStops } from '../money-stops/money-stops.tsx';
import { CaseDrawer } from './case-drawer.tsx';
import { CaseCards, CaseTable } from './case-list.tsx';
import { reasonMessages } from './case-messages.ts';

/** From here on a table has room for all its columns. */
const tableQuery = '(min-width: 73em)';

const noFilter = { reason: null, older_than_hours: null, assigned: null } as const;

const emptyTexts: Readonly<Record<CaseStatus, MessageDescriptor>> = {
  open: msg`Nada necesita a una persona ahora`,
  resolved: msg`Todavía no se resolvió ningún caso`,
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
      <MoneyStops />
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
                    <Trans>Ver todos</Trans>
                  </Button>
                )
              }
            >
              {isFiltered ? t`Ningún caso es así` : i18n._(emptyTexts[status])}
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
        <Trans>Sin conexión en vivo. Lo que ves puede haber cambiado; se actualiza solo al reconectar.</Trans>
      </Alert>
    )
  );
}

const ageLabels = { 1: msg`Más de 1 hora`, 24: msg`Más de 1 día`, 72: msg`Más de 3 días` } as const;
const keeperLabels = { me: msg`Los míos`, nobody: msg`De nadie` } as const;

const reasons = () => [
  { value: '', label: t`Todos los motivos` },
  ...caseReasonNames.map((reason) => ({ value: reason, label: i18n._(reasonMessages[reason].title) })),
];
const ages = () => [
  { value: '', label: t`Toda espera` },
  ...caseAges.map((hours) => ({ value: hours, label: i18n._(ageLabels[hours]) })),
];
const keepers = () => [
  { value: '', label: t`De todos` },
  ...caseKeepers.map((keeper) => ({ value: keeper, label: i18n._(keeperLabels[keeper]) })),
];

/** What narrows the list of cases. */
function DeskFilterBar({
  status,
  setStatus,
  filter,
  setFilter,
}: {
  status: CaseStatus;
  setStatus: (status: CaseStatus) => void;
  filter: CaseFilter;
  setFilter: (filter: CaseFilter) => void;
}) {
  const select = (label: string, testid: string, className = classes.halfFilter) => ({
    ...{ size: 'md', 'aria-label': label, className: className ?? '', 'data-testid': testid },
  });
  return (
    <Group gap="sm">
      <SegmentedControl
        aria-label={t`Qué casos`}
        value={status}
        onChange={(value) => setStatus(value as CaseStatus)}
        data={[
          { value: 'open', label: t`Abiertos` },
          { value: 'resolved', label: t`Resueltos` },
        ]}
        className={classes.halfFilter ?? ''}
        data-testid="desk-status"
      />
      <NativeSelect
        {...select(t`Motivo`, 'desk-filter-reason', classes.reasonFilter)}
        data={reasons()}
        value={filter.reason ?? ''}
        onChange={({ currentTarget: { value } }) =>
          setFilter({ ...filter, reason: caseReasonNames.find((name) => name === value) })
        }
      />
      <NativeSelect
        {...select(t`Espera`, 'desk-filter-age')}
        data={ages()}
        value={filter.older_than_hours ?? ''}
        onChange={({ currentTarget: { value } }) =>
          setFilter({ ...filter, older_than_hours: caseAges.find((hours) => hours === value) })
        }
      />
      <NativeSelect
        {...select(t`Quién lo tiene`, 'desk-filter-keeper')}
        data={keepers()}
        value={filter.assigned ?? ''}
        onChange={({ currentTarget: { value } }) =>
          setFilter({ ...filter, assigned: caseKeepers.find((keeper) => keeper === value) })
        }
      />
    </Group>
  );
}
