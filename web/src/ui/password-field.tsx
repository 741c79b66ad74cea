import { t } from '@lingui/core/macro';
import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A password that can be looked at while it is typed. */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      required
      // Mantine says it of every other field itself.
      aria-invalid={props.error ? true : undefined}
      visibilityToggleButtonProps={{ 'aria-label': t`Mostrar u ocultar la contraseña` }}
      {...props}
    />
  );
}
