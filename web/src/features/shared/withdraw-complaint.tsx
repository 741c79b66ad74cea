import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ComplaintView } from '#core/contracts/http/complaints';
import { useWithdrawComplaint } from '../../data/complaints.ts';
import { errorMessage } from '../../lib/http.ts';
import { toastDone } from '../../lib/toast.ts';

/** Where the keyboard goes on when something appears in the place of what had the focus. */
const focusOnMount = (element: HTMLElement | null) => element?.focus();

/** Lets the sender take a report back while nothing is decided about it; asked once more, in its place. */
export function WithdrawComplaint({ complaint }: { complaint: ComplaintView }) {
  const [step, setStep] = useState<'unused' | 'asking' | 'kept'>('unused');
  const withdraw = useWithdrawComplaint(complaint);
  if (complaint.state !== 'investigating') return null;
  if (step !== 'asking')
    return (
      <Button
        variant="default"
        size="sm"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setStep('asking')}
        {...(step === 'kept' && { ref: focusOnMount })}
        data-testid="complaint-withdraw"
      >
        <Trans>Retirar mi reclamo</Trans>
      </Button>
    );
  return (
    <Alert color="yellow" title={t`¿Retirar este reclamo?`} data-testid="complaint-withdraw-ask">
      <Stack gap="sm">
        <Text>
          <Trans>
            Dejamos de investigarlo y sus plazos terminan. Si algo sigue mal, puedes reportarlo otra vez desde el
            detalle del envío.
          </Trans>
        </Text>
        {withdraw.error && (
          <Text c="var(--cq-bad)" role="alert" data-testid="complaint-withdraw-refused">
            {errorMessage(withdraw.error)}
          </Text>
        )}
        <Group gap="sm">
          <Button
            variant="default"
            size="sm"
            ref={focusOnMount}
            disabled={withdraw.isPending}
            onClick={() => setStep('kept')}
            data-testid="complaint-withdraw-keep"
          >
            <Trans>No, seguir con el reclamo</Trans>
          </Button>
          <Button
            color="red"
            size="sm"
            loading={withdraw.isPending}
            onClick={() =>
              withdraw.mutate(null, {
                onSuccess: () => toastDone(t`Reclamo retirado`, t`Te lo confirmamos por correo.`),
              })
            }
            data-testid="complaint-withdraw-confirm"
          >
            <Trans>Sí, retirar</Trans>
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
