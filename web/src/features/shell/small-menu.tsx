import { Trans } from '@lingui/react/macro';
import { NavLink, Stack, Text } from '@mantine/core';
import { IconLanguage, IconLogout, IconUserCog } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { UserView } from '#core/contracts/http/auth';
import { paths } from '../../lib/paths.ts';
import { SideDialog } from '../../ui/dialog.tsx';
import { Brand } from '../../ui/mark.tsx';
import { useLanguageSwitch } from './language-switch.tsx';
import { useLeave } from './leave.ts';

/** What it shows of a link of the bar. */
interface Item {
  readonly to: string;
  readonly label: string;
  readonly testid: string;
}

/** The bar's links in a drawer, for small screens. */
export function SmallMenu(props: { opened: boolean; onClose: () => void; items: Item[]; user: UserView | null }) {
  return (
    <SideDialog
      opened={props.opened}
      onClose={props.onClose}
      position="right"
      size="xs"
      title={<Brand />}
      hiddenFrom="sm"
      returnFocus={false}
    >
      <Items items={props.items} user={props.user} />
    </SideDialog>
  );
}

function Items({ items, user }: { items: Item[]; user: UserView | null }) {
  const leave = useLeave();
  const { name, lang, change, disabled } = useLanguageSwitch();
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
      <NavLink
        component="button"
        label={<Text fz="lg">{name}</Text>}
        leftSection={<IconLanguage size={20} aria-hidden />}
        lang={lang}
        disabled={disabled}
        onClick={change}
        data-testid="nav-language-small"
      />
      {user && (
        <>
          <Text c="dimmed" fz="sm" px="sm" pt="md" truncate>
            {user.email}
          </Text>
          <NavLink
            component={Link}
            to={paths.account}
            label={
              <Text fz="lg">
                <Trans>Mi cuenta</Trans>
              </Text>
            }
            leftSection={<IconUserCog size={20} aria-hidden />}
            data-testid="nav-account-small"
          />
          <NavLink
            component="button"
            label={
              <Text fz="lg">
                <Trans>Salir</Trans>
              </Text>
            }
            leftSection={<IconLogout size={20} aria-hidden />}
            onClick={leave}
            data-testid="nav-logout-small"
          />
        </>
      )}
    </Stack>
  );
}
