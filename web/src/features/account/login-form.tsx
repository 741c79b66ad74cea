import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { lazy, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { z } from 'zod';
import { authEndpoints, type SessionView } from '#core/contracts/http/auth';
import { fetchAhead } from '../../lib/fetch-ahead.ts';
import { checkedBy, focusFirstProblem } from '../../lib/form-failure.ts';
import { ApiFailure, call, errorMessageOr } from '../../lib/http.ts';
import { destinationOf, paths } from '../../lib/paths.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { clearError, toastDone, toastError } from '../../lib/toast.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { PasswordField } from './password-fields.tsx';

/** Few accounts ask for it. */
const SecondStep = lazy(() => import('./second-step.tsx'));

const schema = authEndpoints.login.body;
type Values = Required<z.input<typeof schema>>;

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
  const [search] = useSearchParams();
  const form = useForm<Values>({
    onValuesChange: clearError,
    mode: 'uncontrolled',
    initialValues: { email, password: '', remember: false },
    validate: checkedBy(schema),
  });
  /** With which the server asked for the second step. */
  const [asked, setAsked] = useState<ApiFailure | null>(null);
  const enter = (session: SessionView) => {
    toastDone(t`Acceso exitoso`, t`Bienvenido a tu panel de Chasqui`);
    onEntered(session);
  };
  const login = useSingleMutation({
    // Null: with a passkey.
    mutationFn: async (body: Values | null) =>
      body
        ? call('login', { body })
        : (await import('./passkey-sign-in.ts')).signInWithPasskey(form.getValues().remember),
    onSuccess: enter,
    onError: (error) => {
      if (error instanceof ApiFailure && error.code === 'second_factor_required') setAsked(error);
      else
        toastError(
          t`Error de inicio de sesión`,
          errorMessageOr(error, t`Por favor verifica tus credenciales e intenta nuevamente`),
        );
    },
  });
  const forgot = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (returned) forgot.current?.focus();
  }, [returned]);
  const onInvalid = (_errors: unknown, values: Values, event: SyntheticEvent<HTMLFormElement> | undefined) => {
    focusFirstProblem(event);
    if (!values.email.trim() || !values.password)
      toastError(t`Campos incompletos`, t`Por favor completa todos los campos requeridos.`);
  };
  if (asked)
    return (
      <LazyPart>
        <SecondStep asked={asked} onEntered={enter} onBack={() => setAsked(null)} />
      </LazyPart>
    );
  return (
    <form
      noValidate
      onFocus={() => fetchAhead(destinationOf(search))}
      onSubmit={form.onSubmit((values) => login.mutate(values), onInvalid)}
    >
      <Stack>
        {destinationOf(search) !== paths.dashboard && (
          <Text fz="sm" c="dimmed">
            <Trans>Al entrar sigues con lo que abriste.</Trans>
          </Text>
        )}
        <TextInput
          label={t`Correo electrónico`}
          type="email"
          autoComplete="username"
          inputMode="email"
          required
          key={form.key('email')}
          {...form.getInputProps('email')}
          data-testid="login-email"
        />
        <PasswordField
          label={t`Contraseña`}
          autoComplete="current-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
          data-testid="login-password"
        />
        <Group justify="space-between" gap="sm">
          <Checkbox
            label={t`Recordarme en este equipo`}
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
            <Trans>¿Olvidaste tu contraseña?</Trans>
          </Anchor>
        </Group>
        <Button type="submit" fullWidth disabled={login.isPending} data-testid="login-submit">
          {login.isPending ? t`Iniciando sesión...` : t`Iniciar Sesión`}
        </Button>
        {'PublicKeyCredential' in window && (
          <Button
            variant="default"
            fullWidth
            disabled={login.isPending}
            onClick={() => login.mutate(null)}
            data-testid="login-passkey"
          >
            <Trans>Entrar con llave de acceso</Trans>
          </Button>
        )}
      </Stack>
    </form>
  );
}
