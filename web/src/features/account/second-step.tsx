import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SessionView } from '#core/contracts/http/auth';
import { accountCall } from '../../lib/account-http.ts';
import { focusFirstProblem } from '../../lib/form-failure.ts';
import { ApiFailure } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { toastError } from '../../lib/toast.ts';
import { codeProblem, FactorCodeField, isWrongCode } from '../shared/factor-code-field.tsx';
import { Saved } from './saved.tsx';

interface Props {
  /** Gets the session the server opened. */
  onEntered: (session: SessionView) => void;
  /** Back to address and password: by choice, or because the server waits no more. */
  onBack: () => void;
}

/** The code that an account with a second factor asks for after the password. */
export default function SecondStep({ onEntered, onBack }: Props) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' }, validate: { code: codeProblem } });
  const enter = useSingleMutation({
    mutationFn: (body: { code: string }) => accountCall('secondStep', { body }),
    onSuccess: onEntered,
    onError: (error) => {
      if (isWrongCode(error)) form.setErrors({ code: error.userMessage });
      if (!(error instanceof ApiFailure) || error.code !== 'sign_in_expired') return;
      toastError(t`Vuelve a empezar`, error.userMessage);
      onBack();
    },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => enter.mutate(values),
        (_errors, _values, event) => focusFirstProblem(event),
      )}
      data-testid="second-step"
    >
      <Stack>
        <Text>
          <Trans>Tu contraseña es correcta. Falta el código que muestra tu aplicación de verificación.</Trans>
        </Text>
        <FactorCodeField recoverable begins key={form.key('code')} {...form.getInputProps('code')} />
        <Button type="submit" fullWidth disabled={enter.isPending} data-testid="second-step-submit">
          {enter.isPending ? t`Iniciando sesión...` : t`Entrar`}
        </Button>
        <Saved done={null} error={isWrongCode(enter.error) ? null : enter.error} />
        <Button variant="subtle" onClick={onBack} data-testid="second-step-back">
          <Trans>Volver</Trans>
        </Button>
      </Stack>
    </form>
  );
}
