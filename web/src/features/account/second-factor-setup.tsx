import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMemo, useState } from 'react';
import { encode } from 'uqr';
import { secondFactorEndpoints } from '#core/contracts/http/second-factor';
import { useSession } from '../../data/session.ts';
import { accountCall } from '../../lib/account-http.ts';
import { checkedBy, focusFirstProblem } from '../../lib/form-failure.ts';
import { ApiFailure, type CallOutput } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { CopyValue } from '../../ui/copy-value.tsx';
import { codeProblem, FactorCodeField, isWrongCode } from '../shared/factor-code-field.tsx';
import { PasswordField } from './password-field.tsx';
import { Saved } from './saved.tsx';

type Setup = CallOutput<'startSecondFactor'>;

interface Props {
  /** Gets the recovery codes once a code of the app was right. */
  onConfirmed: (recoveryCodes: readonly string[]) => void;
  onCancel: () => void;
}

/** Password, then the app and its first code. */
export function SecondFactorSetup({ onConfirmed, onCancel }: Props) {
  const [setup, setSetup] = useState<Setup | null>(null);
  return (
    <Stack>
      {setup ? <AppStep setup={setup} onConfirmed={onConfirmed} /> : <PasswordStep onStarted={setSetup} />}
      <Button variant="subtle" onClick={onCancel} data-testid="factor-cancel">
        <Trans>Cancelar</Trans>
      </Button>
    </Stack>
  );
}

function PasswordStep({ onStarted }: { onStarted: (setup: Setup) => void }) {
  const { data: session } = useSession();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: checkedBy(secondFactorEndpoints.startSecondFactor.body),
  });
  const start = useSingleMutation({
    mutationFn: (body: { password: string }) => accountCall('startSecondFactor', { body }),
    onSuccess: onStarted,
    onError: (error) => {
      if (isWrongPassword(error)) form.setErrors({ password: error.userMessage });
    },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => start.mutate(values),
        (_errors, _values, event) => focusFirstProblem(event),
      )}
    >
      <Stack>
        {/* Password managers want to know whose password it is. */}
        <input type="email" name="username" autoComplete="username" value={session?.user.email ?? ''} readOnly hidden />
        <PasswordField
          label={t`Tu contraseña, para confirmar`}
          autoComplete="current-password"
          autoFocus
          key={form.key('password')}
          {...form.getInputProps('password')}
          data-testid="factor-password"
        />
        <Button type="submit" disabled={start.isPending} data-testid="factor-start">
          <Trans>Continuar</Trans>
        </Button>
        <Saved done={null} error={isWrongPassword(start.error) ? null : start.error} />
      </Stack>
    </form>
  );
}

function AppStep({ setup, onConfirmed }: { setup: Setup; onConfirmed: Props['onConfirmed'] }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' }, validate: { code: codeProblem } });
  const confirm = useSingleMutation({
    mutationFn: (body: { code: string }) => accountCall('confirmSecondFactor', { body }),
    onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
    onError: (error) => {
      if (isWrongCode(error)) form.setErrors({ code: error.userMessage });
    },
  });
  const secret = setup.secret.replace(/(.{4})(?=.)/g, '$1 ');
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => confirm.mutate(values),
        (_errors, _values, event) => focusFirstProblem(event),
      )}
    >
      <Stack>
        <Text>
          <Trans>
            Escanea este código con una aplicación de verificación (Google Authenticator, Aegis, 1Password u otra).
          </Trans>
        </Text>
        <Group justify="center">
          <QrCode text={setup.uri} />
        </Group>
        <Anchor href={setup.uri} ta="center" data-testid="factor-open-app">
          <Trans>Estoy en el teléfono: abrir mi aplicación</Trans>
        </Anchor>
        <Text fz="sm" c="dimmed" component="div">
          <Trans>O escribe esta clave en ella:</Trans>
          <CopyValue label={t`la clave`} value={setup.secret}>
            <code data-testid="factor-secret">{secret}</code>
          </CopyValue>
        </Text>
        <FactorCodeField begins key={form.key('code')} {...form.getInputProps('code')} />
        <Button type="submit" disabled={confirm.isPending} data-testid="factor-confirm">
          <Trans>Activar</Trans>
        </Button>
        <Saved done={null} error={isWrongCode(confirm.error) ? null : confirm.error} />
      </Stack>
    </form>
  );
}

/** Drawn here: the secret leaves this page for nobody. Dark on light in every colour scheme, as cameras read it. */
function QrCode({ text }: { text: string }) {
  const { data, size } = useMemo(() => encode(text, { ecc: 'M', border: 4 }), [text]);
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={208}
      height={208}
      role="img"
      aria-label={t`Código QR para tu aplicación de verificación`}
      shapeRendering="crispEdges"
      style={{ maxWidth: '100%', borderRadius: 8 }}
      data-testid="factor-qr"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** Whether a failure is about the password that was typed: then the field says it. */
export function isWrongPassword(error: Error | null): error is ApiFailure {
  return error instanceof ApiFailure && error.code === 'wrong_password';
}
