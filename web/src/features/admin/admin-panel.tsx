import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Badge, Stack, Tabs } from '@mantine/core';
import {
  IconArrowsExchange,
  IconChartLine,
  IconHeartRateMonitor,
  IconHistory,
  IconLifebuoy,
  IconMessageReport,
  IconPlayerPause,
  IconScale,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { useSearchParams } from 'react-router';
import type { Permission } from '#core/accounts/roles';
import type { RateView } from '#core/contracts/http/rates';
import { adminUserParam } from '#core/contracts/page-addresses';
import { sendCurrencies } from '#core/money/money';
import { rateDeskQuery } from '../../data/admin-panel.ts';
import { casesQuery } from '../../data/desk-cases.ts';
import { useMay } from '../../data/permission.ts';
import { ratesQuery } from '../../data/rates.ts';
import { openExceptionsQuery } from '../../data/reconciliation.ts';
import { laPazTime } from '../../lib/format/dates.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { LazyPart, WhenOpened } from '../../ui/lazy-part.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import classes from './admin.module.css';
import { TransfersTab } from './transfers/transfers-tab.tsx';

// Tabs beside the first come when somebody opens them.
const UsersTab = lazy(async () => ({ default: (await import('./users/users-tab.tsx')).UsersTab }));
const UserDrawer = lazy(async () => ({ default: (await import('./users/user-drawer.tsx')).UserDrawer }));
const RatesTab = lazy(async () => ({ default: (await import('./rates/rates-tab.tsx')).RatesTab }));
const DeskTab = lazy(async () => ({ default: (await import('./desk/desk-tab.tsx')).DeskTab }));
const ComplaintsTab = lazy(async () => ({ default: (await import('./complaints/complaints-tab.tsx')).ComplaintsTab }));
const ReconciliationTab = lazy(async () => ({
  default: (await import('./reconciliation/reconciliation-tab.tsx')).ReconciliationTab,
}));
const AuditTab = lazy(async () => ({ default: (await import('./audit/audit-tab.tsx')).AuditTab }));
const SystemTab = lazy(async () => ({ default: (await import('./system/system-tab.tsx')).SystemTab }));
const WebhooksTab = lazy(async () => ({ default: (await import('./webhooks/webhooks-tab.tsx')).WebhooksTab }));

const loading = <LoadingRows rows={6} height={44} />;

/** Tabs beside the one that opens first. */
const otherTabs = [
  'users',
  'rates',
  'operations',
  'complaints',
  'reconciliation',
  'webhooks',
  'system',
  'audit',
] as const;

/** What a role must be allowed to read to have each of them. */
const readBy = {
  users: 'adminUsers',
  rates: 'rateManagement',
  operations: 'deskCases',
  complaints: 'adminComplaints',
  reconciliation: 'reconciliation',
  webhooks: 'listWebhooks',
  system: 'operatingFigures',
  audit: 'auditLog',
} as const satisfies Record<(typeof otherTabs)[number], Permission>;

/** What administrators work with: transfers first, where those that wait for a decision stand on top. */
export function AdminPanel() {
  const [params, setParams] = useSearchParams();
  const may = useMay();
  // A tab whose list the role may not read is not there.
  const tab = otherTabs.find((name) => name === params.get('tab') && may(readBy[name])) ?? 'transfers';
  const show = (next: string | null) =>
    setParams(next && next !== 'transfers' ? { tab: next } : {}, { replace: true, preventScrollReset: true });
  const userId = params.get(adminUserParam);
  const closeUser = () =>
    setParams(
      (known) => {
        known.delete(adminUserParam);
        return known;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <Stack gap="md" data-testid="admin-panel">
      <PausedNotice />
      <Tabs id="lists" className={classes.lists} value={tab} onChange={show} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab
            value="transfers"
            leftSection={<IconArrowsExchange size={18} aria-hidden />}
            data-testid="admin-tab-transfers"
          >
            <Trans>Transacciones</Trans>
          </Tabs.Tab>
          <Tabs.Tab value="users" leftSection={<IconUsers size={18} aria-hidden />} data-testid="admin-tab-users">
            <Trans>Usuarios</Trans>
          </Tabs.Tab>
          <Tabs.Tab
            value="rates"
            leftSection={<IconChartLine size={18} aria-hidden />}
            rightSection={<OpenRateChanges />}
            data-testid="admin-tab-rates"
          >
            <Trans>Tasas</Trans>
          </Tabs.Tab>
          <Tabs.Tab
            value="operations"
            leftSection={<IconLifebuoy size={18} aria-hidden />}
            rightSection={<OpenCases />}
            data-testid="admin-tab-operations"
          >
            <Trans>Operaciones</Trans>
          </Tabs.Tab>
          <Tabs.Tab
            value="complaints"
            leftSection={<IconMessageReport size={18} aria-hidden />}
            data-testid="admin-tab-complaints"
          >
            <Trans>Reclamos</Trans>
          </Tabs.Tab>
          {may(readBy.reconciliation) && (
            <Tabs.Tab
              value="reconciliation"
              leftSection={<IconScale size={18} aria-hidden />}
              rightSection={<OpenExceptions />}
              data-testid="admin-tab-reconciliation"
            >
              <Trans>Conciliación</Trans>
            </Tabs.Tab>
          )}
          {may(readBy.webhooks) && (
            <Tabs.Tab
              value="webhooks"
              leftSection={<IconWebhook size={18} aria-hidden />}
              data-testid="admin-tab-webhooks"
            >
              Webhooks
            </Tabs.Tab>
          )}
          {may(readBy.system) && (
            <Tabs.Tab
              value="system"
              leftSection={<IconHeartRateMonitor size={18} aria-hidden />}
              data-testid="admin-tab-system"
            >
              <Trans>Sistema</Trans>
            </Tabs.Tab>
          )}
          {may(readBy.audit) && (
            <Tabs.Tab value="audit" leftSection={<IconHistory size={18} aria-hidden />} data-testid="admin-tab-audit">
              <Trans>Auditoría</Trans>
            </Tabs.Tab>
          )}
        </Tabs.List>
        <Tabs.Panel value="transfers">
          <TransfersTab />
        </Tabs.Panel>
        <Tabs.Panel value="users">
          <LazyPart pending={loading}>
            <UsersTab />
          </LazyPart>
        </Tabs.Panel>
        <Tabs.Panel value="rates">
          <LazyPart pending={loading}>
            <RatesTab />
          </LazyPart>
        </Tabs.Panel>
        <Tabs.Panel value="operations">
          <LazyPart pending={loading}>
            <DeskTab />
          </LazyPart>
        </Tabs.Panel>
        <Tabs.Panel value="complaints">
          <LazyPart pending={loading}>
            <ComplaintsTab />
          </LazyPart>
        </Tabs.Panel>
        <Tabs.Panel value="reconciliation">
          <LazyPart pending={loading}>
            <ReconciliationTab />
          </LazyPart>
        </Tabs.Panel>
        <Tabs.Panel value="webhooks">
          <LazyPart pending={loading}>
            <WebhooksTab />
          </LazyPart>
        </Tabs.Panel>
        <Tabs.Panel value="system">
          <LazyPart pending={loading}>
            <SystemTab />
          </LazyPart>
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <LazyPart pending={loading}>
            <AuditTab />
          </LazyPart>
        </Tabs.Panel>
      </Tabs>
      <WhenOpened opened={userId !== null}>
        {(opened) => <UserDrawer id={opened ? userId : null} close={closeUser} />}
      </WhenOpened>
    </Stack>
  );
}

/** How many cases wait for a person, on the tab; nothing while there is none. */
function OpenCases() {
  const { data } = useInfiniteQuery(casesQuery('open'));
  const count = data?.pages.flatMap((page) => page.items).length ?? 0;
  if (count === 0) return null;
  const more = data?.pages.at(-1)?.nextCursor ? '+' : '';
  const what = plural(count, { one: 'caso abierto', other: 'casos abiertos' });
  return <TabCount shown={`${count}${more}`} what={what} testid="desk-count" />;
}

/** How many changes of rates wait for somebody or for their hour, on the tab; nothing while there is none. */
function OpenRateChanges() {
  const { data } = useQuery(rateDeskQuery);
  const count = data ? sendCurrencies.filter((currency) => data.currencies[currency].openChange).length : 0;
  if (count === 0) return null;
  const what = plural(count, { one: 'cambio abierto', other: 'cambios abiertos' });
  return <TabCount shown={formatCount(count)} what={what} testid="rates-count" />;
}

/** How many differences of the books are open, on the tab; nothing while there is none. */
function OpenExceptions() {
  const { data: count = 0 } = useQuery(openExceptionsQuery);
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
  const { data } = useQuery(ratesQuery);
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
