import { Anchor, Burger, Button, Collapse, Container, Group, NavLink, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths.ts';
import { ColorSchemeButton } from '../../ui/color-scheme-button.tsx';
import { Brand } from '../../ui/mark.tsx';
import classes from './landing-b-header.module.css';

const sections = [
  ['#servicios', 'Servicios'],
  ['#pasos', 'Cómo enviar'],
  ['#preguntas', 'Preguntas'],
] as const;

/** Landing page B's own header: its sections, and the way into the panel. */
export function LandingBHeader() {
  const [opened, menu] = useDisclosure(false);
  return (
    <header className={classes.header}>
      <Container size={1180} px={{ base: 'md', sm: 'lg' }}>
        <Group h={68} justify="space-between" wrap="nowrap">
          <Anchor component={Link} to={paths.home} c="inherit" underline="never" aria-label="Chasqui, inicio">
            <Brand />
          </Anchor>
          <Group gap="xs" wrap="nowrap">
            <Group component="nav" aria-label="Principal" gap={4} wrap="nowrap" visibleFrom="sm">
              {sections.map(([to, label]) => (
                <UnstyledButton key={to} component={Link} to={to} className={classes.link}>
                  {label}
                </UnstyledButton>
              ))}
              <Button component={Link} to={paths.dashboard} ml="xs" data-testid="b-start">
                Iniciar
              </Button>
            </Group>
            <ColorSchemeButton />
            <Burger
              hiddenFrom="sm"
              color="#ffffff"
              opened={opened}
              onClick={menu.toggle}
              aria-label={opened ? 'Cerrar menú' : 'Abrir menú'}
              aria-expanded={opened}
              data-testid="b-menu"
            />
          </Group>
        </Group>
        <Collapse expanded={opened} hiddenFrom="sm">
          <nav aria-label="Principal" className={classes.menu}>
            {sections.map(([to, label]) => (
              <NavLink key={to} component={Link} to={to} label={label} onClick={menu.close} className={classes.item} />
            ))}
            <Button component={Link} to={paths.dashboard} fullWidth mt="sm" data-testid="b-start-small">
              Iniciar
            </Button>
          </nav>
        </Collapse>
      </Container>
    </header>
  );
}
