import { Group, Stack, Text, Timeline } from '@mantine/core';
import { IconCheck, IconDots, IconX } from '@tabler/icons-react';
import type { OperationView } from '#core/contracts/http/operations';
import { formatAmount } from '#core/money/format';
import { CopyValue } from '../../../ui/copy-value.tsx';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import { laPazShort } from '../la-paz-time.ts';
import { Section } from '../transfers/transfer-sections.tsx';
import { operationStatuses, operationTitle, providerLabels } from './case-messages.ts';

const icons = { good: IconCheck, wait: IconDots, bad: IconX, quiet: IconX } as const;
const colors = { good: 'green', wait: 'yellow', bad: 'red', quiet: 'gray' } as const;

/** Every effect on card and bank in its order: how often it was tried, and what came of it. */
export function CaseOperations({
  operations,
  about,
}: {
  operations: readonly OperationView[];
  /** The operation that the case is about. */
  about: string | null;
}) {
  return (
    <Section title="Operaciones">
      <Timeline active={operations.length - 1} bulletSize={22} lineWidth={2} data-testid="desk-operations">
        {operations.map((operation) => {
          const { tone } = operationStatuses[operation.status];
          const Icon = icons[tone];
          return (
            <Timeline.Item
              key={operation.id}
              color={colors[tone]}
              bullet={<Icon size={13} stroke={2.5} aria-hidden />}
              title={operationTitle(operation)}
              data-testid="desk-operation"
              data-kind={operation.kind}
              data-status={operation.status}
            >
              <Operation operation={operation} isSubject={operation.id === about} />
            </Timeline.Item>
          );
        })}
      </Timeline>
    </Section>
  );
}

function Operation({ operation, isSubject }: { operation: OperationView; isSubject: boolean }) {
  const { status, attempts, provider, next_attempt_at, last_error, provider_reference } = operation;
  const { label, tone } = operationStatuses[status];
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <ToneBadge tone={tone} size="md">
          {label}
        </ToneBadge>
        <Text fz="sm" className="cq-num" fw={500}>
          {formatAmount(operation.amount, operation.currency)}
        </Text>
        {isSubject && (
          <Text fz="sm" fw={600}>
            De esto trata el caso
          </Text>
        )}
      </Group>
      {operation.returned !== '0.00' && (
        <Text fz="sm" fw={500}>
          Volvieron <span className="cq-num">{formatAmount(operation.returned, operation.currency)}</span>
        </Text>
      )}
      <Text fz="sm" c="dimmed" className="cq-num" style={{ whiteSpace: 'normal' }}>
        {attempts > 0 && (attempts === 1 ? '1 intento · ' : `${attempts} intentos · `)}por {providerLabels[provider]} ·{' '}
        {laPazShort(operation.changed_at)}
      </Text>
      {next_attempt_at && (
        <Text fz="sm" className="cq-num">
          Próximo intento: {laPazShort(next_attempt_at)}
        </Text>
      )}
      {last_error && (
        <Text fz="sm" c="var(--cq-bad)" style={{ overflowWrap: 'anywhere' }}>
          {status === 'succeeded' ? 'Antes de lograrlo: ' : ''}
          {last_error}
        </Text>
      )}
      {provider_reference && (
        <Text component="div" fz="sm">
          <CopyValue label="referencia del proveedor" value={provider_reference} />
        </Text>
      )}
    </Stack>
  );
}
