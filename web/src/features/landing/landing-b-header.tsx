import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Burger, Button, Container, Group, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { ColorSchemeButton } from '../../ui/color-scheme-button.tsx';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { Brand } from '../../ui/mark.tsx';
import classes from './landing-b.module.css';

/** Its file comes when it is first opened. */
const LandingBMenu = lazy(async () => ({ default: (await import('./landing-b-menu.tsx')).LandingBMenu }));

/** The parts of the page that its menus lead to. */
const sections = [
  ['#servicios', msg`Servicios`],
  ['#pasos', msg`Cómo enviar`],
  ['#preguntas', msg`Preguntas`],
] as const;

/** Landing page B's own header: its sections, and the way into the panel. */
export function LandingBHeader() {
  const [opened, menu] = useDisclosure(false);
  const [everOpened, setEverOpened] = useState(false);
  const toggle = () => {
    setEverOpened(true);
    menu.toggle();
  };
  return (
    <header className={classes.header}>
      <Container size={1180} px={{ base: 'md', sm: 'lg' }}>
        <Group mih={68} justify="space-between" wrap="nowrap">
          <Anchor component={Link} to={paths.home} c="inherit" underline="never" aria-label={t`Chasqui, inicio`}>
            <Brand />
          </Anchor>
          <Group gap="xs" wrap="nowrap">
            <Group component="nav" aria-label={t`Principal`} gap={4} wrap="nowrap" visibleFrom="sm">
              {sections.map(([to, label]) => (
                <UnstyledButton key={to} component={Link} to={to} className={classes.link}>
                  {i18n._(label)}
                </UnstyledButton>
              ))}
              <Button component={Link} to={paths.dashboard} ml="xs" data-testid="b-start">
                <Trans>Iniciar</Trans>
              </Button>
            </Group>
            <ColorSchemeButton />
            <Burger
              hiddenFrom="sm"
              color="#ffffff"
              opened={opened}
              onClick={toggle}
              aria-label={opened ? t`Cerrar menú` : t`Abrir menú`}
              aria-expanded={opened}
              data-testid="b-menu"
            />
          </Group>
        </Group>
        {everOpened && (
          <LazyPart>
            <LandingBMenu sections={sections} opened={opened} onClose={menu.close} />
          </LazyPart>
        )}
      </Container>
    </header>
  );
}
