import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { typedPassword } from '#core/contracts/http/auth';
import { passkeyName } from '#core/contracts/http/passkeys';
import { useSession } from '../../data/session.ts';
import { checkedBy } from '../../lib/form-failure.ts';
import { ApiFailure } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { CheckedForm, Saved } from '../../ui/checked-form.tsx';
import { PasswordField } from './password-fields.tsx';

interface Props {
  about?: ReactNode;
  /** What the button does. */
  verb: string;
  danger?: boolean;
  /** Asks for a name, too, beginning with this one. */
  name?: string;
  perform: (values: { password: string; name: string }) => Promise<unknown>;
  onCancel: () => void;
}

const password = z.object({ password: typedPassword });
const passwordProblem = checkedBy(password);
const problems = checkedBy(password.extend({ name: passkeyName }));

/** The own password, before something that not every open session may do. */
export function PasswordForm({ about, verb, danger = false, name, perform, onCancel }: Props) {
  const { data: session } = useSession();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: name ?? '', password: '' },
    validate: name === undefined ? passwordProblem : problems,
  });
  const confirm = useSingleMutation({
    mutationFn: perform,
    onError: (error) => {
      if (isWrongPassword(error)) form.setErrors({ password: error.userMessage });
    },
  });
  return (
    <CheckedForm form={form} send={(values) => confirm.mutate(values)}>
      {about && <Text>{about}</Text>}
      {name !== undefined && (
        <TextInput
          label={t`Nombre, para reconocerla`}
          required
          key={form.key('name')}
          {...form.getInputProps('name')}
          data-testid="passkey-name"
        />
      )}
      {/* Password managers want to know whose password it is. */}
      <input type="email" name="username" autoComplete="username" value={session?.user.email ?? ''} readOnly hidden />
      <PasswordField
        label={t`Tu contraseña, para confirmar`}
        autoComplete="current-password"
        autoFocus
        data-autofocus
        key={form.key('password')}
        {...form.getInputProps('password')}
        data-testid="factor-password"
      />
      <Group grow>
        <Button variant="default" onClick={onCancel} data-testid="factor-cancel">
          <Trans>Cancelar</Trans>
        </Button>
        <Button
          type="submit"
          {...(danger && { color: 'red' })}
          disabled={confirm.isPending}
          data-testid="factor-change"
        >
          {verb}
        </Button>
      </Group>
      <Saved done={null} error={isWrongPassword(confirm.error) ? null : confirm.error} />
    </CheckedForm>
  );
}

/** Whether a failure is about the password that was typed: then the field says it. */
function isWrongPassword(error: Error | null): error is ApiFailure {
  return error instanceof ApiFailure && error.code === 'wrong_password';
}
