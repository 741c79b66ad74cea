import { t } from '@lingui/core/macro';
import type { Device } from '#core/accounts/device';

/** What a person calls a browser and its system. */
export function deviceName({ browser, system }: Device): string {
  if (browser && system) return t`${browser} en ${system}`;
  return browser ?? system ?? t`Equipo desconocido`;
}
