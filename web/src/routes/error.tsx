import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useRouteError } from 'react-router-dom';

/** A page broke, or its file could not be loaded (after a deployment the old files are gone). */
export function PageError() {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return (
    <Container size={560} py="xl">
      <Stack align="flex-start">
        <Title order={1}>Algo salió mal</Title>
        <Text>Ocurrió un error inesperado. Recarga la página; si sigue igual, vuelve en unos minutos.</Text>
        <Button onClick={() => window.location.reload()}>Recargar la página</Button>
      </Stack>
    </Container>
  );
}
