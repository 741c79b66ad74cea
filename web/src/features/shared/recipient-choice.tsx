import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Input, NativeSelect, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconUserPlus } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ComponentType, lazy, useId, useState } from 'react';
import type { RecipientView } from '#core/contracts/http/recipients';
import { accountEnding } from '#core/recipients/same';
import { formatDayAndMonth } from '../../lib/format/dates.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { QueryView } from '../../ui/query-view.tsx';

const NameCheck = lazy(async () => ({ default: (await import('./name-check.tsx')).NameCheck }));

/** The dialog that adds a recipient, or changes the one that it is given; `onAdded` also gets one that was there already. */
export type AddRecipientDialog = ComponentType<{
  opened: boolean;
  recipient?: RecipientView | undefined;
  onClose: () => void;
  onAdded: (recipient: RecipientView) => void;
}>;

interface Props {
  recipients: UseQueryResult<readonly RecipientView[]>;
  /** Id of who is chosen, empty for nobody. */
  value: string;
  onChange: (id: string) => void;
  /** Somebody was just added, and is chosen. */
  onAdded?: () => void;
  error: string | null;
  adding: AddRecipientDialog;
  /** The testids begin with it. */
  testid: string;
}

/** Whom the money is for: one of the sender's own, known by bank and last digits, or somebody who is added right here. */
export function RecipientChoice({
  recipients: query,
  value,
  onChange,
  error,
  adding: Adding,
  testid,
  ...props
}: Props) {
  // Which form it is stays until the next one is opened: the dialog takes a moment to close.
  const [dialog, setDialog] = useState({ opened: false, changes: false });
  const recipients = query.data;
  const chosen = recipients?.find(({ id }) => id === value);
  const none = recipients?.length === 0;
  const id = useId();
  return (
    <Stack gap={6} align="stretch">
      {none ? (
        <div>
          <Text fw={500} mb={4}>
            <Trans>Destinatario</Trans>
          </Text>
          <Button
            fullWidth
            size="md"
            variant="light"
            leftSection={<IconUserPlus size={20} aria-hidden />}
            onClick={() => setDialog({ opened: true, changes: false })}
            {...(error && { 'aria-invalid': true, 'aria-describedby': `${testid}-missing` })}
            data-testid={`${testid}-add`}
          >
            <Trans>Añadir destinatario</Trans>
          </Button>
          {error && (
            <Text c="var(--mantine-color-error)" fz="sm" mt={4} id={`${testid}-missing`}>
              {error}
            </Text>
          )}
        </div>
      ) : (
        <div>
          <Group justify="space-between" wrap="nowrap" gap="xs">
            <Input.Label htmlFor={id} size="md">
              <Trans>Destinatario</Trans>
            </Input.Label>
            <Button
              variant="subtle"
              size="compact-md"
              mr={-8}
              leftSection={<IconUserPlus size={18} aria-hidden />}
              onClick={() => setDialog({ opened: true, changes: false })}
              data-testid={`${testid}-add`}
            >
              <Trans>Añadir destinatario</Trans>
            </Button>
          </Group>
          <NativeSelect
            id={id}
            data={[
              { value: '', label: choiceLabel(query) },
              ...[...(recipients ?? [])]
                .sort(lastUsedFirst)
                .map((recipient) => ({ value: recipient.id, label: nameAndAccount(recipient) })),
            ]}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            description={chosen && accountOf(chosen)}
            inputWrapperOrder={['input', 'description', 'error']}
            error={error}
            data-testid={`${testid}-recipient`}
          />
        </div>
      )}
      <QueryView query={query} loading={null}>
        {() => null}
      </QueryView>
      <div aria-live="polite">
        {chosen && (
          <LazyPart missing={null}>
            <NameCheck
              key={chosen.id}
              recipient={chosen}
              onCorrect={() => setDialog({ opened: true, changes: true })}
            />
          </LazyPart>
        )}
      </div>
      <div aria-live="polite">{chosen?.accountChangedAt && <AccountChanged recipient={chosen} />}</div>
      <Adding
        opened={dialog.opened}
        recipient={dialog.changes ? chosen : undefined}
        onClose={() => setDialog({ ...dialog, opened: false })}
        onAdded={({ id }) => {
          onChange(id);
          props.onAdded?.();
        }}
      />
    </Stack>
  );
}

/** What a field of recipients says while nobody is chosen, and until there are any to choose from. */
export function choiceLabel({ data, error }: Pick<UseQueryResult<unknown>, 'data' | 'error'>): string {
  if (data) return t`Elige un destinatario`;
  return error ? t`No se pudo cargar` : t`Cargando…`;
}

/** Who receives, as namesakes are told apart: the end of the account stands before the bank, which a narrow field cuts. */
function nameAndAccount({ name, bankName, bankAccount }: RecipientView): string {
  return `${name} ···${accountEnding(bankAccount)} · ${bankName}`;
}

/** Where the money goes, in words. */
function accountOf({ bankName, bankAccount }: RecipientView): string {
  const ending = accountEnding(bankAccount);
  return t`${bankName}, cuenta terminada en ${ending}`;
}

/** Those who got something before, the last one first; then the others, the newest first. */
function lastUsedFirst(a: RecipientView, b: RecipientView): number {
  const [used, other] = [a.lastSentAt ?? '', b.lastSentAt ?? ''];
  return other.localeCompare(used) || b.createdAt.localeCompare(a.createdAt);
}

/** Somebody else may have changed it, or a slip of the pen: the sender looks again before paying. */
function AccountChanged({ recipient }: { recipient: RecipientView }) {
  const day = formatDayAndMonth(recipient.accountChangedAt ?? '');
  const { bankName } = recipient;
  const ending = accountEnding(recipient.bankAccount);
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle aria-hidden />}
      title={t`La cuenta cambió el ${day}`}
      data-testid="account-changed"
    >
      <Trans>
        Tu último envío fue a otra cuenta. Ahora va a {bankName}, terminada en {ending}: confirma que es suya.
      </Trans>
    </Alert>
  );
}
