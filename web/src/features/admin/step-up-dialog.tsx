import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { accountCall } from '../../lib/account-http.ts';
import { focusFirstProblem } from '../../lib/form-failure.ts';
import { ApiFailure, errorMessage } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { codeProblem, FactorCodeField, isWrongCode } from '../shared/factor-code-field.tsx';

interface Props {
  opened: boolean;
  /** Gets whether the second factor was proven. */
  onAnswer: (proven: boolean) => void;
}

/** Asks for a code before something that moves money or changes a rate is done. */
export default function StepUpDialog({ opened, onAnswer }: Props) {
  return (
    <Dialog
      opened={opened}
      onClose={() => onAnswer(false)}
      title={t`Confirma que eres tú`}
      closeButtonProps={{ 'aria-label': t`Cerrar` }}
    >
      <CodeForm onAnswer={onAnswer} />
    </Dialog>
  );
}

function CodeForm({ onAnswer }: Pick<Props, 'onAnswer'>) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' }, validate: { code: codeProblem } });
  const prove = useSingleMutation({
    mutationFn: (body: { code: string }) => accountCall('proveSecondFactor', { body }),
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
          <Trans>Pasó un rato desde tu último código. En cuanto lo confirmes hacemos lo que pediste.</Trans>
        </Text>
        <FactorCodeField recoverable data-autofocus key={form.key('code')} {...form.getInputProps('code')} />
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
