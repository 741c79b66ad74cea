import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, CloseButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconSearch, IconX } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { adminTransferViews } from '#core/contracts/page-addresses';
import { type AdminTransferFilter, statsQuery } from '../../../data/admin-panel.ts';
import { useOptionalQuery } from '../../../data/optional-query.ts';
import { formatCalendarDay } from '../../../lib/format/dates.ts';
import { formatCount, formatDecimal } from '../../../lib/format/numbers.ts';
import { LazyPart } from '../../../ui/lazy-part.tsx';
import classes from '../admin.module.css';
import { adminStatusLabel } from './transfer-labels.ts';

// Comes when somebody wants more than a view.
const FilterForm = lazy(async () => ({ default: (await import('./filter-form.tsx')).FilterForm }));

interface Props {
  search: string;
  setSearch: (search: string) => void;
  narrowing: AdminTransferFilter;
  narrow: (filter: AdminTransferFilter) => void;
  clear: () => void;
  rows: readonly AdminTransferView[];
}

const viewLabels = { to_decide: msg`Para decidir`, stuck: msg`Atascadas`, today: msg`Hoy` } as const;

/** What narrows the list: a view in one press, a search, filters, and which of them are on. */
export function FilterBar({ search, setSearch, narrowing, narrow, clear, rows }: Props) {
  const counts = useOptionalQuery(statsQuery)?.views;
  const [opened, setOpened] = useState(false);
  const chips = chipsOf(narrowing, rows);
  const { view } = narrowing;
  return (
    <Stack gap="xs">
      <div className={classes.filterBar}>
        <fieldset className={classes.views} aria-label={t`Vistas`}>
          <ViewButton on={!view} press={() => narrow({ view: undefined })} testid="admin-view-all">
            {t`Todas`}
          </ViewButton>
          {adminTransferViews.map((name) => (
            <ViewButton
              key={name}
              on={view === name}
              press={() => narrow({ view: view === name ? undefined : name })}
              testid={`admin-view-${name}`}
            >
              {i18n._(viewLabels[name])}
              {counts && <span className="cq-num">&nbsp;({formatCount(counts[name])})</span>}
            </ViewButton>
          ))}
        </fieldset>
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
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
          data-testid="admin-filters"
        >
          <Trans>Filtros</Trans>
        </Button>
      </div>
      {view === 'stuck' && (
        <Text fz="sm" c="dimmed" data-testid="admin-view-meaning">
          <Trans>
            Con un caso abierto, sin llegar cuando se prometió, o con el dinero volviendo a la tarjeta desde hace más de
            un día.
          </Trans>
        </Text>
      )}
      {opened && (
        <LazyPart>
          <FilterForm
            narrowing={narrowing}
            apply={(next) => {
              narrow(next);
              setOpened(false);
            }}
          />
        </LazyPart>
      )}
      {chips.length > 0 && (
        <Group gap={6} data-testid="admin-chips">
          {chips.map(([name, text]) => (
            <Button
              key={name}
              size="compact-md"
              variant="light"
              rightSection={<IconX size={16} aria-hidden />}
              onClick={() => narrow({ [name]: undefined })}
              aria-label={t`Quitar el filtro: ${text}`}
              data-testid={`admin-chip-${name}`}
            >
              {text}
            </Button>
          ))}
          <Button size="compact-md" variant="subtle" onClick={clear} data-testid="admin-filters-clear">
            <Trans>Quitar todos</Trans>
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function ViewButton(props: { on: boolean; press: () => void; testid: string; children: React.ReactNode }) {
  return (
    <Button
      variant={props.on ? 'filled' : 'default'}
      px="sm"
      flex="none"
      aria-pressed={props.on}
      onClick={props.press}
      data-testid={props.testid}
    >
      {props.children}
    </Button>
  );
}

type Chip = readonly [name: Exclude<keyof AdminTransferFilter, 'search' | 'view'>, text: string];

/** What the list is narrowed by beside view and search, a text each. */
function chipsOf(narrowing: AdminTransferFilter, rows: readonly AdminTransferView[]): Chip[] {
  const { status, currency, bank, sender } = narrowing;
  const [from, to] = [narrowing.from, narrowing.to].map((day) => day && formatCalendarDay(`${day}T00:00:00Z`));
  const [least, most] = [narrowing.least, narrowing.most].map((amount) => amount && formatDecimal(amount));
  const user = rows.find(({ user_id }) => user_id === sender)?.user;
  return [
    ...(status ? [['status', adminStatusLabel(status)] as const] : []),
    ...(from ? [['from', t`Desde el ${from}`] as const] : []),
    ...(to ? [['to', t`Hasta el ${to}`] as const] : []),
    ...(currency ? [['currency', currency] as const] : []),
    ...(least ? [['least', t`Desde ${least}`] as const] : []),
    ...(most ? [['most', t`Hasta ${most}`] as const] : []),
    ...(bank ? [['bank', bank] as const] : []),
    ...(sender ? [['sender', user ? t`De ${user}` : t`De una persona`] as const] : []),
  ];
}
