import { Trans } from '@lingui/react/macro';
import { Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { reportError } from '../lib/client-errors.ts';

/** A page broke, or its file could not be loaded (after a deployment the old files are gone). */
export function PageError() {
  const error = useRouteError();
  useEffect(() => {
    console.error(error);
    reportError(error);
  }, [error]);
  return (
    <Container size={720} py={{ base: 'lg', sm: 'xl' }} px={{ base: 'md', sm: 'lg' }}>
      <Stack gap="lg">
        <Title order={1}>
          <Trans>Algo salió mal</Trans>
        </Title>
        <div className="cq-chevrons" aria-hidden />
        <Text fz="lg">
          <Trans>Ocurrió un error inesperado. Recarga la página; si sigue igual, vuelve en unos minutos.</Trans>
        </Text>
        <Group>
          <Button leftSection={<IconRefresh size={20} aria-hidden />} onClick={() => window.location.reload()}>
            <Trans>Recargar la página</Trans>
          </Button>
        </Group>
      </Stack>
    </Container>
  );
}
