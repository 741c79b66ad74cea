import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Divider, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { factorCode } from '#core/contracts/http/second-factor';
import { ApiFailure } from '../../lib/http.ts';

interface Props extends TextInputProps {
  /** Whether a recovery code is taken, too. */
  recoverable?: boolean;
  /** Whether the account has an app: else only a recovery code is taken. */
  hasApp?: boolean;
  /** The keyboard is here at once. */
  begins?: boolean;
}

/** A code of the authenticator app, or a recovery code when the phone is not at hand. */
export function FactorCodeField({ recoverable = false, hasApp = true, begins = false, ...props }: Props) {
  const [recovering, setRecovering] = useState(!hasApp);
  const field = useRef<HTMLInputElement>(null);
  const swap = () => {
    setRecovering(!recovering);
    field.current?.focus();
  };
  return (
    <Stack gap={6} align="stretch">
      <TextInput
        label={recovering ? t`Código de recuperación` : t`Código de tu aplicación`}
        placeholder={recovering ? 'ABCD-EFGH-2345-…' : '123 456'}
        inputMode={recovering ? 'text' : 'numeric'}
        autoComplete={recovering ? 'off' : 'one-time-code'}
        autoCapitalize="characters"
        spellCheck={false}
        required
        ref={field}
        // Shown because a person asked for it, in place of what had the keyboard.
        autoFocus={begins}
        {...props}
        data-testid="factor-code"
      />
      {recoverable && hasApp && (
        <Anchor
          component="button"
          type="button"
          fz="sm"
          onClick={swap}
          style={{ alignSelf: 'flex-start' }}
          data-testid="factor-swap"
        >
          {recovering ? (
            <Trans>Usar el código de mi aplicación</Trans>
          ) : (
            <Trans>¿No tienes tu teléfono? Usa un código de recuperación</Trans>
          )}
        </Anchor>
      )}
    </Stack>
  );
}

/** Checks a code as the server will; null when it may be one. */
export function codeProblem(code: string): string | null {
  return factorCode.safeParse(code).success
    ? null
    : t`Escribe los 6 números de tu aplicación, o un código de recuperación entero.`;
}

/** Whether a failure is about the code that was typed: then the field says it. */
export function isWrongCode(error: Error | null): error is ApiFailure {
  return error instanceof ApiFailure && error.code === 'second_factor_wrong';
}

interface PasskeyProps {
  disabled: boolean;
  onClick: () => void;
  /** The keyboard is here at once: by `autoFocus`, in a dialog by `data-autofocus`. */
  autoFocus?: boolean;
  'data-autofocus'?: boolean;
}

/** Proves the second factor with a passkey, above the code that would do, too. */
export function PasskeyButton(props: PasskeyProps) {
  return (
    <Stack gap="xs">
      <Button leftSection={<IconFingerprint size={20} aria-hidden />} {...props} data-testid="factor-passkey">
        <Trans>Usar mi llave de acceso</Trans>
      </Button>
      <Divider label={t`o con un código`} />
    </Stack>
  );
}
