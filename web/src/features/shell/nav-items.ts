import { t } from '@lingui/core/macro';
import type { UserView } from '#core/contracts/http/auth';
import { paths } from '../../lib/paths.ts';

/** A link of the bar and of the small menu. */
export interface Item {
  readonly to: string;
  readonly label: string;
  readonly testid: string;
  /** In the bar only where there is plenty of room; the small menu has it always. */
  readonly roomy?: boolean;
}

/** The links for a visitor (null) or for who is signed in. */
export function itemsFor(user: UserView | null): Item[] {
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
  return user.role === 'admin' ? [panel, admin, ...parts] : [panel, ...parts];
}
