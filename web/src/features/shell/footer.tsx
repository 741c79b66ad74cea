import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Container, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useSession } from '../../data/session.ts';
import { useHydrated } from '../../lib/document.ts';
import { paths } from '../../lib/paths.ts';
import { Brand } from '../../ui/mark.tsx';
import classes from './footer.module.css';
import { LanguageSwitch } from './language-switch.tsx';

/** Closes every page. */
export function Footer() {
  const { data: session } = useSession();
  const year = useHydrated() ? new Date().getFullYear() : '';
  return (
    <footer className={classes.footer}>
      <div className="cq-band" aria-hidden />
      <Container size={1180} px={{ base: 'md', sm: 'lg' }} py="xl">
        <div className={classes.columns}>
          <Stack gap="sm" maw={420}>
            <Brand size={24} />
            <Text c="dimmed">
              <Trans>
                La forma más rápida y económica de enviar dinero a Bolivia desde cualquier lugar. Para bolivianos en
                todo el mundo, siempre cerca de casa.
              </Trans>
            </Text>
            <LanguageSwitch />
          </Stack>
          <Stack gap={6} component="nav" aria-label={t`Enlaces rápidos`} align="flex-start">
            <Title order={2} fz="md">
              <Trans>Enlaces rápidos</Trans>
            </Title>
            <Anchor component={Link} to={paths.homeCalculator} c="inherit" data-testid="footer-calculator">
              <Trans>Calculadora de Envíos</Trans>
            </Anchor>
            <Anchor component={Link} to={paths.homeFaq} c="inherit" data-testid="footer-faq">
              <Trans>Preguntas Frecuentes</Trans>
            </Anchor>
            <Anchor component={Link} to={paths.rateTester} c="inherit">
              <Trans>Comparar tasas</Trans>
            </Anchor>
            <Anchor component={Link} to={paths.help} c="inherit">
              <Trans>Ayuda</Trans>
            </Anchor>
            {session ? (
              <Anchor component={Link} to={paths.dashboard} c="inherit">
                <Trans>Mi Panel</Trans>
              </Anchor>
            ) : (
              <Anchor component={Link} to={paths.login} c="inherit">
                <Trans>Iniciar Sesión</Trans>
              </Anchor>
            )}
          </Stack>
          <Stack gap={6} component="nav" aria-label={t`Legal`} align="flex-start">
            <Title order={2} fz="md">
              <Trans>Legal</Trans>
            </Title>
            <Anchor component={Link} to={paths.privacy} c="inherit">
              <Trans>Políticas de Privacidad</Trans>
            </Anchor>
            <Anchor component={Link} to={paths.terms} c="inherit">
              <Trans>Términos de Servicio</Trans>
            </Anchor>
          </Stack>
        </div>
        <Text c="dimmed" fz="sm" mt="xl">
          <Trans>© {year} Chasqui. Todos los derechos reservados.</Trans>
        </Text>
      </Container>
    </footer>
  );
}
