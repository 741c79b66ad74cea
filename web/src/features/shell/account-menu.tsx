import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Avatar, Group, Menu, Text, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronDown, IconLanguage, IconLogout, IconUserCog } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { UserView } from '#core/contracts/http/auth';
import { useLiveStatus } from '../../lib/live.ts';
import { paths } from '../../lib/paths.ts';
import { useLanguageSwitch } from './language-switch.tsx';
import { useLeave } from './leave.ts';
import classes from './shell.module.css';

/** Who is signed in, and the way out. */
export function AvatarMenu({ user }: { user: UserView }) {
  const leave = useLeave();
  const { email } = user;
  const { name, lang, change, disabled } = useLanguageSwitch();
  return (
    <Menu
      position="bottom-end"
      width={240}
      shadow="md"
      // What stands outside the bar would be in no part of the page.
      withinPortal={false}
      // A place for the focus beside the choices would be no choice.
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <UnstyledButton className={classes.avatar} data-testid="nav-avatar">
          <VisuallyHidden>
            <Trans>Tu cuenta: {email}</Trans>
          </VisuallyHidden>
          <Avatar name={user.name} color="green" size={34} radius="xl" aria-hidden />
          <IconChevronDown size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {/* The button has said it, and a menu holds nothing but choices. */}
        <Menu.Label fz="sm" aria-hidden>
          {email}
        </Menu.Label>
        <Menu.Item
          component={Link}
          to={paths.account}
          leftSection={<IconUserCog size={18} aria-hidden />}
          data-testid="nav-account"
        >
          <Trans>Mi cuenta</Trans>
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLanguage size={18} aria-hidden />}
          lang={lang}
          disabled={disabled}
          onClick={change}
          data-testid="nav-language"
        >
          {name}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={18} aria-hidden />} onClick={leave} data-testid="nav-logout">
          <Trans>Salir</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Small and never in the way: whether changes arrive by themselves right now. */
export function LiveDot() {
  const { connected, everConnected } = useLiveStatus();
  const label = connected ? t`En vivo` : everConnected ? t`Reconectando…` : t`Conectando…`;
  const hint = connected
    ? t`Los cambios aparecen solos, sin recargar.`
    : t`Sin conexión en vivo. Al volver se actualiza todo.`;
  return (
    <Tooltip label={hint}>
      <Group
        gap={6}
        wrap="nowrap"
        role="status"
        data-testid="live-status"
        data-state={connected ? 'connected' : 'reconnecting'}
      >
        <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
          {connected ? (
            <circle cx="5" cy="5" r="5" fill="var(--cq-good)" />
          ) : (
            <circle cx="5" cy="5" r="4" fill="none" stroke="var(--cq-wait)" strokeWidth="2" />
          )}
        </svg>
        <Text fz="sm" c="dimmed" className={classes.live}>
          {label}
        </Text>
      </Group>
    </Tooltip>
  );
}
