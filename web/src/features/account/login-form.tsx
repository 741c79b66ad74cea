import { Anchor, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';

import { type SyntheticEvent, useEffect, useRef } from 'react';
import type { z } from 'zod';
import { authEndpoints, type SessionView } from '#core/contracts/http/auth';
import { focusFirstProblem } from '../../lib/form-failure.ts';
import { call, errorMessageOr } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { clearError, toastDone, toastError } from '../../lib/toast.ts';
import { PasswordField } from './password-field.tsx';

const schema = authEndpoints.login.body;
type Values = Required<z.input<typeof schema>>;

const failed = 'Por favor verifica tus credenciales e intenta nuevamente';

interface LoginFormProps {
  /** Typed already, in the panel that sends the password reset link. */
  email: string;
  /** The person comes back from that panel: the keyboard goes on where it was. */
  returned: boolean;
  /** Gets the session the server opened. */
  onEntered: (session: SessionView) => void;
  /** The password is forgotten; gets the address as far as it was typed. */
  onForgot: (email: string) => void;
}

/** E-mail and password. */
export function LoginForm({ email, returned, onEntered, onForgot }: LoginFormProps) {
  const form = useForm<Values>({
    onValuesChange: clearError,
    mode: 'uncontrolled',
    initialValues: { email, password: '', remember: false },
    validate: schemaResolver(schema, { sync: true }),
  });
  const login = useSingleMutation({
    mutationFn: (body: Values) => call('login', { body }),
    onSuccess: (session) => {
      toastDone('Acceso exitoso', 'Bienvenido a tu panel de Chasqui');
      onEntered(session);
    },
    onError: (error) => toastError('Error de inicio de sesión', errorMessageOr(error, failed)),
  });
  const forgot = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (returned) forgot.current?.focus();
  }, [returned]);
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
        <PasswordField
          label="Contraseña"
          autoComplete="current-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
          data-testid="login-password"
        />
        <Group justify="space-between" gap="sm">
          <Checkbox
            label="Recordarme en este equipo"
            key={form.key('remember')}
            {...form.getInputProps('remember', { type: 'checkbox' })}
            data-testid="login-remember"
          />
          <Anchor
            component="button"
            type="button"
            ref={forgot}
            fz="sm"
            onClick={() => onForgot(form.getValues().email)}
            data-testid="login-forgot"
          >
            ¿Olvidaste tu contraseña?
          </Anchor>
        </Group>
        <Button type="submit" fullWidth disabled={login.isPending} data-testid="login-submit">
          {login.isPending ? 'Iniciando sesión...' : 'Iniciar Sesión'}
        </Button>
      </Stack>
    </form>
  );
}
