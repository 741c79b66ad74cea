import { Anchor, Card, SimpleGrid, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { demoPages } from './demo-pages.tsx';

/** The way from one demonstration to the others. */
export function DemoLinks({ here }: { here: string }) {
  return (
    <Card component="nav" aria-labelledby="demo-links">
      <Title order={2} fz="h3" id="demo-links" mb="md">
        Otras formas de integrar el pago
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg">
        {demoPages
          .filter(({ path }) => path !== here)
          .map(({ path, title, style }) => (
            <div key={path}>
              <Anchor component={Link} to={path} fw={600}>
                {title}
              </Anchor>
              <Text c="dimmed" fz="sm">
                {style}
              </Text>
            </div>
          ))}
      </SimpleGrid>
    </Card>
  );
}
