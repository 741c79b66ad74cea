import { Container, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect } from 'react';

/** A page under the navigation bar: its title, which is also the browser tab's, and its content. */
export function Page({
  title,
  lead,
  aside,
  size = 1180,
  children,
}: {
  title: string;
  lead?: ReactNode;
  /** Stands beside the title, below it on small screens. */
  aside?: ReactNode;
  size?: number;
  children: ReactNode;
}) {
  usePageTitle(title);
  return (
    <Container size={size} py={{ base: 'lg', sm: 'xl' }} px={{ base: 'md', sm: 'lg' }}>
      <Stack gap="lg">
        <div style={{ display: 'flex', flexWrap: 'wrap', gap: 12, justifyContent: 'space-between', alignItems: 'end' }}>
          <div>
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
