import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { z } from 'zod';
import { typedPassword } from '#core/contracts/http/auth';
import { useSession } from '../../data/session.ts';
import { accountCall } from '../../lib/account-http.ts';
import { checkedBy, focusFirstProblem } from '../../lib/form-failure.ts';
import { ApiFailure, errorMessage } from '../../lib/http.ts';
import { signWithPasskey } from '../../lib/passkeys.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import type { FactorKinds } from '../../lib/step-up.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { codeProblem, FactorCodeField, isWrongCode } from './factor-code-field.tsx';
import { PasskeyButton } from './passkey-button.tsx';

interface Answering {
  kinds: FactorKinds;
  /** Gets whether the second factor was proven. */
  onAnswer: (proven: boolean) => void;
}

/** Asks for the second factor, or the password where there is none, before something that moves money, changes a rate or how one signs in is done. */
export default function StepUpDialog({ opened, kinds, onAnswer }: Answering & { opened: boolean }) {
  return (
    <Dialog
      opened={opened}
      onClose={() => onAnswer(false)}
      title={t`Confirma que eres tú`}
      closeButtonProps={{ 'aria-label': t`Cerrar` }}
    >
      {kinds.app || kinds.passkey ? (
        <FactorProof kinds={kinds} onAnswer={onAnswer} />
      ) : (
        <PasswordProof onAnswer={onAnswer} />
      )}
    </Dialog>
  );
}

const passwordProblem = checkedBy(z.object({ password: typedPassword }));

function PasswordProof({ onAnswer }: Pick<Answering, 'onAnswer'>) {
  const { data: session } = useSession();
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' }, validate: passwordProblem });
  const prove = useSingleMutation({
    mutationFn: (body: { password: string }) => accountCall('proveSecondFactor', { body }),
    onSuccess: () => onAnswer(true),
    onError: (error) => {
      if (isWrongPassword(error)) form.setErrors({ password: error.userMessage });
      // A second factor was set up meanwhile: the call itself says what it wants.
      if (error instanceof ApiFailure && error.code === 'second_factor_changed') onAnswer(true);
    },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => prove.mutate(values),
        (_errors, _values, event) => focusFirstProblem(event),
      )}
    >
      <Stack>
        <Text>
          <Trans>Pasó un rato desde que entraste. En cuanto escribas tu contraseña hacemos lo que pediste.</Trans>
        </Text>
        {/* Password managers want to know whose password it is. */}
        <input type="email" name="username" autoComplete="username" value={session?.user.email ?? ''} readOnly hidden />
        <PasswordField
          label={t`Tu contraseña`}
          autoComplete="current-password"
          data-autofocus
          key={form.key('password')}
          {...form.getInputProps('password')}
          data-testid="step-up-password"
        />
        <Refusal error={isWrongPassword(prove.error) ? null : prove.error} />
        <Choice busy={prove.isPending} onAnswer={onAnswer} />
      </Stack>
    </form>
  );
}

/** Whether a failure is about the password that was typed: then the field says it. */
function isWrongPassword(error: Error | null): error is ApiFailure {
  return error instanceof ApiFailure && error.code === 'wrong_password';
}

function Refusal({ error }: { error: Error | null }) {
  if (!error) return null;
  return (
    <Text fz="sm" c="var(--cq-bad)" role="alert">
      {errorMessage(error)}
    </Text>
  );
}

function Choice({ busy, onAnswer }: { busy: boolean; onAnswer: Answering['onAnswer'] }) {
  return (
    <Group grow>
      <Button variant="default" onClick={() => onAnswer(false)} data-testid="step-up-cancel">
        <Trans>Cancelar</Trans>
      </Button>
      <Button type="submit" disabled={busy} data-testid="step-up-submit">
        <Trans>Confirmar</Trans>
      </Button>
    </Group>
  );
}

function FactorProof({ kinds, onAnswer }: Answering) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' }, validate: { code: codeProblem } });
  const prove = useSingleMutation({
    mutationFn: async (typed: { code: string } | null) => {
      const body = typed ?? { passkey: await signWithPasskey(await accountCall('passkeyProof')) };
      await accountCall('proveSecondFactor', { body });
    },
    onSuccess: () => onAnswer(true),
    onError: (error) => {
      if (isWrongCode(error)) form.setErrors({ code: error.userMessage });
      // It was turned off meanwhile: there is nothing to prove.
      if (error instanceof ApiFailure && error.code === 'second_factor_changed') onAnswer(true);
    },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => prove.mutate(values),
        (_errors, _values, event) => focusFirstProblem(event),
      )}
    >
      <Stack>
        <Text>
          <Trans>Pasó un rato desde tu último segundo paso. En cuanto lo confirmes hacemos lo que pediste.</Trans>
        </Text>
        {kinds.passkey && (
          <PasskeyButton data-autofocus disabled={prove.isPending} onClick={() => prove.mutate(null)} />
        )}
        <FactorCodeField
          recoverable
          hasApp={kinds.app}
          data-autofocus={!kinds.passkey || undefined}
          key={form.key('code')}
          {...form.getInputProps('code')}
        />
        <Refusal error={isWrongCode(prove.error) ? null : prove.error} />
        <Choice busy={prove.isPending} onAnswer={onAnswer} />
      </Stack>
    </form>
  );
}
