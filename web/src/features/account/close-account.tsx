import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, List, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { accountEndpoints } from '#core/contracts/http/account';
import { leaveSession, useSession } from '../../data/session.ts';
import { accountCall } from '../../lib/account-http.ts';
import { checkedBy, showFieldErrors } from '../../lib/form-failure.ts';
import { ApiFailure, errorMessage } from '../../lib/http.ts';
import { paths } from '../../lib/paths.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { toastDone } from '../../lib/toast.ts';
import { CheckedForm } from '../../ui/checked-form.tsx';
import { PasswordField } from './password-fields.tsx';

/** What closing means, and the password that does it. */
export default function CloseAccount() {
  const { data: session } = useSession();
  if (session?.user.role === 'admin')
    return (
      <Text>
        <Trans>Esta cuenta administra Chasqui: la cierra quien opera el servicio.</Trans>
      </Text>
    );
  return <CloseForm email={session?.user.email ?? ''} />;
}

function CloseForm({ email }: { email: string }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: checkedBy(accountEndpoints.closeAccount.body),
  });
  const close = useSingleMutation({
    mutationFn: (body: { password: string }) => accountCall('closeAccount', { body }),
    onSuccess: async () => {
      leaveSession(queryClient);
      await navigate(paths.home, { replace: true });
      toastDone(t`Cerramos tu cuenta`, t`Te enviamos un correo que lo confirma.`);
    },
    onError: (error) => {
      if (error instanceof ApiFailure && error.code === 'wrong_password')
        form.setErrors({ password: error.userMessage });
      else showFieldErrors(form, error);
    },
  });
  const atField = close.error instanceof ApiFailure && ['wrong_password', 'invalid_input'].includes(close.error.code);
  const busy = close.isPending || close.isSuccess;
  return (
    <CheckedForm form={form} send={(values) => close.mutate(values)}>
      <List spacing="xs" size="sm">
        <List.Item>
          <Trans>Se cierran tus sesiones y nadie puede entrar con esta cuenta.</Trans>
        </List.Item>
        <List.Item>
          <Trans>Borramos tus destinatarios, alertas, teléfono y ciudad. Lo que no pagaste se cancela.</Trans>
        </List.Item>
        <List.Item>
          <Trans>Guardamos tus envíos y tu nombre por el tiempo que pide la ley.</Trans>
        </List.Item>
        <List.Item>
          <Trans>No se puede cerrar con un envío en curso o un problema sin resolver.</Trans>
        </List.Item>
      </List>
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={t`Tu contraseña, para confirmar`}
        autoComplete="current-password"
        key={form.key('password')}
        {...form.getInputProps('password')}
        data-testid="close-password"
      />
      <Button type="submit" color="red" disabled={busy} data-testid="close-submit">
        {busy ? t`Cerrando...` : t`Cerrar mi cuenta`}
      </Button>
      {close.error && !atField && (
        <Alert color="red" role="alert">
          {errorMessage(close.error)}
        </Alert>
      )}
    </CheckedForm>
  );
}
