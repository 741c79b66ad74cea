import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTimeout } from '@mantine/hooks';

import type { SyntheticEvent } from 'react';
import { authEndpoints } from '#core/contracts/http/auth';
import { focusFirstProblem } from '../../lib/form-failure.ts';
import { call, errorMessage } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { clearError, toastDone, toastError } from '../../lib/toast.ts';

const required = () => t`Por favor ingresa tu dirección de correo electrónico`;
const malformed = () => t`Por favor ingresa una dirección de correo válida`;

/** What to do next is told after what was done could be read, and stays longer (ms). */
const followUpPauseMs = 1000;
const followUpMs = 6000;

interface PasswordResetPanelProps {
  /** Typed already, in the form this panel stands in for. */
  email: string;
  onClose: (email: string) => void;
}

/** Asks for the e-mail with the link to a new password; in the place of the login form. */
export function PasswordResetPanel({ email, onClose }: PasswordResetPanelProps) {
  const form = useForm({
    onValuesChange: clearError,
    mode: 'uncontrolled',
    initialValues: { email },
    validate: {
      email: (value) => {
        if (!value.trim()) return required();
        return authEndpoints.recoverPassword.body.safeParse({ email: value }).success ? null : malformed();
      },
    },
  });
  const close = () => onClose(form.getValues().email);
  const followUp = useTimeout(() => {
    const where = t`Revisa también tu carpeta de correo no deseado (spam). Si no llega, solicita un nuevo enlace.`;
    toastDone(t`Siguiente paso`, where, followUpMs);
    close();
  }, followUpPauseMs);
  const request = useSingleMutation({
    mutationFn: (body: { email: string }) => call('recoverPassword', { body }),
    onSuccess: (_nothing, { email: address }) => {
      toastDone(
        t`Correo enviado`,
        t`Si hay una cuenta con ${address.trim()}, le enviamos un enlace para cambiar la contraseña.`,
      );
      followUp.start();
    },
    onError: (error) => toastError(t`No pudimos enviar el correo`, errorMessage(error)),
  });
  const onInvalid = (
    _errors: unknown,
    values: { email: string },
    event: SyntheticEvent<HTMLFormElement> | undefined,
  ) => {
    focusFirstProblem(event);
    if (values.email.trim()) toastError(t`Formato incorrecto`, malformed());
    else toastError(t`Campo requerido`, required());
  };
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => request.mutate(values), onInvalid)}
      data-testid="recovery-panel"
    >
      <Stack>
        <div>
          <Title order={2} fz="lg">
            <Trans>Recupera tu contraseña</Trans>
          </Title>
          <Text c="dimmed" fz="sm" mt={4}>
            <Trans>Te enviamos un enlace para poner una nueva. Vale una hora.</Trans>
          </Text>
        </div>
        <TextInput
          label={t`Correo electrónico`}
          type="email"
          autoComplete="username"
          inputMode="email"
          required
          // The person has just asked for this field.
          autoFocus
          key={form.key('email')}
          {...form.getInputProps('email')}
          data-testid="recovery-email"
        />
        <Group grow preventGrowOverflow={false}>
          <Button variant="default" onClick={close} data-testid="recovery-back">
            <Trans>Volver</Trans>
          </Button>
          <Button type="submit" disabled={request.isPending || request.isSuccess} data-testid="recovery-submit">
            {request.isPending ? t`Enviando...` : t`Enviar enlace`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
