import { Stack, Tabs } from '@mantine/core';
import { IconArrowsExchange, IconChartLine, IconUsers } from '@tabler/icons-react';
import { useSearchParams } from 'react-router-dom';
import classes from './admin.module.css';
import { PausedNotice } from './paused-notice.tsx';
import { RateDesk } from './rates/rate-desk.tsx';
import { RatesTab } from './rates/rates-tab.tsx';
import { StatCards } from './stat-cards.tsx';
import { TransfersTab } from './transfers-tab.tsx';
import { UsersTab } from './users-tab.tsx';

/** Tabs beside the one that opens first. */
const otherTabs = ['users', 'rates'] as const;

/** Figures, rates, transfers and people: what administrators work with. */
export function AdminPanel() {
  const [params, setParams] = useSearchParams();
  const tab = otherTabs.find((name) => name === params.get('tab')) ?? 'transfers';
  const show = (next: string | null) =>
    setParams(next && next !== 'transfers' ? { tab: next } : {}, { replace: true, preventScrollReset: true });
  return (
    <Stack gap="xl">
      <PausedNotice />
      <StatCards />
      <RateDesk />
      <Tabs id="lists" className={classes.lists} value={tab} onChange={show} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab
            value="transfers"
            leftSection={<IconArrowsExchange size={18} aria-hidden />}
            data-testid="admin-tab-transfers"
          >
            Transacciones
          </Tabs.Tab>
          <Tabs.Tab value="users" leftSection={<IconUsers size={18} aria-hidden />} data-testid="admin-tab-users">
            Usuarios
          </Tabs.Tab>
          <Tabs.Tab value="rates" leftSection={<IconChartLine size={18} aria-hidden />} data-testid="admin-tab-rates">
            Tasas
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="transfers">
          <TransfersTab />
        </Tabs.Panel>
        <Tabs.Panel value="users">
          <UsersTab />
        </Tabs.Panel>
        <Tabs.Panel value="rates">
          <RatesTab />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
