import { t } from '@lingui/core/macro';
import { deviceOf } from '#core/accounts/device';
import { accountCall } from '../../lib/account-http.ts';
import { createPasskey } from '../../lib/passkeys.ts';
import { deviceName } from './device-name.ts';
import { PasswordForm } from './password-form.tsx';

interface Props {
  /** Gets the recovery codes that came with the first second factor; null where there were some. */
  onAdded: (recoveryCodes: readonly string[] | null) => void;
  onCancel: () => void;
}

/** Name and password, then the browser asks for a finger, a face or a PIN. */
export function PasskeySetup({ onAdded, onCancel }: Props) {
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
