import { Trans } from '@lingui/react/macro';
import { Avatar, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronDown, IconLanguage, IconLogout } from '@tabler/icons-react';
import type { UserView } from '#core/contracts/http/auth';
import { useLanguageSwitch } from './language-switch.tsx';
import { useLeave } from './leave.ts';
import classes from './nav-bar.module.css';

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
