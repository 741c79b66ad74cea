import { Button, CloseButton, Group, NativeSelect, TextInput } from '@mantine/core';
import { IconClock, IconSearch } from '@tabler/icons-react';
import { type TransferStatus, transferStatusNames } from '#core/transfers/states';
import classes from '../admin.module.css';
import { adminStatusLabels } from './transfer-labels.ts';

const everything = 'all';
const choices = [
  { value: everything, label: 'Todos los estados' },
  ...transferStatusNames.map((status) => ({ value: status, label: adminStatusLabels[status] })),
];

/** What narrows the list: a search, a status, and in one press what waits for a decision. */
export function TransferFilterBar({
  search,
  setSearch,
  status,
  setStatus,
  pendingCount,
}: {
  search: string;
  setSearch: (search: string) => void;
  status: TransferStatus | undefined;
  setStatus: (status: TransferStatus | undefined) => void;
  /** Undefined while not known. */
  pendingCount: number | undefined;
}) {
  const onlyPending = status === 'pending';
  return (
    <Group gap="sm">
      <Button
        variant={onlyPending ? 'filled' : 'default'}
        leftSection={<IconClock size={18} aria-hidden />}
        className={classes.pendingFilter ?? ''}
        aria-pressed={onlyPending}
        onClick={() => setStatus(onlyPending ? undefined : 'pending')}
        data-testid="admin-filter-pending"
      >
        Pendientes{pendingCount === undefined ? '' : ` (${pendingCount})`}
      </Button>
      <NativeSelect
        size="md"
        aria-label="Estado"
        data={choices}
        value={status ?? everything}
        onChange={({ currentTarget }) => setStatus(transferStatusNames.find((name) => name === currentTarget.value))}
        className={classes.statusFilter ?? ''}
        data-testid="admin-filter-status"
      />
      <TextInput
        type="search"
        aria-label="Buscar transacciones"
        placeholder="Nombre, correo o número"
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={search && <CloseButton aria-label="Borrar la búsqueda" onClick={() => setSearch('')} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        maxLength={100}
        className={classes.search ?? ''}
        data-testid="admin-search"
      />
    </Group>
  );
}
