import { t } from '@lingui/core/macro';
import { Button, Radio, Stack } from '@mantine/core';
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
  .extend({
    confirmPassword: z.string(),
    /** Whether the person changed their second factors lately; empty: not answered. */
    factors: z.enum(['', 'mine', 'not_mine']),
  })
  .refine((values) => values.password === values.confirmPassword, {
    error: passwordMismatch,
    path: ['confirmPassword'],
  });
type Values = z.input<typeof schema>;
const problems = checkedBy(schema);

interface NewPasswordFormProps {
  token: string;
  /** Whose password it is: password managers want to know. */
  email: string;
  /** Second factors changed within the last seven days: the person says whether it was them. */
  factorsChanged: boolean;
  onChanged: () => Promise<unknown>;
  /** The link stopped being worth anything meanwhile; gets the message that says why. */
  onDeadLink: (message: string) => void;
}

/** The new password, twice. */
export function NewPasswordForm({ token, email, factorsChanged, onChanged, onDeadLink }: NewPasswordFormProps) {
  const form = useForm<Values>({
    onValuesChange: clearError,
    mode: 'uncontrolled',
    initialValues: { password: '', confirmPassword: '', factors: '' },
    validate: (values) => ({
      ...problems(values),
      ...(factorsChanged && values.factors === '' && { factors: t`Elige una respuesta` }),
    }),
  });
  const reset = useSingleMutation({
    mutationFn: ({ password, factors }: Values) =>
      call('resetPassword', { body: { token, password, ...(factors === 'not_mine' && { undoFactors: true }) } }),
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
        {factorsChanged && (
          <Radio.Group
            label={t`En los últimos 7 días cambió tu verificación en dos pasos (llaves de acceso, aplicación o códigos). ¿Fuiste tú?`}
            required
            key={form.key('factors')}
            {...form.getInputProps('factors')}
            data-testid="reset-factors"
          >
            <Stack gap="xs" mt="xs">
              <Radio value="mine" label={t`Sí, fui yo`} data-testid="reset-factors-mine" />
              <Radio
                value="not_mine"
                label={t`No, o no lo sé`}
                description={t`Vuelven a ser los de hace 7 días.`}
                data-testid="reset-factors-not-mine"
              />
            </Stack>
          </Radio.Group>
        )}
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
