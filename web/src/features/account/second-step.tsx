import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SessionView } from '#core/contracts/http/auth';
import { accountCall } from '../../lib/account-http.ts';
import { ApiFailure } from '../../lib/http.ts';
import { signWithPasskey } from '../../lib/passkeys.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { factorKindsOf } from '../../lib/step-up.ts';
import { toastError } from '../../lib/toast.ts';
import { CheckedForm, Saved } from '../../ui/checked-form.tsx';
import { codeProblem, FactorCodeField, isWrongCode, PasskeyButton } from '../shared/factor-code-field.tsx';

interface Props {
  /** With which the server asked for the second step. */
  asked: ApiFailure;
  /** Gets the session the server opened. */
  onEntered: (session: SessionView) => void;
  /** Back to address and password: by choice, or because the server waits no more. */
  onBack: () => void;
}

/** What an account with a second factor asks for after the password: a passkey, or a code. */
export default function SecondStep({ asked, onEntered, onBack }: Props) {
  const kinds = factorKindsOf(asked);
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' }, validate: { code: codeProblem } });
  const enter = useSingleMutation({
    mutationFn: async (typed: { code: string } | null) => {
      const options = () => accountCall('passkeyOptions', { body: { secondStep: true } });
      return accountCall('secondStep', { body: typed ?? { passkey: await signWithPasskey(await options()) } });
    },
    onSuccess: onEntered,
    onError: (error) => {
      if (isWrongCode(error)) form.setErrors({ code: error.userMessage });
      if (!(error instanceof ApiFailure) || error.code !== 'sign_in_expired') return;
      toastError(t`Vuelve a empezar`, error.userMessage, false);
      onBack();
    },
  });
  return (
    <CheckedForm form={form} send={(values) => enter.mutate(values)} data-testid="second-step">
      <Text>
        {kinds.app ? (
          <Trans>Tu contraseña es correcta. Falta el código que muestra tu aplicación de verificación.</Trans>
        ) : (
          <Trans>Tu contraseña es correcta. Falta tu llave de acceso.</Trans>
        )}
      </Text>
      {kinds.passkey && <PasskeyButton autoFocus disabled={enter.isPending} onClick={() => enter.mutate(null)} />}
      <FactorCodeField
        recoverable
        hasApp={kinds.app}
        begins={!kinds.passkey}
        key={form.key('code')}
        {...form.getInputProps('code')}
      />
      <Button
        type="submit"
        variant={kinds.passkey ? 'default' : 'filled'}
        fullWidth
        disabled={enter.isPending}
        data-testid="second-step-submit"
      >
        {enter.isPending ? t`Iniciando sesión...` : t`Entrar`}
      </Button>
      <Saved done={null} error={isWrongCode(enter.error) ? null : enter.error} />
      <Text fz="sm" c="dimmed">
        <Trans>
          ¿No pusiste tú este segundo paso? Abre el enlace “No fui yo” del correo que te enviamos cuando cambió.
        </Trans>
      </Text>
      <Button variant="subtle" onClick={onBack} data-testid="second-step-back">
        <Trans>Volver</Trans>
      </Button>
    </CheckedForm>
  );
}
