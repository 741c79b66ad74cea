import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { accountCall } from '../../lib/account-http.ts';
import { ApiFailure, type CallInput } from '../../lib/http.ts';
import { signWithPasskey } from '../../lib/passkeys.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import type { FactorKinds } from '../../lib/step-up.ts';
import { CheckedForm, Saved } from '../../ui/checked-form.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { codeProblem, FactorCodeField, isWrongCode, PasskeyButton } from '../shared/factor-code-field.tsx';
import { PasswordForm } from './password-form.tsx';

interface Answering {
  about: FactorKinds;
  /** Gets whether the second factor was proven. */
  onAnswer: (proven: boolean) => void;
}

/** Asks for the second factor, or the password where there is none, before something that moves money, changes a rate or how one signs in is done. */
export default function StepUpDialog({ opened, about: kinds, onAnswer }: Answering & { opened: boolean }) {
  return (
    <Dialog
      opened={opened}
      onClose={() => onAnswer(false)}
      title={t`Confirma que eres tú`}
      closeButtonProps={{ 'aria-label': t`Cerrar` }}
    >
      {kinds.app || kinds.passkey ? (
        <FactorProof about={kinds} onAnswer={onAnswer} />
      ) : (
        <PasswordProof onAnswer={onAnswer} />
      )}
    </Dialog>
  );
}

/** Where the second factor was set up or turned off meanwhile there is nothing to prove: the call that waits says what it wants. */
async function prove(body: CallInput<'proveSecondFactor'>['body']): Promise<void> {
  try {
    await accountCall('proveSecondFactor', { body });
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'second_factor_changed') throw error;
  }
}

function PasswordProof({ onAnswer }: Pick<Answering, 'onAnswer'>) {
  return (
    <PasswordForm
      about={<Trans>Pasó un rato desde que entraste. En cuanto escribas tu contraseña hacemos lo que pediste.</Trans>}
      verb={t`Confirmar`}
      perform={({ password }) => prove({ password }).then(() => onAnswer(true))}
      onCancel={() => onAnswer(false)}
    />
  );
}

function FactorProof({ about: kinds, onAnswer }: Answering) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' }, validate: { code: codeProblem } });
  const confirm = useSingleMutation({
    mutationFn: async (typed: { code: string } | null) =>
      prove(typed ?? { passkey: await signWithPasskey(await accountCall('passkeyProof')) }),
    onSuccess: () => onAnswer(true),
    onError: (error) => {
      if (isWrongCode(error)) form.setErrors({ code: error.userMessage });
    },
  });
  return (
    <CheckedForm form={form} send={(values) => confirm.mutate(values)}>
      <Text>
        <Trans>Pasó un rato desde tu último segundo paso. En cuanto lo confirmes hacemos lo que pediste.</Trans>
      </Text>
      {kinds.passkey && (
        <PasskeyButton data-autofocus disabled={confirm.isPending} onClick={() => confirm.mutate(null)} />
      )}
      <FactorCodeField
        recoverable
        hasApp={kinds.app}
        data-autofocus={!kinds.passkey || undefined}
        key={form.key('code')}
        {...form.getInputProps('code')}
      />
      <Saved done={null} error={isWrongCode(confirm.error) ? null : confirm.error} />
      <Group grow>
        <Button variant="default" onClick={() => onAnswer(false)} data-testid="step-up-cancel">
          <Trans>Cancelar</Trans>
        </Button>
        <Button type="submit" disabled={confirm.isPending} data-testid="step-up-submit">
          <Trans>Confirmar</Trans>
        </Button>
      </Group>
    </CheckedForm>
  );
}
