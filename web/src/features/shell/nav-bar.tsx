import {
  Anchor,
  Avatar,
  Burger,
  Button,
  Container,
  Drawer,
  Group,
  Menu,
  NavLink,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconLogout } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, NavLink as RouterLink, useLocation, useNavigate } from 'react-router-dom';
import type { UserView } from '#core/contracts/http/auth';
import { paths } from '../../lib/paths.ts';
import { useLogout, useSession } from '../../lib/session.ts';
import { ColorSchemeButton } from '../../ui/color-scheme-button.tsx';
import { Brand } from '../../ui/mark.tsx';
import { LiveDot } from './live-dot.tsx';
import classes from './nav-bar.module.css';

interface Item {
  readonly to: string;
  readonly label: string;
  readonly testid: string;
  /** In the bar only where there is plenty of room; the small menu has it always. */
  readonly roomy?: boolean;
}

function itemsFor(user: UserView | null): Item[] {
  const parts = [
    { to: paths.homeCalculator, label: 'Calculadora', testid: 'nav-calculator', roomy: true },
    { to: paths.homeFaq, label: 'Preguntas', testid: 'nav-faq', roomy: true },
  ];
  if (!user)
    return [
      { to: paths.home, label: 'Inicio', testid: 'nav-home' },
      ...parts,
      { to: paths.login, label: 'Iniciar Sesión', testid: 'nav-login' },
      { to: paths.signup, label: 'Registrarse', testid: 'nav-signup' },
    ];
  const panel = { to: paths.dashboard, label: 'Mi Panel', testid: 'nav-dashboard' };
  const admin = { to: paths.admin, label: 'Admin', testid: 'nav-admin' };
  return user.role === 'admin' ? [panel, admin, ...parts] : [panel, ...parts];
}

/** The bar on every page: links for visitors or for the person signed in, the same ones in a drawer on small screens. */
export function NavBar() {
  const session = useSession();
  const user = session.data?.user ?? null;
  const [opened, menu] = useDisclosure(false);
  const location = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address closes the menu
  useEffect(menu.close, [location.key]);
  const items = session.isPending ? [] : itemsFor(user);
  return (
    <header className={classes.bar}>
      <div className="cq-band" aria-hidden />
      <Container size={1180} px={{ base: 'md', sm: 'lg' }} h={60}>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Anchor component={Link} to={paths.home} c="inherit" underline="never" aria-label="Chasqui, inicio">
            <Brand />
          </Anchor>
          <Group gap="xs" wrap="nowrap">
            {user && <LiveDot />}
            <Group component="nav" aria-label="Principal" gap={4} wrap="nowrap" visibleFrom="sm">
              {items.map((item) => (
                <BarLink key={item.to} {...item} />
              ))}
              {user && <AvatarMenu user={user} />}
            </Group>
            <ColorSchemeButton />
            <Burger
              hiddenFrom="sm"
              opened={opened}
              onClick={menu.toggle}
              aria-label={opened ? 'Cerrar menú' : 'Abrir menú'}
              aria-expanded={opened}
              data-testid="nav-menu"
            />
          </Group>
        </Group>
      </Container>
      <Drawer opened={opened} onClose={menu.close} position="right" size="xs" title={<Brand />} hiddenFrom="sm">
        <SmallMenu items={items} user={user} />
      </Drawer>
    </header>
  );
}

function BarLink({ to, label, testid, roomy }: Item) {
  const { pathname, search, hash } = useLocation();
  const active = to === `${pathname}${search}${hash}`;
  if (to === paths.signup)
    return (
      <Button component={Link} to={to} size="sm" ml="xs" data-testid={testid}>
        {label}
      </Button>
    );
  return (
    <UnstyledButton
      component={RouterLink}
      to={to}
      className={classes.link}
      {...(roomy && { visibleFrom: 'md' as const })}
      data-active={active || undefined}
      data-testid={testid}
    >
      {label}
    </UnstyledButton>
  );
}

function AvatarMenu({ user }: { user: UserView }) {
  const leave = useLeave();
  return (
    <Menu position="bottom-end" width={240} shadow="md">
      <Menu.Target>
        <UnstyledButton className={classes.avatar} aria-label={`Tu cuenta: ${user.email}`} data-testid="nav-avatar">
          <Avatar name={user.name} color="green" size={34} radius="xl" />
          <IconChevronDown size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label fz="sm">{user.email}</Menu.Label>
        <Menu.Item leftSection={<IconLogout size={18} aria-hidden />} onClick={leave} data-testid="nav-logout">
          Salir
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function SmallMenu({ items, user }: { items: Item[]; user: UserView | null }) {
  const leave = useLeave();
  return (
    <Stack gap="xs">
      {items.map(({ to, label, testid }) => (
        <NavLink
          key={to}
          component={Link}
          to={to}
          label={<Text fz="lg">{label}</Text>}
          data-testid={`${testid}-small`}
        />
      ))}
      {user && (
        <>
          <Text c="dimmed" fz="sm" px="sm" pt="md" truncate>
            {user.email}
          </Text>
          <NavLink
            component="button"
            label={<Text fz="lg">Salir</Text>}
            leftSection={<IconLogout size={20} aria-hidden />}
            onClick={leave}
            data-testid="nav-logout-small"
          />
        </>
      )}
    </Stack>
  );
}

function useLeave() {
  const logout = useLogout();
  const navigate = useNavigate();
  return async () => {
    // Away from guarded pages first: they would otherwise send the person to the login page.
    await navigate(paths.home);
    await logout();
  };
}
