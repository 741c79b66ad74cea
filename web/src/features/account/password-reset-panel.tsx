import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTimeout } from '@mantine/hooks';

import type { SyntheticEvent } from 'react';
import { authEndpoints } from '#core/contracts/http/auth';
import { focusFirstProblem } from '../../lib/form-failure.ts';
import { call, errorMessage } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { clearError, toastDone, toastError } from '../../lib/toast.ts';

const required = 'Por favor ingresa tu dirección de correo electrónico';
const malformed = 'Por favor ingresa una dirección de correo válida';

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
        if (!value.trim()) return required;
        return authEndpoints.recoverPassword.body.safeParse({ email: value }).success ? null : malformed;
      },
    },
  });
  const close = () => onClose(form.getValues().email);
  const followUp = useTimeout(() => {
    const where = 'Revisa también tu carpeta de correo no deseado (spam). Si no llega, solicita un nuevo enlace.';
    toastDone('Siguiente paso', where, followUpMs);
    close();
  }, followUpPauseMs);
  const request = useSingleMutation({
    mutationFn: (body: { email: string }) => call('recoverPassword', { body }),
    onSuccess: (_nothing, { email: address }) => {
      toastDone(
        'Correo enviado',
        `Si hay una cuenta con ${address.trim()}, le enviamos un enlace para cambiar la contraseña.`,
      );
      followUp.start();
    },
    onError: (error) => toastError('No pudimos enviar el correo', errorMessage(error)),
  });
  const onInvalid = (
    _errors: unknown,
    values: { email: string },
    event: SyntheticEvent<HTMLFormElement> | undefined,
  ) => {
    focusFirstProblem(event);
    if (values.email.trim()) toastError('Formato incorrecto', malformed);
    else toastError('Campo requerido', required);
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
            Recupera tu contraseña
          </Title>
          <Text c="dimmed" fz="sm" mt={4}>
            Te enviamos un enlace para poner una nueva. Vale una hora.
          </Text>
        </div>
        <TextInput
          label="Correo electrónico"
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
            Volver
          </Button>
          <Button type="submit" disabled={request.isPending || request.isSuccess} data-testid="recovery-submit">
            {request.isPending ? 'Enviando...' : 'Enviar enlace'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
