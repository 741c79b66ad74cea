import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useOptionalQuery } from '../../data/optional-query.ts';
import { paymentConfigQuery } from '../../data/payments.ts';
import { sessionKey } from '../../data/query-keys.ts';
import { sessionQuery } from '../../data/session.ts';
import { accountCall } from '../../lib/account-http.ts';
import { showFieldErrors } from '../../lib/form-failure.ts';
import { ApiFailure, errorMessage } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { CheckedForm } from '../../ui/checked-form.tsx';
import { Dialog } from '../../ui/dialog.tsx';

/** How often (ms) it is asked whether the link was opened on another device. */
const askEveryMs = 4000;

/** All of a code; spaces do not matter. */
const whole = /^(\s*\d){6}\s*$/;

interface Props {
  opened: boolean;
  /** Gets whether the address was proven. */
  onAnswer: (proven: boolean) => void;
}

/** Asks for the code in the e-mail before the first payment, or before it is checked who somebody is. */
export default function EmailProofDialog({ opened, onAnswer }: Props) {
  return (
    <Dialog
      opened={opened}
      onClose={() => onAnswer(false)}
      title={t`Confirma tu correo`}
      closeButtonProps={{ 'aria-label': t`Cerrar` }}
    >
      <Stack>
        <Text>
          <Trans>Es una sola vez: así sabemos que los comprobantes y avisos te llegan a ti.</Trans>
        </Text>
        <EmailProofForm onProven={() => onAnswer(true)} onCancel={() => onAnswer(false)} begins />
      </Stack>
    </Dialog>
  );
}

interface FormProps {
  onProven?: () => void;
  onCancel?: () => void;
  /** The keyboard is here at once. */
  begins?: boolean;
}

/** The code that was sent to the account's address; the sixth digit sends it. Who opens the link elsewhere need not type it. */
export function EmailProofForm({ onProven, onCancel, begins = false }: FormProps) {
  const queryClient = useQueryClient();
  const session = useOptionalQuery({ ...sessionQuery, refetchInterval: askEveryMs });
  const proven = session?.user.emailProven === true;
  const tell = useEffectEvent(() => onProven?.());
  useEffect(() => {
    if (proven) tell();
  }, [proven]);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { code: '' },
    validate: { code: (code) => (whole.test(code) ? null : t`Escribe los 6 números del correo`) },
    onValuesChange: ({ code }) => {
      if (whole.test(code)) prove.mutate({ code });
    },
  });
  const prove = useSingleMutation({
    mutationFn: (body: { code: string }) => accountCall('proveEmail', { body }),
    onSuccess: (proved) => queryClient.setQueryData(sessionKey, proved),
    onError: (error) => {
      if (isWrongCode(error)) form.setErrors({ code: error.userMessage });
      else showFieldErrors(form, error);
    },
  });
  const resend = useSingleMutation({ mutationFn: () => accountCall('sendEmailCode') });
  const failed = [prove.error, resend.error].find((error) => error && !isWrongCode(error));
  const email = session?.user.email ?? '';
  return (
    <CheckedForm form={form} send={(values) => prove.mutate(values)}>
      <TextInput
        label={t`Código de 6 números`}
        description={
          <Trans>
            Lo enviamos a <strong style={{ overflowWrap: 'anywhere' }}>{email}</strong>. También puedes abrir el enlace
            de ese correo, en cualquier equipo.
          </Trans>
        }
        placeholder="123 456"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        {...(begins && { 'data-autofocus': true })}
        key={form.key('code')}
        {...form.getInputProps('code')}
        data-testid="email-code"
      />
      <MailboxOfSandbox />
      {failed && (
        <Text fz="sm" c="var(--cq-bad)" role="alert">
          {errorMessage(failed)}
        </Text>
      )}
      <div>
        <div aria-live="polite">
          {resend.isSuccess && (
            <Text fz="sm">
              <Trans>Enviamos otro código. Si no llega en unos minutos, mira la carpeta de spam.</Trans>
            </Text>
          )}
        </div>
        <Anchor
          component="button"
          type="button"
          fz="sm"
          disabled={resend.isPending}
          onClick={() => resend.mutate()}
          style={{ alignSelf: 'flex-start' }}
          data-testid="email-code-again"
        >
          <Trans>No me llegó: enviar otro código</Trans>
        </Anchor>
      </div>
      <Group grow>
        {onCancel && (
          <Button variant="default" onClick={onCancel} data-testid="email-code-cancel">
            <Trans>Cancelar</Trans>
          </Button>
        )}
        <Button type="submit" disabled={prove.isPending || proven} data-testid="email-code-submit">
          <Trans>Confirmar</Trans>
        </Button>
      </Group>
    </CheckedForm>
  );
}

const isWrongCode = (error: Error | null): error is ApiFailure =>
  error instanceof ApiFailure && error.code === 'email_code_wrong';

/** In the sandbox no e-mail leaves the machine. */
function MailboxOfSandbox() {
  const data = useOptionalQuery(paymentConfigQuery);
  if (data?.mode !== 'sandbox' || !data.scriptUrl) return null;
  return (
    <Text fz="sm" c="dimmed">
      <Trans>
        Esto es un simulador: el correo está en su{' '}
        <Anchor href={new URL('/mail.html', data.scriptUrl).href} target="_blank" inherit underline="always">
          buzón
        </Anchor>
        .
      </Trans>
    </Text>
  );
}
