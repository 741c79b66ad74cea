import { Stack, Tabs } from '@mantine/core';
import { IconArrowsExchange, IconUsers } from '@tabler/icons-react';
import { useSearchParams } from 'react-router-dom';
import classes from './admin.module.css';
import { RateDesk } from './rate-desk.tsx';
import { StatCards } from './stat-cards.tsx';
import { TransfersTab } from './transfers-tab.tsx';
import { UsersTab } from './users-tab.tsx';

/** Figures, rates, transfers and people: what administrators work with. */
export function AdminPanel() {
  const [params, setParams] = useSearchParams();
  const tab = params.get('tab') === 'users' ? 'users' : 'transfers';
  const show = (next: string | null) =>
    setParams(next === 'users' ? { tab: 'users' } : {}, { replace: true, preventScrollReset: true });
  return (
    <Stack gap="xl">
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
        </Tabs.List>
        <Tabs.Panel value="transfers">
          <TransfersTab />
        </Tabs.Panel>
        <Tabs.Panel value="users">
          <UsersTab />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
