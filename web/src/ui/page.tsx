import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Center, Container, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { useRouteError } from 'react-router';
import { reportError } from '../lib/client-errors.ts';

/** A page under the navigation bar: its title, which is also the browser tab's, and its content. */
export function Page({
  title,
  lead,
  aside,
  quiet = false,
  size = 1180,
  children,
}: {
  title: string;
  lead?: ReactNode;
  /** Stands beside the title, below it on small screens. */
  aside?: ReactNode;
  /** Only screen readers and the tab have the title: for the eye, the parts below have their own. */
  quiet?: boolean;
  size?: number;
  children: ReactNode;
}) {
  usePageTitle(title);
  return (
    <Container size={size} py={{ base: quiet ? 'xs' : 'lg', sm: 'xl' }} px={{ base: 'md', sm: 'lg' }}>
      <Stack gap="lg">
        <div
          style={{ display: 'flex', flexWrap: 'wrap', gap: 12, justifyContent: 'space-between', alignItems: 'end' }}
          {...(quiet && { className: 'cq-hidden' })}
        >
          <div style={{ minWidth: 0 }}>
            <Title order={1}>{title}</Title>
            {lead && (
              <Text c="dimmed" mt={4}>
                {lead}
              </Text>
            )}
          </div>
          {aside}
        </div>
        {children}
      </Stack>
    </Container>
  );
}

/** Names the browser tab. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Chasqui`;
  }, [title]);
}

/** What the route of a page says to the frame around it (`handle`). */
export interface PageHandle {
  /** It brings a header of its own. */
  readonly ownHeader?: boolean;
}

/** Stands in while a page's own file is on its way. */
export function PageLoading() {
  return (
    <Center mih="50vh" role="status" aria-label={t`Cargando`}>
      <Loader />
    </Center>
  );
}

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
