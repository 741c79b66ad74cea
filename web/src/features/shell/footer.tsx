import { Anchor, Container, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useSession } from '../../data/session.ts';
import { useHydrated } from '../../lib/hydration.ts';
import { paths } from '../../lib/paths.ts';
import { Brand } from '../../ui/mark.tsx';
import classes from './footer.module.css';

/** Closes every page. */
export function Footer() {
  const { data: session } = useSession();
  const hydrated = useHydrated();
  return (
    <footer className={classes.footer}>
      <div className="cq-band" aria-hidden />
      <Container size={1180} px={{ base: 'md', sm: 'lg' }} py="xl">
        <div className={classes.columns}>
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
            <Anchor component={Link} to={paths.homeCalculator} c="inherit" data-testid="footer-calculator">
              Calculadora de Envíos
            </Anchor>
            <Anchor component={Link} to={paths.homeFaq} c="inherit" data-testid="footer-faq">
              Preguntas Frecuentes
            </Anchor>
            <Anchor component={Link} to={paths.rateTester} c="inherit">
              Comparar tasas
            </Anchor>
            <Anchor component={Link} to={paths.help} c="inherit">
              Ayuda
            </Anchor>
            {session ? (
              <Anchor component={Link} to={paths.dashboard} c="inherit">
                Mi Panel
              </Anchor>
            ) : (
              <Anchor component={Link} to={paths.login} c="inherit">
                Iniciar Sesión
              </Anchor>
            )}
          </Stack>
          <Stack gap={6} component="nav" aria-label="Legal" align="flex-start">
            <Title order={2} fz="md">
              Legal
            </Title>
            <Anchor component={Link} to={paths.privacy} c="inherit">
              Políticas de Privacidad
            </Anchor>
            <Anchor component={Link} to={paths.terms} c="inherit">
              Términos de Servicio
            </Anchor>
          </Stack>
        </div>
        <Text c="dimmed" fz="sm" mt="xl">
          © {hydrated && new Date().getFullYear()} Chasqui. Todos los derechos reservados.
        </Text>
      </Container>
    </footer>
  );
}
