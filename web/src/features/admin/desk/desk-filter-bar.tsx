import { Group, NativeSelect, SegmentedControl } from '@mantine/core';
import { type CaseFilter, caseAges, caseKeepers } from '#core/contracts/http/operations';
import { caseReasonNames } from '#core/operations/desk-case';
import type { CaseStatus } from '../../../data/desk-cases.ts';
import classes from '../admin.module.css';
import { reasonMessages } from './case-messages.ts';

const ageLabels = { 1: 'Más de 1 hora', 24: 'Más de 1 día', 72: 'Más de 3 días' } as const;
const keeperLabels = { me: 'Los míos', nobody: 'De nadie' } as const;

const reasons = [
  { value: '', label: 'Todos los motivos' },
  ...caseReasonNames.map((reason) => ({ value: reason, label: reasonMessages[reason].title })),
];
const ages = [
  { value: '', label: 'Toda espera' },
  ...caseAges.map((hours) => ({ value: hours, label: ageLabels[hours] })),
];
const keepers = [
  { value: '', label: 'De todos' },
  ...caseKeepers.map((keeper) => ({ value: keeper, label: keeperLabels[keeper] })),
];

/** What narrows the list of cases. */
export function DeskFilterBar({
  status,
  setStatus,
  filter,
  setFilter,
}: {
  status: CaseStatus;
  setStatus: (status: CaseStatus) => void;
  filter: CaseFilter;
  setFilter: (filter: CaseFilter) => void;
}) {
  const select = (label: string, testid: string, className = classes.halfFilter) => ({
    ...{ size: 'md', 'aria-label': label, className: className ?? '', 'data-testid': testid },
  });
  return (
    <Group gap="sm">
      <SegmentedControl
        aria-label="Qué casos"
        value={status}
        onChange={(value) => setStatus(value as CaseStatus)}
        data={[
          { value: 'open', label: 'Abiertos' },
          { value: 'resolved', label: 'Resueltos' },
        ]}
        className={classes.halfFilter ?? ''}
        data-testid="desk-status"
      />
      <NativeSelect
        {...select('Motivo', 'desk-filter-reason', classes.reasonFilter)}
        data={reasons}
        value={filter.reason ?? ''}
        onChange={({ currentTarget: { value } }) =>
          setFilter({ ...filter, reason: caseReasonNames.find((name) => name === value) })
        }
      />
      <NativeSelect
        {...select('Espera', 'desk-filter-age')}
        data={ages}
        value={filter.older_than_hours ?? ''}
        onChange={({ currentTarget: { value } }) =>
          setFilter({ ...filter, older_than_hours: caseAges.find((hours) => hours === value) })
        }
      />
      <NativeSelect
        {...select('Quién lo tiene', 'desk-filter-keeper')}
        data={keepers}
        value={filter.assigned ?? ''}
        onChange={({ currentTarget: { value } }) =>
          setFilter({ ...filter, assigned: caseKeepers.find((keeper) => keeper === value) })
        }
      />
    </Group>
  );
}
