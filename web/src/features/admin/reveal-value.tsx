import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type RevealReason, revealReasons } from '#core/accounts/admin-roles';
import { type Permission } from '#core/accounts/roles';
import { errorMessage } from '../../lib/http.ts';
import { CopyValue } from '../../ui/copy-value.tsx';
import { useMay } from './permitted.tsx';

const reasons: Readonly<Record<RevealReason, MessageDescriptor>> = {
  payout: msg`Resolver un pago con el banco`,
  identity: msg`Comprobar quién es`,
  question: msg`Responder a una consulta`,
  authority: msg`Lo pide una autoridad`,
};

/** A number of which only the end is shown, until an admin says what they need it for. What was revealed is forgotten with the view. */
export function RevealValue({
  label,
  hidden,
  to,
  reveal,
  testid,
}: {
  label: string;
  hidden: string;
  to: Permission;
  reveal: (reason: RevealReason) => Promise<{ value: string }>;
  testid: string;
}) {
  const may = useMay();
  const [opened, setOpened] = useState(false);
  const [reason, setReason] = useState<RevealReason>('payout');
  // Kept by this view alone: no cache has it.
  const call = useMutation({ mutationFn: reveal, gcTime: 0 });
  if (!hidden) return <>—</>;
  if (call.data) return <CopyValue label={label} value={call.data.value} testid={`${testid}-value`} />;
  if (!opened)
    return (
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <span className="cq-num">{hidden}</span>
        {may(to) && (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => setOpened(true)}
            aria-label={t`Ver ${label}`}
            data-testid={`${testid}-open`}
          >
            <Trans>Ver</Trans>
          </Button>
        )}
      </Group>
    );
  return (
    <Stack gap="xs">
      <NativeSelect
        label={t`Para qué lo necesitas`}
        description={t`Queda en la auditoría con tu nombre.`}
        data={revealReasons.map((value) => ({ value, label: i18n._(reasons[value]) }))}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value as RevealReason)}
        disabled={call.isPending}
        autoFocus
        data-testid={`${testid}-reason`}
      />
      {call.error && (
        <Alert color="red" role="alert">
          {errorMessage(call.error)}
        </Alert>
      )}
      <Group gap="sm">
        <Button
          size="sm"
          loading={call.isPending}
          onClick={() => call.mutate(reason)}
          data-testid={`${testid}-confirm`}
        >
          <Trans>Mostrar</Trans>
        </Button>
        <Button size="sm" variant="default" onClick={() => setOpened(false)} disabled={call.isPending}>
          <Trans>Cancelar</Trans>
        </Button>
      </Group>
    </Stack>
  );
}
