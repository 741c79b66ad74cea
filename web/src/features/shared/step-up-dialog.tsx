import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { accountCall } from '../../lib/account-http.ts';
import { focusFirstProblem } from '../../lib/form-failure.ts';
import { ApiFailure, errorMessage } from '../../lib/http.ts';
import { signWithPasskey } from '../../lib/passkeys.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import type { FactorKinds } from '../../lib/step-up.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { codeProblem, FactorCodeField, isWrongCode } from './factor-code-field.tsx';
import { PasskeyButton } from './passkey-button.tsx';

interface Answering {
  kinds: FactorKinds;
  /** Gets whether the second factor was proven. */
  onAnswer: (proven: boolean) => void;
}

/** Asks for the second factor before something that moves money, changes a rate or how one signs in is done. */
export default function StepUpDialog({ opened, kinds, onAnswer }: Answering & { opened: boolean }) {
  return (
    <Dialog
      opened={opened}
      onClose={() => onAnswer(false)}
      title={t`Confirma que eres tú`}
      closeButtonProps={{ 'aria-label': t`Cerrar` }}
    >
      <ProofForm kinds={kinds} onAnswer={onAnswer} />
    </Dialog>
  );
}

function ProofForm({ kinds, onAnswer }: Answering) {
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
        {prove.error && !isWrongCode(prove.error) && (
          <Text fz="sm" c="var(--cq-bad)" role="alert">
            {errorMessage(prove.error)}
          </Text>
        )}
        <Group grow>
          <Button variant="default" onClick={() => onAnswer(false)} data-testid="step-up-cancel">
            <Trans>Cancelar</Trans>
          </Button>
          <Button type="submit" disabled={prove.isPending} data-testid="step-up-submit">
            <Trans>Confirmar</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
