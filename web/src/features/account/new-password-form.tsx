import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SyntheticEvent } from 'react';
import { z } from 'zod';
import { authEndpoints } from '#core/contracts/http/auth';
import { checkedBy, focusFirstProblem, refusedField, showFieldErrors } from '../../lib/form-failure.ts';
import { ApiFailure, call, errorMessage } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { clearError, toastError } from '../../lib/toast.ts';
import { NewPasswordFields, passwordMismatch } from './password-fields.tsx';

const schema = authEndpoints.resetPassword.body
  .pick({ password: true })
  .extend({ confirmPassword: z.string() })
  .refine((values) => values.password === values.confirmPassword, {
    error: passwordMismatch,
    path: ['confirmPassword'],
  });
type Values = z.input<typeof schema>;

interface NewPasswordFormProps {
  token: string;
  /** Whose password it is: password managers want to know. */
  email: string;
  onChanged: () => Promise<unknown>;
  /** The link stopped being worth anything meanwhile; gets the message that says why. */
  onDeadLink: (message: string) => void;
}

/** The new password, twice. */
export function NewPasswordForm({ token, email, onChanged, onDeadLink }: NewPasswordFormProps) {
  const form = useForm<Values>({
    onValuesChange: clearError,
    mode: 'uncontrolled',
    initialValues: { password: '', confirmPassword: '' },
    validate: checkedBy(schema),
  });
  const reset = useSingleMutation({
    mutationFn: ({ password }: Values) => call('resetPassword', { body: { token, password } }),
    onSuccess: onChanged,
    onError: (error) => {
      const dead = deadLinkMessage(error);
      if (dead !== null) return onDeadLink(dead);
      showFieldErrors(form, error);
      toastError(t`No se pudo cambiar la contraseña`, errorMessage(error));
    },
  });
  const onInvalid = (_errors: unknown, values: Values, event: SyntheticEvent<HTMLFormElement> | undefined) => {
    focusFirstProblem(event);
    if (values.password !== values.confirmPassword)
      toastError(passwordMismatch(), t`Por favor asegúrate de que las contraseñas sean iguales`);
  };
  const busy = reset.isPending || reset.isSuccess;
  return (
    <form noValidate onSubmit={form.onSubmit((values) => reset.mutate(values), onInvalid)}>
      <Stack>
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordFields form={form} autoFocus />
        <Button type="submit" fullWidth disabled={busy} data-testid="new-password-submit">
          {busy ? t`Guardando...` : t`Guardar contraseña`}
        </Button>
      </Stack>
    </form>
  );
}

/** Why a link opens nothing (any more), when that is what a call failed of; null otherwise. */
export function deadLinkMessage(error: unknown): string | null {
  if (!(error instanceof ApiFailure)) return null;
  return refusedField(error, 'token') ?? (error.code.startsWith('recovery_link_') ? error.userMessage : null);
}
