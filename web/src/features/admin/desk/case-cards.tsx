import { Button, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { formatAmount, formatBolivianos } from '#core/money/format';
import { referenceOf } from '#core/transfers/reference';
import { Keeper, ReasonBadge, Waiting, Why } from './case-parts.tsx';
import { type CaseListProps, caseAttributes, openLabel } from './case-table.tsx';

/** The phone's list of cases. */
export function CaseCards({ cases, now, open }: CaseListProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {cases.map((one) => {
        const { user, recipient, amount, currency, amount_bs, id } = one.transaction;
        return (
          <Card key={one.id} padding="md" {...caseAttributes(one)}>
            <Stack gap="sm" justify="space-between" h="100%">
              <Stack gap="sm" align="flex-start">
                <ReasonBadge reason={one.reason} />
                <Why one={one} />
                <Group gap="lg" align="flex-start">
                  <Waiting one={one} now={now} />
                  <Keeper one={one} />
                </Group>
                <div>
                  <Text>
                    De <b>{user}</b> para <b>{recipient || 'nadie todavía'}</b>
                  </Text>
                  <Text fz="sm" c="dimmed" className="cq-num">
                    {formatAmount(amount, currency)} → {formatBolivianos(amount_bs)}
                  </Text>
                  <Text fz="sm" c="dimmed" className="cq-num">
                    {referenceOf(id)}
                  </Text>
                </div>
              </Stack>
              <Button
                variant="default"
                fullWidth
                onClick={() => open(one.id)}
                aria-label={openLabel(one)}
                data-testid="desk-open"
              >
                Abrir
              </Button>
            </Stack>
          </Card>
        );
      })}
    </SimpleGrid>
  );
}
