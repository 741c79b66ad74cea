import { Anchor, Container, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths.ts';
import { Brand } from '../../ui/mark.tsx';
import classes from './footer.module.css';

/** Closes every page. Links appear as their pages do. */
export function Footer() {
  return (
    <footer className={classes.footer}>
      <Container size={1180} px={{ base: 'md', sm: 'lg' }} py="xl">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
          <Stack gap="sm" maw={420}>
            <Brand size={24} />
            <Text c="dimmed">
              La forma más rápida y económica de enviar dinero a Bolivia desde cualquier lugar. Para bolivianos en todo
              el mundo, siempre cerca de casa.
            </Text>
          </Stack>
          <Stack gap={6} component="nav" aria-label="Enlaces rápidos" align="flex-start">
            <Title order={2} fz="md">
              Enlaces rápidos
            </Title>
            <Anchor component={Link} to={paths.login} c="inherit">
              Iniciar Sesión
            </Anchor>
            <Anchor component={Link} to={paths.signup} c="inherit">
              Registrarse
            </Anchor>
          </Stack>
        </SimpleGrid>
        <Text c="dimmed" fz="sm" mt="xl">
          © {new Date().getFullYear()} Chasqui. Todos los derechos reservados.
        </Text>
      </Container>
    </footer>
  );
}
