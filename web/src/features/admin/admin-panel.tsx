import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Badge, Button, Stack, Tabs } from '@mantine/core';
import {
  type Icon,
  IconArrowsExchange,
  IconChartLine,
  IconHeartRateMonitor,
  IconHistory,
  IconLifebuoy,
  IconMessageReport,
  IconPlayerPause,
  IconRefresh,
  IconScale,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, lazy, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Permission } from '#core/accounts/roles';
import type { RateView } from '#core/contracts/http/rates';
import { adminUserParam } from '#core/contracts/page-addresses';
import { sendCurrencies } from '#core/money/money';
import { rateDeskQuery, refreshPanel } from '../../data/admin-panel.ts';
import { casesQuery } from '../../data/desk-cases.ts';
import { useOptionalPages } from '../../data/optional-pages.ts';
import { useOptionalQuery } from '../../data/optional-query.ts';
import { ratesQuery } from '../../data/rates.ts';
import { openExceptionsQuery } from '../../data/reconciliation.ts';
import { adminCall } from '../../lib/admin-http.ts';
import { laPazTime } from '../../lib/format/dates.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { type CallOutput, errorMessage } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { toastDone, toastError } from '../../lib/toast.ts';
import { LazyPart, WhenOpened } from '../../ui/lazy-part.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import classes from './admin.module.css';
import { StopBanner } from './money-stops/stop-banner.tsx';
import { useMay } from './permitted.tsx';
import { QueueNotice } from './queues/queue-notice.tsx';
import { TransfersTab } from './transfers/transfers-tab.tsx';

const UserDrawer = lazy(async () => ({ default: (await import('./users/user-drawer.tsx')).UserDrawer }));

const loading = <LoadingRows rows={6} height={44} />;

interface PanelTab {
  readonly label: MessageDescriptor;
  readonly Icon: Icon;
  readonly Content: ComponentType;
  /** What a role must be allowed to read to have it. */
  readonly readBy: Permission;
  /** How much of it waits, beside its label. */
  readonly Count?: ComponentType;
}

/** By their names in the address, as they stand beside each other. Those beside the first come when somebody opens them. */
const tabs: Readonly<Record<string, PanelTab>> = {
  transfers: {
    ...{ label: msg`Transacciones`, Icon: IconArrowsExchange, readBy: 'adminTransfers' },
    Content: TransfersTab,
  },
  users: {
    ...{ label: msg`Usuarios`, Icon: IconUsers, readBy: 'adminUsers' },
    Content: lazy(async () => ({ default: (await import('./users/users-tab.tsx')).UsersTab })),
  },
  rates: {
    ...{ label: msg`Tasas`, Icon: IconChartLine, readBy: 'rateManagement', Count: OpenRateChanges },
    Content: lazy(async () => ({ default: (await import('./rates/rates-tab.tsx')).RatesTab })),
  },
  operations: {
    ...{ label: msg`Operaciones`, Icon: IconLifebuoy, readBy: 'deskCases', Count: OpenCases },
    Content: lazy(async () => ({ default: (await import('./desk/desk-tab.tsx')).DeskTab })),
  },
  complaints: {
    ...{ label: msg`Reclamos`, Icon: IconMessageReport, readBy: 'adminComplaints' },
    Content: lazy(async () => ({ default: (await import('./complaints/complaints-tab.tsx')).ComplaintsTab })),
  },
  reconciliation: {
    ...{ label: msg`Conciliación`, Icon: IconScale, readBy: 'reconciliation', Count: OpenExceptions },
    Content: lazy(async () => ({
      default: (await import('./reconciliation/reconciliation-tab.tsx')).ReconciliationTab,
    })),
  },
  webhooks: {
    ...{ label: msg`Webhooks`, Icon: IconWebhook, readBy: 'listWebhooks' },
    Content: lazy(async () => ({ default: (await import('./webhooks/webhooks-tab.tsx')).WebhooksTab })),
  },
  system: {
    ...{ label: msg`Sistema`, Icon: IconHeartRateMonitor, readBy: 'operatingFigures' },
    Content: lazy(async () => ({ default: (await import('./system/system-tab.tsx')).SystemTab })),
  },
  audit: {
    ...{ label: msg`Auditoría`, Icon: IconHistory, readBy: 'auditLog' },
    Content: lazy(async () => ({ default: (await import('./audit/audit-tab.tsx')).AuditTab })),
  },
};

/** What administrators work with: transfers first, where those that wait for a decision stand on top. */
export function AdminPanel() {
  const [params, setParams] = useSearchParams();
  const may = useMay();
  // A tab whose list the role may not read is not there.
  const shown = Object.entries(tabs).filter(([, { readBy }]) => may(readBy));
  const tab = shown.find(([name]) => name === params.get('tab'))?.[0] ?? 'transfers';
  // A tab keeps its search and filters.
  const [left] = useState(() => new Map<string, URLSearchParams>());
  const show = (next: string | null) => {
    left.set(tab, params);
    const fresh = new URLSearchParams(next && next !== 'transfers' ? { tab: next } : undefined);
    setParams(left.get(next ?? 'transfers') ?? fresh, { replace: true, preventScrollReset: true });
  };
  const userId = params.get(adminUserParam);
  const closeUser = () =>
    setParams(
      (known) => {
        known.delete(adminUserParam);
        return known;
      },
      { replace: true, preventScrollReset: true },
    );
  const list = useRef<HTMLDivElement>(null);
  // On a phone the tabs are drawn aside: the one that is open is among those that are seen, also after the phone was turned.
  useEffect(() => {
    const shownList = list.current;
    const open = shownList?.querySelector(`[data-testid=admin-tab-${tab}]`);
    if (!shownList || !open) return;
    const observer = new ResizeObserver(() => {
      const [all, one] = [shownList.getBoundingClientRect(), open.getBoundingClientRect()];
      shownList.scrollLeft += one.left + one.width / 2 - (all.left + all.width / 2);
    });
    observer.observe(shownList);
    return () => observer.disconnect();
  }, [tab]);
  return (
    <Stack gap="md" data-testid="admin-panel">
      <StopBanner />
      <QueueNotice />
      <PausedNotice />
      <Tabs id="lists" className={classes.lists} value={tab} onChange={show} keepMounted={false}>
        <Tabs.List mb="md" ref={list}>
          {shown.map(([name, { label, Icon, Count }]) => (
            <Tabs.Tab
              key={name}
              value={name}
              leftSection={<Icon size={18} aria-hidden />}
              rightSection={Count && <Count />}
              data-testid={`admin-tab-${name}`}
            >
              {i18n._(label)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map(([name, { Content }]) => (
          <Tabs.Panel key={name} value={name}>
            <LazyPart pending={loading}>
              <Content />
            </LazyPart>
          </Tabs.Panel>
        ))}
      </Tabs>
      <WhenOpened opened={userId !== null}>
        {(opened) => <UserDrawer id={opened ? userId : null} close={closeUser} />}
      </WhenOpened>
    </Stack>
  );
}

/** How many cases wait for a person, on the tab; nothing while there is none. */
function OpenCases() {
  const data = useOptionalPages(casesQuery('open'));
  const count = data?.pages.flatMap((page) => page.items).length ?? 0;
  if (count === 0) return null;
  const more = data?.pages.at(-1)?.nextCursor ? '+' : '';
  const what = plural(count, { one: 'caso abierto', other: 'casos abiertos' });
  return <TabCount shown={`${count}${more}`} what={what} testid="desk-count" />;
}

/** How many changes of rates wait for somebody or for their hour, on the tab; nothing while there is none. */
function OpenRateChanges() {
  const data = useOptionalQuery(rateDeskQuery);
  const count = data ? sendCurrencies.filter((currency) => data.currencies[currency].openChange).length : 0;
  if (count === 0) return null;
  const what = plural(count, { one: 'cambio abierto', other: 'cambios abiertos' });
  return <TabCount shown={formatCount(count)} what={what} testid="rates-count" />;
}

/** How many differences of the books are open, on the tab; nothing while there is none. */
function OpenExceptions() {
  const count = useOptionalQuery(openExceptionsQuery) ?? 0;
  if (count === 0) return null;
  const what = plural(count, { one: 'diferencia abierta', other: 'diferencias abiertas' });
  return <TabCount shown={formatCount(count)} what={what} testid="books-count" />;
}

/** A number on a tab; `what` says of what, to those who do not see where it stands. */
function TabCount({ shown, what, testid }: { shown: string; what: string; testid: string }) {
  return (
    <Badge
      color="red"
      size="md"
      className="cq-num"
      styles={{ root: { flex: 'none', overflow: 'visible' }, label: { overflow: 'visible' } }}
      data-testid={testid}
    >
      {shown}
      <span className="cq-hidden"> {what}</span>
    </Badge>
  );
}

/** Which currencies are paused, when their rate was last updated, and what an admin can do. */
function PausedNotice() {
  const data = useOptionalQuery(ratesQuery);
  const paused = data ? sendCurrencies.map((currency) => data.rates[currency]).filter((rate) => rate.paused) : [];
  if (paused.length === 0) return null;
  return (
    <Stack gap="sm">
      {paused.map((rate) => (
        <Paused key={rate.currency} rate={rate} />
      ))}
    </Stack>
  );
}

function Paused({ rate }: { rate: RateView }) {
  const { currency } = rate;
  const updated = laPazTime(lastUpdatedAt(rate));
  return (
    <Alert
      color="red"
      icon={<IconPlayerPause aria-hidden />}
      title={t`Envíos en ${currency} en pausa: falta una tasa reciente`}
      role="alert"
      data-testid={`admin-paused-${currency}`}
    >
      <Trans>
        Lo último que se supo de la tasa es del {updated}. Revisa las fuentes de precios o fija la tasa de {currency}:
        los envíos vuelven solos.
      </Trans>
    </Alert>
  );
}

/** When an admin or the market last said anything about the rate. */
function lastUpdatedAt({ lastUpdated, marketSeenAt }: RateView): string {
  return marketSeenAt !== null && marketSeenAt > lastUpdated ? marketSeenAt : lastUpdated;
}

/** Has the server read every open transfer again from Stripe, and this page everything from the server. */
export function RefreshButton() {
  const queryClient = useQueryClient();
  const may = useMay();
  const refresh = useSingleMutation({
    mutationFn: async () => {
      const answer = await adminCall('refresh');
      await refreshPanel(queryClient);
      return answer;
    },
    onSuccess: (answer) => toastDone(t`Datos actualizados`, refreshedText(answer)),
    onError: (error) => toastError(t`No se pudieron actualizar los datos`, errorMessage(error)),
  });
  if (!may('refresh')) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={18} aria-hidden />}
      loading={refresh.isPending}
      onClick={() => refresh.mutate()}
      data-testid="admin-refresh"
    >
      <Trans>Actualizar datos</Trans>
    </Button>
  );
}

/** What the answer's own Spanish message says, in the reader's language. */
function refreshedText({ count, sourcesAsked }: CallOutput<'refresh'>): string {
  const transfers =
    count === 0
      ? t`No hay transferencias abiertas.`
      : plural(count, { one: 'Se revisa # transferencia abierta.', other: 'Se revisan # transferencias abiertas.' });
  const sources = sourcesAsked
    ? t`Se consultan las fuentes de tasas.`
    : t`Las fuentes de tasas se consultaron hace menos de un minuto.`;
  return `${transfers} ${sources}`;
}
