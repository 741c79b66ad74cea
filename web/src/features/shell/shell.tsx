import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Container, Stack, Text, Title } from '@mantine/core';
import { lazy, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../data/session.ts';
import { useHydrated } from '../../lib/document.ts';
import { paths } from '../../lib/paths.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { Brand } from '../../ui/mark.tsx';
import { NewVersion, TestModeBanner } from './banners.tsx';
import { LanguageOffer, LanguageSwitch } from './language-switch.tsx';
import { NavBar } from './nav-bar.tsx';
import classes from './shell.module.css';

/** Comes when the page is there: who runs it is known then. */
const CompanyNotice = lazy(() => import('../shared/company-notice.tsx'));

/** What stands around every page; `ownHeader` is for a page that brings its own, `bell` stands in the bar of who is signed in. */
export function Shell({ children, ownHeader, bell }: { children: ReactNode; ownHeader: boolean; bell?: ReactNode }) {
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        <Trans>Saltar al contenido</Trans>
      </a>
      <NewVersion />
      <TestModeBanner />
      {!ownHeader && <NavBar bell={bell} />}
      <main id="content" className={classes.main} tabIndex={-1}>
        {children}
      </main>
      <Footer />
      <LanguageOffer />
    </div>
  );
}

/** Closes every page. */
function Footer() {
  const { data: session } = useSession();
  const hydrated = useHydrated();
  const year = hydrated ? new Date().getFullYear() : '';
  return (
    <footer className={classes.footer}>
      <div className="cq-band" aria-hidden />
      <Container size={1180} px={{ base: 'md', sm: 'lg' }} py="xl">
        <div className={classes.footerColumns}>
          <Stack gap="sm" maw={420} align="flex-start">
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
        {hydrated && (
          <LazyPart missing={null}>
            <CompanyNotice small />
          </LazyPart>
        )}
      </Container>
    </footer>
  );
}
