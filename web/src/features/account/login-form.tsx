import { Button, Checkbox, PasswordInput, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { SyntheticEvent } from 'react';
import type { z } from 'zod';
import { authEndpoints, type SessionView } from '#core/contracts/http/auth';
import { endpoints } from '#core/contracts/http/endpoints';
import { focusFirstProblem } from '../../lib/form-failure.ts';
import { call, sentenceOf } from '../../lib/http.ts';
import { toastDone, toastError } from '../../lib/toast.ts';

const schema = authEndpoints.login.body;
type Values = Required<z.input<typeof schema>>;

/** E-mail and password. `onEntered` gets the session the server opened. */
export function LoginForm({ onEntered }: { onEntered: (session: SessionView) => void }) {
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '', remember: false },
    validate: schemaResolver(schema, { sync: true }),
  });
  const login = useMutation({
    mutationFn: (body: Values) => call(endpoints.login, { body }),
    onSuccess: (session) => {
      toastDone('Acceso exitoso', 'Bienvenido a tu panel de Chasqui');
      onEntered(session);
    },
    onError: (error) => toastError('Error de inicio de sesión', sentenceOf(error)),
  });
  const onInvalid = (_errors: unknown, values: Values, event: SyntheticEvent<HTMLFormElement> | undefined) => {
    focusFirstProblem(event);
    if (!values.email.trim() || !values.password)
      toastError('Campos incompletos', 'Por favor completa todos los campos requeridos.');
  };
  return (
    <form noValidate onSubmit={form.onSubmit((values) => login.mutate(values), onInvalid)}>
      <Stack>
        <TextInput
          label="Correo electrónico"
          type="email"
          autoComplete="username"
          inputMode="email"
          required
          key={form.key('email')}
          {...form.getInputProps('email')}
          data-testid="login-email"
        />
        <PasswordInput
          label="Contraseña"
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': 'Mostrar u ocultar la contraseña' }}
          key={form.key('password')}
          {...form.getInputProps('password')}
          data-testid="login-password"
        />
        <Checkbox
          label="Recordarme en este equipo"
          key={form.key('remember')}
          {...form.getInputProps('remember', { type: 'checkbox' })}
          data-testid="login-remember"
        />
        <Button type="submit" fullWidth disabled={login.isPending} data-testid="login-submit">
          {login.isPending ? 'Iniciando sesión...' : 'Iniciar Sesión'}
        </Button>
      </Stack>
    </form>
  );
}
