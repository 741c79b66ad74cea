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

/** What a form says when the new password was not typed the same twice. */
export const passwordMismatch = () => t`Las contraseñas no coinciden`;

interface NewPasswordFieldsProps {
  /** Any form with these two fields. */
  form: { key: (field: string) => string; getInputProps: (field: string) => object };
  autoFocus?: boolean;
}

/** The new password, and the same once more. */
export function NewPasswordFields({ form, autoFocus = false }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        label={t`Contraseña nueva`}
        description={t`Al menos 8 caracteres`}
        autoComplete="new-password"
        autoFocus={autoFocus}
        key={form.key('password')}
        {...form.getInputProps('password')}
        data-testid="new-password"
      />
      <PasswordField
        label={t`Confirmar contraseña`}
        autoComplete="new-password"
        key={form.key('confirmPassword')}
        {...form.getInputProps('confirmPassword')}
        data-testid="new-password-confirm"
      />
    </>
  );
}
