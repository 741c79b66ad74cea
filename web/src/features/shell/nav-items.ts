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
