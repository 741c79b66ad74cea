import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Divider, Stack } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';

interface Props {
  disabled: boolean;
  onClick: () => void;
  /** The keyboard is here at once: by `autoFocus`, in a dialog by `data-autofocus`. */
  autoFocus?: boolean;
  'data-autofocus'?: boolean;
}

/** Proves the second factor with a passkey, above the code that would do, too. */
export function PasskeyButton(props: Props) {
  return (
    <Stack gap="xs">
      <Button leftSection={<IconFingerprint size={20} aria-hidden />} {...props} data-testid="factor-passkey">
        <Trans>Usar mi llave de acceso</Trans>
      </Button>
      <Divider label={t`o con un código`} />
    </Stack>
  );
}
