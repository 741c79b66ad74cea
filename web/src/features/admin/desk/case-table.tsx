import { Button, Card, Stack, Table, Text } from '@mantine/core';
import type { DeskCaseView } from '#core/contracts/http/operations';
import { formatAmount, formatBolivianos } from '#core/money/format';
import { referenceOf } from '#core/transfers/reference';
import classes from '../admin.module.css';
import { zoneName } from '../la-paz-time.ts';
import { Keeper, ReasonBadge, Waiting, Why } from './case-parts.tsx';

export interface CaseListProps {
  cases: readonly DeskCaseView[];
  now: number;
  open: (id: string) => void;
}

/** The desktop's list of cases. */
export function CaseTable({ cases, now, open }: CaseListProps) {
  return (
    <Card padding={0}>
      <Table layout="fixed" highlightOnHover verticalSpacing={10} horizontalSpacing={12} fz="sm">
        <Table.Thead className={classes.head}>
          <Table.Tr>
            <Table.Th>Qué pasó</Table.Th>
            <Table.Th w={196}>Espera ({zoneName})</Table.Th>
            <Table.Th w={236}>Envío</Table.Th>
            <Table.Th w={150}>Lo tiene</Table.Th>
            <Table.Th w={92}>
              <span className="cq-hidden">Acciones</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody style={{ verticalAlign: 'top' }}>
          {cases.map((one) => (
            <Table.Tr key={one.id} {...caseAttributes(one)}>
              <Table.Td>
                <Stack gap={6} align="flex-start">
                  <ReasonBadge reason={one.reason} />
                  <Why one={one} />
                </Stack>
              </Table.Td>
              <Table.Td>
                <Waiting one={one} now={now} />
              </Table.Td>
              <Table.Td>
                <Text fz="sm" fw={500} truncate>
                  {one.transaction.user}
                </Text>
                <Text fz="sm" truncate>
                  para {one.transaction.recipient || 'nadie todavía'}
                </Text>
                <Text fz="xs" c="dimmed" className="cq-num">
                  {formatAmount(one.transaction.amount, one.transaction.currency)} →{' '}
                  {formatBolivianos(one.transaction.amount_bs)}
                </Text>
                <Text fz="xs" c="dimmed" className="cq-num">
                  {referenceOf(one.transaction.id)}
                </Text>
              </Table.Td>
              <Table.Td>
                <Keeper one={one} />
              </Table.Td>
              <Table.Td ta="right">
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => open(one.id)}
                  aria-label={openLabel(one)}
                  data-testid="desk-open"
                >
                  Abrir
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

export const openLabel = ({ transaction }: DeskCaseView) => `Abrir el caso del envío de ${transaction.user}`;

/** By what tests and styles find a row. */
export const caseAttributes = ({ id, reason }: DeskCaseView) => ({
  'data-testid': 'desk-case',
  'data-case-id': id,
  'data-reason': reason,
});
