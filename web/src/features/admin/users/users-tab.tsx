import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Badge, Button, Card, CloseButton, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconUserOff } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { useSearchParams } from 'react-router';
import type { AdminUserView } from '#core/contracts/http/admin-users';
import { adminUserParam } from '#core/contracts/page-addresses';
import { usersQuery } from '../../../data/admin-panel.ts';
import { waitingChecksQuery } from '../../../data/admin-users.ts';
import { useDraft } from '../../../data/drafts.ts';
import { rowsOf } from '../../../data/versioned-collection.ts';
import { formatLaPazMoment, laPazTime, zoneName } from '../../../lib/format/dates.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { Money } from '../../../ui/figures.tsx';
import { useIsDesktop } from '../../../ui/hooks.ts';
import { MoreButton, PagedListView } from '../../../ui/paged-list-view.tsx';
import { EmptyState, LoadingRows } from '../../../ui/states.tsx';
import classes from '../admin.module.css';
import { useMay } from '../permitted.tsx';
import { levelNames } from './user-identity.tsx';
import { UserBadges } from './user-parts.tsx';

const searchPauseMs = 250;

/** Everybody with an account, and what they have sent. */
export function UsersTab() {
  const [search, setSearch] = useDraft('search for people', '');
  const [settled] = useDebouncedValue(search.trim(), searchPauseMs);
  const list = useInfiniteQuery({ ...usersQuery(settled), placeholderData: keepPreviousData });
  const isWide = useIsDesktop();
  const List = isWide ? UserTable : UserCards;
  const [, setParams] = useSearchParams();
  const open = (id: string) =>
    setParams({ tab: 'users', [adminUserParam]: id }, { replace: true, preventScrollReset: true });
  return (
    <Stack gap="md">
      <TextInput
        type="search"
        aria-label={t`Buscar usuarios`}
        placeholder={t`Nombre, correo o teléfono`}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={search && <CloseButton aria-label={t`Borrar la búsqueda`} onClick={() => setSearch('')} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        maxLength={100}
        maw={{ sm: 460 }}
        data-testid="admin-user-search"
      />
      <WaitingChecks open={open} />
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
        {(people) => <List people={people} open={open} />}
      </PagedListView>
    </Stack>
  );
}

interface ListProps {
  people: readonly AdminUserView[];
  open: (id: string) => void;
}

/** A press anywhere in the row, but not one that selects its text, and not that of the button within. */
const pressed =
  (open: () => void) =>
  ({ target }: MouseEvent) => {
    if (document.getSelection()?.isCollapsed !== false && !(target as Element).closest('button')) open();
  };

/** The name opens what is known about its person, by keyboard too. */
function Name({ person: { id, name }, open }: { person: AdminUserView; open: (id: string) => void }) {
  return (
    <Anchor
      component="button"
      type="button"
      ta="start"
      fw={600}
      fz="inherit"
      style={{ overflowWrap: 'anywhere' }}
      onClick={() => open(id)}
      data-testid="admin-user-open"
    >
      {name || t`Sin nombre`}
    </Anchor>
  );
}

function UserTable({ people, open }: ListProps) {
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
            <Table.Th w={150}>
              <Trans>Cuenta</Trans>
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
            <Table.Tr
              key={person.id}
              className={classes.row}
              onClick={pressed(() => open(person.id))}
              data-testid="admin-user-row"
            >
              <Table.Td fw={500}>
                <Name person={person} open={open} />
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{person.email}</Table.Td>
              <Table.Td>
                <UserBadges user={person} />
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

function UserCards({ people, open }: ListProps) {
  return (
    <Stack gap="sm">
      {people.map((person) => (
        <Card
          key={person.id}
          padding="md"
          className={classes.row}
          onClick={pressed(() => open(person.id))}
          data-testid="admin-user-row"
        >
          <Group justify="space-between" wrap="nowrap" gap="sm" align="flex-start">
            <Name person={person} open={open} />
            <UserBadges user={person} />
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

/** Checks of persons that wait for a decision, each opening its person; nothing while there is none, or for a role that may not see them. */
function WaitingChecks({ open }: { open: (userId: string) => void }) {
  const may = useMay();
  const list = useInfiniteQuery({ ...waitingChecksQuery, enabled: may('identityChecks') });
  const rows = list.data ? rowsOf(list.data) : [];
  if (rows.length === 0) return null;
  const known = formatCount(rows.length);
  return (
    <Card padding="md" data-testid="waiting-checks">
      <Text fw={600} mb="xs">
        {list.hasNextPage
          ? t`Más de ${known} verificaciones de identidad esperan una decisión`
          : plural(rows.length, {
              one: '# verificación de identidad espera una decisión',
              other: '# verificaciones de identidad esperan una decisión',
            })}
      </Text>
      <Stack gap={6}>
        {rows.map(({ id, userId, name, level, sameDocument, createdAt }) => (
          <Group key={id} justify="space-between" gap="4px 12px">
            <Group gap="4px 12px">
              <Anchor
                component="button"
                type="button"
                ta="start"
                onClick={() => open(userId)}
                data-testid="waiting-check"
              >
                {name}
              </Anchor>
              {sameDocument && (
                <Badge color="red" variant="light" data-testid="waiting-same-document">
                  <Trans>Documento en otra cuenta</Trans>
                </Badge>
              )}
            </Group>
            <Text fz="sm" c="dimmed">
              {i18n._(levelNames[level])}, {formatLaPazMoment(createdAt)}
            </Text>
          </Group>
        ))}
      </Stack>
      <MoreButton list={list} testid="waiting-checks-more" mt="md" />
    </Card>
  );
}
