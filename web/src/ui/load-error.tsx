import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Stack } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';

/** Says that a part of the page could not be loaded, and offers to try again. `QueryView` and `lazyPart` show it. */
export function LoadError({ message, retry }: { message: string; retry: () => unknown }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t`No se pudo cargar`} role="alert">
      <Stack gap="sm" align="flex-start">
        {message}
        <Button size="sm" variant="default" leftSection={<IconRefresh size={18} aria-hidden />} onClick={() => retry()}>
          <Trans>Reintentar</Trans>
        </Button>
      </Stack>
    </Alert>
  );
}
