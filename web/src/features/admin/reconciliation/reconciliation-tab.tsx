import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Alert,
  Anchor,
  Button,
  Card,
  FileButton,
  Group,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { IconChecklist, IconDownload, IconFileUpload, IconRefresh } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { adminRoutes } from '#core/contracts/http/admin-routes';
import { type ExportList, exportLists, type ReconciliationView } from '#core/contracts/http/reconciliation';
import { formatMinor, parseMinor } from '#core/money/money';
import { type Cause, causeNames } from '#core/reconciliation/cause';
import { dayMs, laPazDay } from '#core/time/time';
import { referenceOf } from '#core/transfers/reference';
import { useOptionalQuery } from '../../../data/optional-query.ts';
import {
  type ExceptionStatus,
  exceptionsQuery,
  reconciliationQuery,
  useImportStatement,
  useRunReconciliation,
} from '../../../data/reconciliation.ts';
import { ageText, formatCalendarDay, laPazTime, zoneName } from '../../../lib/format/dates.ts';
import { formatBolivianos } from '../../../lib/format/money.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { addressOf, errorMessage } from '../../../lib/http.ts';
import { toastDone, toastError } from '../../../lib/toast.ts';
import { Money } from '../../../ui/figures.tsx';
import { useNow } from '../../../ui/hooks.ts';
import { PagedListView } from '../../../ui/paged-list-view.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { EmptyState, LoadingRows } from '../../../ui/states.tsx';
import { causeMessages, sideNames } from './book-messages.ts';
import { DayCards } from './day-list.tsx';
import { ExceptionCards } from './exception-list.tsx';

/** Our books beside what Stripe and the bank say: differences, days to close, and files for accounting. */
export function ReconciliationTab() {
  const overview = useQuery(reconciliationQuery);
  return (
    <Stack gap="xl">
      <QueryView query={overview} loading={<LoadingRows rows={2} height={60} />} showsRefetchFailure>
        {(view) => <Sources view={view} />}
      </QueryView>
      <QueryView query={overview} loading={null}>
        {(view) => <OwedToFamilies owed={view.owed_to_families} />}
      </QueryView>
      <Exceptions />
      <Stack gap="md">
        <Title order={2} fz="h3">
          <Trans>Días</Trans>
        </Title>
        <QueryView query={overview} loading={<LoadingRows rows={3} height={120} />}>
          {({ days }) =>
            days.length === 0 ? (
              <EmptyState icon={<IconChecklist aria-hidden />}>
                <Trans>Todavía no hay ningún día que cerrar</Trans>
              </EmptyState>
            ) : (
              <DayCards days={days} />
            )
          }
        </QueryView>
      </Stack>
      <Exports />
    </Stack>
  );
}

/** How far each source is imported, and how to import more. */
function Sources({ view }: { view: ReconciliationView }) {
  const run = useRunReconciliation();
  const upload = useImportStatement();
  const compare = () =>
    run.mutate(undefined, {
      onSuccess: () => toastDone(t`Comparando`, t`Se importa lo nuevo y se compara; la lista se actualiza sola.`),
      onError: (error) => toastError(t`No se pudo comparar`, errorMessage(error)),
    });
  const importFile = (file: File | null) => {
    if (!file) return;
    upload.mutate(file, {
      onSuccess: ({ day, lines, added }) => {
        const [date, all, fresh] = [formatCalendarDay(day), formatCount(lines), formatCount(added)];
        toastDone(t`Extracto importado`, t`Del ${date}: ${all} líneas, ${fresh} nuevas.`);
      },
    });
  };
  const stripeUntil = view.stripe_until && laPazTime(view.stripe_until);
  const bankUntil = view.bank_until && formatCalendarDay(view.bank_until);
  const closedUntil = view.closed_until && formatCalendarDay(view.closed_until);
  return (
    <Stack gap="sm">
      <Card padding="md" data-testid="books-sources">
        <Group justify="space-between" gap="md" align="flex-start">
          <Stack gap={4}>
            <Text>
              {stripeUntil ? t`Stripe: importado hasta el ${stripeUntil}` : t`Stripe: todavía nada importado`}
            </Text>
            <Text>{bankUntil ? t`Banco: extractos hasta el ${bankUntil}` : t`Banco: todavía ningún extracto`}</Text>
            <Text c="dimmed">
              {closedUntil ? t`Cerrado hasta el ${closedUntil}` : t`Todavía no se cerró ningún día`}
            </Text>
          </Stack>
          <Group gap="sm">
            <FileButton onChange={importFile} accept=".xml,.csv,text/csv,text/xml,application/xml">
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  leftSection={<IconFileUpload size={18} aria-hidden />}
                  loading={upload.isPending}
                  data-testid="books-import"
                >
                  <Trans>Importar extracto</Trans>
                </Button>
              )}
            </FileButton>
            <Button
              leftSection={<IconRefresh size={18} aria-hidden />}
              loading={run.isPending}
              onClick={compare}
              data-testid="books-run"
            >
              <Trans>Comparar ahora</Trans>
            </Button>
          </Group>
        </Group>
      </Card>
      {upload.error && (
        <Alert color="red" role="alert" title={t`No se importó nada`} data-testid="books-import-refused">
          {errorMessage(upload.error)}
        </Alert>
      )}
    </Stack>
  );
}

/** What the bank returned and families are still owed: both sides agree about it, and the money is not ours. Takes no room without any. */
function OwedToFamilies({ owed }: { owed: ReconciliationView['owed_to_families'] }) {
  const now = useNow();
  if (owed.length === 0) return null;
  const total = formatBolivianos(formatMinor(owed.reduce((sum, { amount }) => sum + (parseMinor(amount) ?? 0n), 0n)));
  return (
    <Stack gap="md" data-testid="books-owed">
      <Title order={2} fz="h3">
        <Trans>Debido a familias</Trans>
      </Title>
      <Text>
        <Trans>
          El banco devolvió <b>{total}</b> de pagos ya hechos. Cuadra con el extracto, pero no es nuestro: se vuelve a
          pagar o se devuelve su parte en Operaciones.
        </Trans>
      </Text>
      <Card padding="md">
        <ul className="cq-list" style={{ gap: 12 }}>
          {owed.map(({ transfer_id: id, amount, since }) => (
            <Group key={id} component="li" justify="space-between" gap="sm" data-testid="books-owed-transfer">
              <Anchor component={Link} to={`/admin?transfer=${id}`} className="cq-num">
                {referenceOf(id)}
              </Anchor>
              <Text fz="sm" c="dimmed">
                {since === null ? t`Sin caso abierto` : ageText(since, now)}
              </Text>
              <Money amount={amount} currency="BOB" fw={600} />
            </Group>
          ))}
        </ul>
      </Card>
    </Stack>
  );
}

/** The part of the address that says of which cause differences are listed. */
const causeParam = 'cause';

/** All causes by where they are found, as their cards are titled. */
function causeChoices() {
  const choice = (name: Cause) => ({ value: name, label: i18n._(causeMessages[name]) });
  const isBanks = (name: Cause) => /^(payout|return|bank)_/.test(name);
  return [
    { value: '', label: t`Todas las causas` },
    { group: i18n._(sideNames.stripe), items: causeNames.filter((name) => !isBanks(name)).map(choice) },
    { group: i18n._(sideNames.bank), items: causeNames.filter(isBanks).map(choice) },
  ];
}

function Exceptions() {
  const [status, setStatus] = useState<ExceptionStatus>('open');
  const [params, setParams] = useSearchParams();
  const cause = causeNames.find((name) => name === params.get(causeParam)) ?? null;
  const setCause = (next: string) =>
    setParams(
      (known) => {
        const changed = new URLSearchParams(known);
        if (next === '') changed.delete(causeParam);
        else changed.set(causeParam, next);
        return changed;
      },
      { replace: true, preventScrollReset: true },
    );
  const list = useInfiniteQuery(exceptionsQuery(status, cause));
  const isOwed = (useOptionalQuery(reconciliationQuery)?.owed_to_families.length ?? 0) > 0;
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Title order={2} fz="h3">
          <Trans>Diferencias</Trans>
        </Title>
        <Group gap="sm">
          <NativeSelect
            aria-label={t`Causa`}
            data={causeChoices()}
            value={cause ?? ''}
            onChange={({ currentTarget }) => setCause(currentTarget.value)}
            maw="100%"
            data-testid="books-cause"
          />
          <SegmentedControl
            aria-label={t`Qué diferencias`}
            value={status}
            onChange={(value) => setStatus(value as ExceptionStatus)}
            data={[
              { value: 'open', label: t`Abiertas` },
              { value: 'decided', label: t`Resueltas` },
            ]}
            data-testid="books-status"
          />
        </Group>
      </Group>
      <PagedListView
        query={list}
        loading={<LoadingRows rows={3} height={140} />}
        empty={
          <EmptyState
            icon={<IconChecklist aria-hidden />}
            action={
              cause && (
                <Button variant="default" onClick={() => setCause('')} data-testid="books-cause-clear">
                  <Trans>Ver todas</Trans>
                </Button>
              )
            }
          >
            {cause
              ? t`Ninguna diferencia es así`
              : status === 'open'
                ? nothingOpen(isOwed)
                : t`Todavía no se resolvió ninguna`}
          </EmptyState>
        }
        moreTestid="books-more"
      >
        {(items) => <ExceptionCards exceptions={items} />}
      </PagedListView>
    </Stack>
  );
}

const nothingOpen = (isOwed: boolean) =>
  isOwed
    ? t`Ninguna diferencia abierta. Falta lo que se debe a familias.`
    : t`Los libros cuadran con Stripe y con el banco`;

const names: Readonly<Record<ExportList, MessageDescriptor>> = {
  transfers: msg`Envíos`,
  postings: msg`Asientos`,
  profit: msg`Ganancias`,
  exceptions: msg`Diferencias`,
};

const monthMs = 30 * dayMs;

/** Files for accounting: lists of some days as CSV. */
function Exports() {
  const [from, setFrom] = useState(() => laPazDay(new Date(Date.now() - monthMs)));
  const [to, setTo] = useState(() => laPazDay(new Date()));
  const isRange = from !== '' && to !== '' && from <= to;
  const zone = zoneName();
  return (
    <Stack gap="md">
      <Title order={2} fz="h3">
        <Trans>Exportar (CSV)</Trans>
      </Title>
      <Card padding="md">
        <Stack gap="md">
          <Group gap="sm" align="flex-start">
            <TextInput
              type="date"
              label={t`Desde`}
              value={from}
              onChange={(event) => setFrom(event.currentTarget.value)}
              data-testid="export-from"
            />
            <TextInput
              type="date"
              label={t`Hasta`}
              value={to}
              onChange={(event) => setTo(event.currentTarget.value)}
              error={!isRange && t`Elige un rango de días`}
              data-testid="export-to"
            />
          </Group>
          <Group gap="sm">
            {exportLists.map((list) => (
              <Button
                key={list}
                component="a"
                variant="default"
                leftSection={<IconDownload size={18} aria-hidden />}
                {...(isRange
                  ? { href: addressOf(adminRoutes.exportCsv.path, { list, from, to }, undefined), download: true }
                  : { 'data-disabled': true, 'aria-disabled': true })}
                data-testid={`export-${list}`}
              >
                {i18n._(names[list])}
              </Button>
            ))}
          </Group>
          <Text fz="sm" c="dimmed">
            <Trans>Días y horas en {zone}, como dice el encabezado.</Trans>
          </Text>
        </Stack>
      </Card>
    </Stack>
  );
}
