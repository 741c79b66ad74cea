import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Burger, Button, Container, Group, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { UserView } from '#core/contracts/http/auth';
import { useSession } from '../../data/session.ts';
import { useHydrated } from '../../lib/document.ts';
import { paths } from '../../lib/paths.ts';
import { ColorSchemeButton } from '../../ui/color-scheme-button.tsx';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { Brand } from '../../ui/mark.tsx';
import { useLeave } from './leave.ts';
import classes from './shell.module.css';

/** For who is signed in, and for small screens: files of their own, so that a visitor's first page is light. */
const LiveDot = lazy(async () => ({ default: (await import('./account-menu.tsx')).LiveDot }));
const AvatarMenu = lazy(async () => ({ default: (await import('./account-menu.tsx')).AvatarMenu }));
const SmallMenu = lazy(async () => ({ default: (await import('./small-menu.tsx')).SmallMenu }));

/** The bar on every page: links for visitors or for the person signed in, the same ones in a drawer on small screens. */
export function NavBar({ bell }: { bell: ReactNode }) {
  const session = useSession();
  const user = session.data?.user ?? null;
  const [opened, menu] = useDisclosure(false);
  // The drawer's file comes when it is first opened.
  const [everOpened, setEverOpened] = useState(false);
  const burger = useRef<HTMLButtonElement>(null);
  const close = () => {
    menu.close();
    // The drawer remembers where the keyboard was only if it was there before it opened.
    burger.current?.focus();
  };
  const toggle = () => {
    setEverOpened(true);
    menu.toggle();
  };
  const location = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address closes the menu
  useEffect(menu.close, [location.key]);
  const items = session.isPending ? [] : itemsFor(user);
  const shown = useShownOf(items.map(({ to }) => to));
  return (
    <header className={classes.bar}>
      <div className="cq-band" aria-hidden />
      <Container size={1180} px={{ base: 'md', sm: 'lg' }}>
        <Group mih={60} justify="space-between" wrap="nowrap">
          <Anchor component={Link} to={paths.home} c="inherit" underline="never" aria-label={t`Chasqui, inicio`}>
            <Brand />
          </Anchor>
          <Group gap="xs" wrap="nowrap">
            {user && (
              <LazyPart missing={null}>
                <LiveDot />
              </LazyPart>
            )}
            <Group component="nav" aria-label={t`Principal`} gap={4} wrap="nowrap" visibleFrom="sm">
              {items.map((item) => (
                <BarLink key={item.to} {...item} active={item.to === shown} />
              ))}
              {user && (
                <LazyPart pending={<span className={classes.avatar} data-pending />} missing={<LogoutButton />}>
                  <AvatarMenu user={user} />
                </LazyPart>
              )}
            </Group>
            {user && bell}
            <ColorSchemeButton />
            <Burger
              ref={burger}
              hiddenFrom="sm"
              opened={opened}
              onClick={toggle}
              aria-label={opened ? t`Cerrar menú` : t`Abrir menú`}
              aria-expanded={opened}
              data-testid="nav-menu"
            />
          </Group>
        </Group>
      </Container>
      {everOpened && (
        <LazyPart>
          <SmallMenu opened={opened} onClose={close} items={items} user={user} />
        </LazyPart>
      )}
    </header>
  );
}

/** Where the menu's file did not come, the way out is still there. */
function LogoutButton() {
  return (
    <UnstyledButton className={classes.link} onClick={useLeave()}>
      <Trans>Salir</Trans>
    </UnstyledButton>
  );
}

/** Of these addresses the one that is shown: with its query and part, else the page that they are of. */
function useShownOf(addresses: readonly string[]): string | undefined {
  const { pathname, search, hash } = useLocation();
  // A prerendered page was rendered without them.
  const rest = useHydrated() ? `${search}${hash}` : '';
  return addresses.find((to) => to === `${pathname}${rest}`) ?? addresses.find((to) => to === pathname);
}

function BarLink({ to, label, testid, roomy, active }: Item & { active: boolean }) {
  if (to === paths.signup)
    return (
      <Button component={Link} to={to} size="sm" ml="xs" data-testid={testid}>
        {label}
      </Button>
    );
  return (
    <UnstyledButton
      component={Link}
      to={to}
      aria-current={active ? 'page' : undefined}
      className={classes.link}
      {...(roomy && { visibleFrom: 'md' as const })}
      data-active={active || undefined}
      data-testid={testid}
    >
      {label}
    </UnstyledButton>
  );
}

/** A link of the bar and of the small menu. */
interface Item {
  readonly to: string;
  readonly label: string;
  readonly testid: string;
  /** In the bar only where there is plenty of room; the small menu has it always. */
  readonly roomy?: boolean;
}

/** The links for a visitor (null) or for who is signed in. */
function itemsFor(user: UserView | null): Item[] {
  const parts = [
    { to: paths.homeCalculator, label: t`Calculadora`, testid: 'nav-calculator', roomy: true },
    { to: paths.homeFaq, label: t`Preguntas`, testid: 'nav-faq', roomy: true },
  ];
  if (!user)
    return [
      { to: paths.home, label: t`Inicio`, testid: 'nav-home' },
      ...parts,
      { to: paths.login, label: t`Iniciar Sesión`, testid: 'nav-login' },
      { to: paths.signup, label: t`Registrarse`, testid: 'nav-signup' },
    ];
  const panel = { to: paths.dashboard, label: t`Mi Panel`, testid: 'nav-dashboard' };
  const admin = { to: paths.admin, label: t`Admin`, testid: 'nav-admin' };
  return user.adminRole ? [panel, admin, ...parts] : [panel, ...parts];
}
