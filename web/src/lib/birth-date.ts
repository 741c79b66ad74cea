import { t } from '@lingui/core/macro';
import { ageOn, maximumAge, minimumAge } from '#core/transfers/sender-age';
import { failureMessages } from './failure-messages.ts';

/** What is wrong with a sender's date of birth ("YYYY-MM-DD") on the day of `now`, or null. */
export function birthDateProblem(birthDate: string, now: Date): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(birthDate)) return t`Escribe tu fecha de nacimiento`;
  const age = ageOn(birthDate, now);
  if (age > maximumAge) return t`Revisa el año de tu fecha de nacimiento`;
  return age < minimumAge ? failureMessages.under_age : null;
}
