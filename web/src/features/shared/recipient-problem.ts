import { t } from '@lingui/core/macro';
import type { RecipientView } from '#core/contracts/http/recipients';
import { needsConfirmation } from '#core/recipients/name-check';

/** What a sender has to do about a recipient before paying to them; null: nothing. Every form that pays or names an account asks here. */
export const recipientProblem = ({ nameCheck }: Pick<RecipientView, 'nameCheck'>): string | null =>
  needsConfirmation(nameCheck) ? t`Corrige los datos o confirma el nombre` : null;
