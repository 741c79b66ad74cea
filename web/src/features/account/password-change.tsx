import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { z } from 'zod';
import { accountEndpoints } from '#core/contracts/http/account';
import { useSession } from '../../data/session.ts';
import { accountCall } from '../../lib/account-http.ts';
import { checkedBy, showFieldErrors } from '../../lib/form-failure.ts';
import { ApiFailure } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { CheckedForm, Saved } from '../../ui/checked-form.tsx';
import { NewPasswordFields, PasswordField, passwordMismatch } from './password-fields.tsx';

const schema = accountEndpoints.changePassword.body
  .extend({ confirmPassword: z.string() })
  .refine((values) => values.password === values.confirmPassword, {
    error: passwordMismatch,
    path: ['confirmPassword'],
  });
const empty = { current: '', password: '', confirmPassword: '' };

/** The current password, and the new one twice. */
export default function PasswordChange() {
  const { data: session } = useSession();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: empty,
    validate: checkedBy(schema),
  });
  const change = useSingleMutation({
    mutationFn: ({ current, password }: typeof empty) => accountCall('changePassword', { body: { current, password } }),
    onSuccess: () => form.reset(),
    onError: (error) => {
      if (error instanceof ApiFailure && error.code === 'wrong_password')
        form.setErrors({ current: error.userMessage });
      else showFieldErrors(form, error);
    },
  });
  const atField = change.error instanceof ApiFailure && ['wrong_password', 'invalid_input'].includes(change.error.code);
  return (
    <CheckedForm form={form} send={(values) => change.mutate(values)}>
      <Text fz="sm" c="dimmed">
        <Trans>Al cambiarla cerramos tus sesiones en tus demás equipos. Aquí sigues dentro.</Trans>
      </Text>
      {/* Password managers want to know whose password it is. */}
      <input type="email" name="username" autoComplete="username" value={session?.user.email ?? ''} readOnly hidden />
      <PasswordField
        label={t`Contraseña actual`}
        autoComplete="current-password"
        key={form.key('current')}
        {...form.getInputProps('current')}
        data-testid="password-current"
      />
      <NewPasswordFields form={form} />
      <Button type="submit" disabled={change.isPending} data-testid="password-save">
        {change.isPending ? t`Guardando...` : t`Cambiar contraseña`}
      </Button>
      <Saved
        done={change.isSuccess ? t`Contraseña cambiada. Te enviamos un correo que lo confirma.` : null}
        error={atField ? null : change.error}
      />
    </CheckedForm>
  );
}
