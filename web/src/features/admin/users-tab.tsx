import { Button, Card, CloseButton, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconUserOff } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminUserView } from '#core/contracts/http/admin';
import { usersQuery } from '../../data/admin-overview.ts';
import { Money } from '../../ui/figures.tsx';
import { PagedListView } from '../../ui/paged-list-view.tsx';
import { EmptyState, LoadingRows } from '../../ui/states.tsx';
import { ToneBadge } from '../../ui/tone-badge.tsx';
import { useIsDesktop } from '../../ui/use-is-desktop.ts';
import classes from './admin.module.css';
import { laPazShort, laPazTime, zoneName } from './la-paz-time.ts';

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
        aria-label="Buscar usuarios"
        placeholder="Nombre o correo"
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={search && <CloseButton aria-label="Borrar la búsqueda" onClick={() => setSearch('')} />}
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
                Ver todos
              </Button>
            }
          >
            No se encontraron usuarios
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
  return (
    <Card padding={0}>
      <Table layout="fixed" highlightOnHover verticalSpacing={9} horizontalSpacing="sm" fz="sm">
        <Table.Thead className={classes.head}>
          <Table.Tr>
            <Table.Th w="22%">Nombre</Table.Th>
            <Table.Th>Correo</Table.Th>
            <Table.Th w={120}>Rol</Table.Th>
            <Table.Th w={130} ta="right">
              Transacciones
            </Table.Th>
            <Table.Th w={140} ta="right">
              Volumen (USD)
            </Table.Th>
            <Table.Th w={190}>Última actividad ({zoneName})</Table.Th>
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
                {person.transactionsCount}
              </Table.Td>
              <Table.Td ta="right" fw={600}>
                <Money amount={person.totalVolume} currency="USD" />
              </Table.Td>
              <Table.Td className="cq-num" c="dimmed">
                {person.lastActive ? laPazShort(person.lastActive) : 'Nunca'}
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
            <Text>
              {person.transactionsCount === 1 ? '1 transacción' : `${person.transactionsCount} transacciones`}
            </Text>
            <Text fw={600}>
              <Money amount={person.totalVolume} currency="USD" />
            </Text>
          </Group>
          <Text fz="sm" c="dimmed">
            {person.lastActive ? `Última actividad: ${laPazTime(person.lastActive)}` : 'Sin actividad todavía'}
          </Text>
        </Card>
      ))}
    </Stack>
  );
}

function Role({ role }: { role: AdminUserView['role'] }) {
  return <ToneBadge tone={role === 'admin' ? 'good' : 'quiet'}>{role === 'admin' ? 'Admin' : 'Usuario'}</ToneBadge>;
}
