import { t } from '@lingui/core/macro';
import type { RecipientView } from '#core/contracts/http/recipients';

/** The bank's word on a name in a few words, where nothing is left to ask; null otherwise. */
export function bankSays({ status, bankSays: initials, confirmed }: NonNullable<RecipientView['nameCheck']>) {
  if (status === 'match') return t`El banco confirma el nombre`;
  if (!confirmed) return null;
  return initials ? t`Confirmaste el nombre; el banco dice ${initials}` : t`Confirmaste el nombre`;
}
