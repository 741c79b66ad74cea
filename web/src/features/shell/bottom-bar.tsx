import { t } from '@lingui/core/macro';
import { IconReceipt, IconSend, IconTrendingUp, IconUserCircle, IconUsers } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { NavLink } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { useIsPhone } from '../../ui/hooks.ts';
import classes from './bottom-bar.module.css';

/** Where a sender goes on a phone, under the thumb on every page of theirs. Wide screens have one panel and the bar above. */
export function BottomBar() {
  return useIsPhone() ? <PhoneBar /> : null;
}

function PhoneBar() {
  if (useScreenKeyboard()) return null;
  const items = [
    { to: paths.dashboard, label: t({ message: 'Enviar', context: 'action' }), Icon: IconSend, testid: 'tab-send' },
    { to: paths.transfers, label: t`Envíos`, Icon: IconReceipt, testid: 'tab-transfers' },
    { to: paths.recipients, label: t`Destinatarios`, Icon: IconUsers, testid: 'tab-recipients' },
    { to: paths.rates, label: t`Tasas`, Icon: IconTrendingUp, testid: 'tab-rates' },
    { to: paths.account, label: t`Cuenta`, Icon: IconUserCircle, testid: 'tab-account' },
  ];
  // No part of the page: its focus is led into the page that it opens.
  return createPortal(
    <nav className={`${classes.bar} cq-screen`} aria-label={t`Tu panel`} data-testid="bottom-bar">
      {items.map(({ to, label, Icon, testid }) => (
        <NavLink key={to} to={to} end className={classes.item} data-testid={testid}>
          <Icon size={24} stroke={1.7} aria-hidden />
          {label}
        </NavLink>
      ))}
    </nav>,
    document.body,
  );
}

/** What a keyboard on the screen takes of the page at least, in px. */
const keyboardMin = 150;

/** Whether a keyboard on the screen covers the lower part of the page. A page that is zoomed in has none for that. */
function useScreenKeyboard(): boolean {
  return useSyncExternalStore(
    (changed) => {
      window.visualViewport?.addEventListener('resize', changed);
      return () => window.visualViewport?.removeEventListener('resize', changed);
    },
    () => {
      const seen = window.visualViewport;
      return seen !== null && seen.height * seen.scale < window.innerHeight - keyboardMin;
    },
  );
}
