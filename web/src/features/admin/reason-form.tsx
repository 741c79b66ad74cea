import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { errorMessage } from '../../lib/http.ts';

const reasonMax = 500;

interface Props {
  verb: string;
  Icon: Icon;
  /** What will happen. */
  about: string;
  /** Who reads the reason; else everybody in the panel. */
  readers?: string;
  /** It takes something away from a person. */
  danger: boolean;
  call: {
    readonly isPending: boolean;
    readonly error: Error | null;
    mutate(reason: string, options: { onSuccess: () => void }): void;
  };
  onDone: () => void;
  testid: string;
}

/** Asks for a reason before anything happens, and says what will. */
export function ReasonForm({ verb, Icon, about, readers, danger, call, onDone, testid }: Props) {
  const [opened, setOpened] = useState(false);
  const [reason, setReason] = useState('');
  const [isSubmitted, setIsSubmitted] = useState(false);
  if (!opened)
    return (
      <Button
        variant="default"
        leftSection={<Icon size={18} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setOpened(true)}
        data-testid={`${testid}-open`}
      >
        {verb}
      </Button>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsSubmitted(true);
    if (reason.trim() === '' || call.isPending) return;
    call.mutate(reason.trim(), { onSuccess: onDone });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text fz="sm">{about}</Text>
        <Textarea
          label={t`Motivo`}
          description={readers ?? t`Lo ven las demás personas de administración; quien envía, no.`}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={reasonMax}
          autosize
          minRows={2}
          autoFocus
          error={
            (isSubmitted && reason.trim() === '' && t`Escribe el motivo`) || (call.error && errorMessage(call.error))
          }
          disabled={call.isPending}
          data-testid={`${testid}-reason`}
        />
        <Group gap="sm">
          <Button
            type="submit"
            {...(danger && { color: 'red' })}
            loading={call.isPending}
            data-testid={`${testid}-confirm`}
          >
            {verb}
          </Button>
          <Button variant="default" onClick={() => setOpened(false)} disabled={call.isPending}>
            <Trans>Cancelar</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
