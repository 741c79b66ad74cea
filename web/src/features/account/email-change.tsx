import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { accountEndpoints } from '#core/contracts/http/account';
import { accountQuery } from '../../data/account.ts';
import { useSession } from '../../data/session.ts';
import { accountCall } from '../../lib/account-http.ts';
import { checkedBy, showFieldErrors } from '../../lib/form-failure.ts';
import { ApiFailure } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { CheckedForm, Saved } from '../../ui/checked-form.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { EmailProofForm } from './email-proof.tsx';
import { PasswordField } from './password-fields.tsx';

const schema = accountEndpoints.changeEmail.body;
const empty = { email: '', password: '' };

/** Failures that are about one of the fields. */
const fieldOf = { wrong_password: 'password', email_unchanged: 'email' } as const;

/** Asks for another address and the password; the address changes when its link is opened. */
export default function EmailChange() {
  const query = useQuery(accountQuery);
  return (
    <QueryView query={query} loading={<LoadingRows rows={2} height={48} />}>
      {({ email }) => (
        <Stack gap="xl">
          <Unproven />
          <EmailForm current={email} />
        </Stack>
      )}
    </QueryView>
  );
}

/** Proving the address of the account, as long as that is to be done. */
function Unproven() {
  const { data: session } = useSession();
  if (session?.user.emailProven !== false) return null;
  return (
    <Stack>
      <Alert color="yellow" icon={<IconMail aria-hidden />}>
        <Trans>Falta confirmar tu correo. Lo necesitas antes de tu primer pago.</Trans>
      </Alert>
      <EmailProofForm />
    </Stack>
  );
}

function EmailForm({ current }: { current: string }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: empty, validate: checkedBy(schema) });
  const change = useSingleMutation({
    mutationFn: (body: typeof empty) => accountCall('changeEmail', { body }),
    onSuccess: () => form.reset(),
    onError: (error) => {
      const field = error instanceof ApiFailure && fieldOf[error.code as keyof typeof fieldOf];
      if (field) form.setErrors({ [field]: error.userMessage });
      else showFieldErrors(form, error);
    },
  });
  const atField =
    change.error instanceof ApiFailure && [...Object.keys(fieldOf), 'invalid_input'].includes(change.error.code);
  const asked = change.variables?.email.trim() ?? '';
  return (
    <CheckedForm form={form} send={(values) => change.mutate(values)}>
      <Text style={{ overflowWrap: 'anywhere' }}>
        <Trans>
          Ahora es <strong>{current}</strong>.
        </Trans>
      </Text>
      <Text fz="sm" c="dimmed">
        <Trans>
          Te enviamos un enlace a la dirección nueva. Cuando lo abres, cambia el correo, cerramos tus sesiones en tus
          demás equipos y avisamos a la dirección de antes.
        </Trans>
      </Text>
      <TextInput
        label={t`Correo nuevo`}
        required
        type="email"
        autoComplete="email"
        key={form.key('email')}
        {...form.getInputProps('email')}
        data-testid="email-new"
      />
      <PasswordField
        label={t`Tu contraseña, para confirmar`}
        autoComplete="current-password"
        key={form.key('password')}
        {...form.getInputProps('password')}
        data-testid="email-password"
      />
      <Button type="submit" disabled={change.isPending} data-testid="email-save">
        {change.isPending ? t`Enviando...` : t`Enviar el enlace`}
      </Button>
      <Saved
        done={
          change.isSuccess
            ? t`Enviamos un enlace a ${asked}. Ábrelo en la próxima hora; hasta entonces todo sigue igual. Si esa dirección ya tiene una cuenta en Chasqui, no le llega nada.`
            : null
        }
        error={atField ? null : change.error}
      />
    </CheckedForm>
  );
}
