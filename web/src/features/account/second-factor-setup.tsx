import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMemo, useState } from 'react';
import { encode } from 'uqr';
import { deviceOf } from '#core/accounts/device';
import { accountCall } from '../../lib/account-http.ts';
import type { CallOutput } from '../../lib/http.ts';
import { createPasskey } from '../../lib/passkeys.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { CheckedForm, Saved } from '../../ui/checked-form.tsx';
import { CopyValue } from '../../ui/copy-value.tsx';
import { codeProblem, FactorCodeField, isWrongCode } from '../shared/factor-code-field.tsx';
import { deviceName } from './device-name.ts';
import { PasswordForm } from './password-form.tsx';

type Setup = CallOutput<'startSecondFactor'>;

interface Props {
  /** Gets the recovery codes once a code of the app was right; null where there were some. */
  onConfirmed: (recoveryCodes: readonly string[] | null) => void;
  onCancel: () => void;
}

/** Password, then the app and its first code. */
export function SecondFactorSetup({ onConfirmed, onCancel }: Props) {
  const [setup, setSetup] = useState<Setup | null>(null);
  if (!setup)
    return (
      <PasswordForm
        verb={t`Continuar`}
        perform={async ({ password }) => setSetup(await accountCall('startSecondFactor', { body: { password } }))}
        onCancel={onCancel}
      />
    );
  return (
    <Stack>
      <AppStep setup={setup} onConfirmed={onConfirmed} />
      <Button variant="subtle" onClick={onCancel} data-testid="factor-cancel">
        <Trans>Cancelar</Trans>
      </Button>
    </Stack>
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
    <CheckedForm form={form} send={(values) => confirm.mutate(values)}>
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
    </CheckedForm>
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

/** Name and password, then the browser asks for a finger, a face or a PIN. */
export function PasskeySetup({
  onAdded,
  onCancel,
}: {
  /** Gets the recovery codes that came with the first second factor; null where there were some. */
  onAdded: (recoveryCodes: readonly string[] | null) => void;
  onCancel: () => void;
}) {
  return (
    <PasswordForm
      about={t`Tu equipo te pedirá tu huella, tu cara o su PIN. Después entras con ella sin contraseña ni códigos.`}
      verb={t`Crear`}
      name={deviceName(deviceOf(navigator.userAgent))}
      perform={async ({ name, password }) => {
        const passkey = await createPasskey(await accountCall('startPasskey', { body: { password } }));
        onAdded((await accountCall('addPasskey', { body: { name, passkey } })).recoveryCodes);
      }}
      onCancel={onCancel}
    />
  );
}
