import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Card, CloseButton, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconUserOff } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminUserView } from '#core/contracts/http/admin';
import { usersQuery } from '../../data/admin-panel.ts';
import { formatLaPazMoment, laPazTime, zoneName } from '../../lib/format/dates.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { Money } from '../../ui/figures.tsx';
import { useIsDesktop } from '../../ui/hooks.ts';
import { PagedListView } from '../../ui/paged-list-view.tsx';
import { EmptyState, LoadingRows } from '../../ui/states.tsx';
import { ToneBadge } from '../../ui/tone-badge.tsx';
import classes from './admin.module.css';

const searchPauseMs = 250;

/** Everybody with an account, and what they have sent. */
export function UsersTab() {
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search.trim(), searchPauseMs);
  const list = useInfiniteQuery({ ...usersQuery(settled), placeholderData: keepPreviousData });
  const isWide = useIsDesktop();
  const List = isWide ? UserTable : UserCards;
  return (
    <Stack gap="md">
      <TextInput
        type="search"
        aria-label={t`Buscar usuarios`}
        placeholder={t`Nombre o correo`}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={search && <CloseButton aria-label={t`Borrar la búsqueda`} onClick={() => setSearch('')} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        maxLength={100}
        maw={{ sm: 460 }}
        data-testid="admin-user-search"
      />
      <PagedListView
        query={list}
        loading={<LoadingRows rows={6} height={isWide ? 44 : 120} />}
        empty={
          <EmptyState
            icon={<IconUserOff aria-hidden />}
            action={
              <Button variant="default" onClick={() => setSearch('')}>
                <Trans>Ver todos</Trans>
              </Button>
            }
          >
            <Trans>No se encontraron usuarios</Trans>
          </EmptyState>
        }
        moreTestid="admin-users-more"
      >
        {(people) => <List people={people} />}
      </PagedListView>
    </Stack>
  );
}

function UserTable({ people }: { people: readonly AdminUserView[] }) {
  const zone = zoneName();
  return (
    <Card padding={0}>
      <Table layout="fixed" highlightOnHover verticalSpacing={9} horizontalSpacing="sm" fz="sm">
        <Table.Thead className={classes.head}>
          <Table.Tr>
            <Table.Th w="22%">
              <Trans>Nombre</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Correo</Trans>
            </Table.Th>
            <Table.Th w={120}>
              <Trans>Rol</Trans>
            </Table.Th>
            <Table.Th w={130} ta="right">
              <Trans>Transacciones</Trans>
            </Table.Th>
            <Table.Th w={140} ta="right">
              <Trans>Volumen (USD)</Trans>
            </Table.Th>
            <Table.Th w={190}>
              <Trans>Última actividad ({zone})</Trans>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {people.map((person) => (
            <Table.Tr key={person.id} data-testid="admin-user-row">
              <Table.Td fw={500}>{person.name}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{person.email}</Table.Td>
              <Table.Td>
                <Role role={person.role} />
              </Table.Td>
              <Table.Td ta="right" className="cq-num">
                {formatCount(person.transactionsCount)}
              </Table.Td>
              <Table.Td ta="right" fw={600}>
                <Money amount={person.totalVolume} currency="USD" />
              </Table.Td>
              <Table.Td className="cq-num" c="dimmed">
                {person.lastActive ? formatLaPazMoment(person.lastActive) : t`Nunca`}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

function UserCards({ people }: { people: readonly AdminUserView[] }) {
  return (
    <Stack gap="sm">
      {people.map((person) => (
        <Card key={person.id} padding="md" data-testid="admin-user-row">
          <Group justify="space-between" wrap="nowrap" gap="sm" align="flex-start">
            <Text fw={600}>{person.name}</Text>
            <Role role={person.role} />
          </Group>
          <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {person.email}
          </Text>
          <Group justify="space-between" mt="xs" gap="xs">
            <Text>{countText(person)}</Text>
            <Text fw={600}>
              <Money amount={person.totalVolume} currency="USD" />
            </Text>
          </Group>
          <Text fz="sm" c="dimmed">
            {activityText(person)}
          </Text>
        </Card>
      ))}
    </Stack>
  );
}

const countText = ({ transactionsCount: count }: AdminUserView) =>
  plural(count, { one: '# transacción', other: '# transacciones' });

function activityText({ lastActive }: AdminUserView): string {
  if (!lastActive) return t`Sin actividad todavía`;
  const at = laPazTime(lastActive);
  return t`Última actividad: ${at}`;
}

function Role({ role }: { role: AdminUserView['role'] }) {
  return <ToneBadge tone={role === 'admin' ? 'good' : 'quiet'}>{role === 'admin' ? t`Admin` : t`Usuario`}</ToneBadge>;
}
