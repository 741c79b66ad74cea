import { wordsOf } from './name-check.ts';
import type { RecipientInput } from './recipient.ts';

type Account = Pick<RecipientInput, 'bankName' | 'bankAccount'>;

/** The digits of a number, however they are grouped. */
export const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Whether two are one account: the same digits at the same bank, however they are grouped. */
export function isSameAccount(a: Account, b: Account): boolean {
  return a.bankName === b.bankName && digitsOf(a.bankAccount) === digitsOf(b.bankAccount);
}

/** Department codes before or after the number of an identity card; newer cards have none. */
const department = /^(?:BE|CB|CH|LP|OR|PD|PT|SC|TJ)(?=\d)|(?<=[\dA-Z])(?:BE|CB|CH|LP|OR|PD|PT|SC|TJ)$/g;

/** An identity number without spaces, hyphens and its department. */
export const bareCi = (ci: string) => ci.toUpperCase().replace(/[ -]/g, '').replace(department, '');

/** Whether two identity numbers are one, spaces, hyphens and the department aside. */
export function isSameCi(a: string, b: string): boolean {
  return bareCi(a) === bareCi(b);
}

type Person = Pick<RecipientInput, 'name' | 'ci'>;

/** Whether two are one person: the same name, however it is written, with the same identity number. */
export function isSamePerson(a: Person, b: Person): boolean {
  const nameOf = ({ name }: Person) => wordsOf(name).sort().join(' ');
  return nameOf(a) === nameOf(b) && isSameCi(a.ci, b.ci);
}

/** The fields that reveal a duplicate recipient. The account takes precedence: two people rarely share one. */
export const sameByNames = ['account', 'ci'] as const;
export type SameBy = (typeof sameByNames)[number];

/** The field by which two recipients may be the same person, or null. */
export function sameBy(a: Account & { ci: string }, b: Account & { ci: string }): SameBy | null {
  if (isSameAccount(a, b)) return 'account';
  return isSameCi(a.ci, b.ci) ? 'ci' : null;
}

/** The last digits of an account number, which its owner recognises. */
export const accountEnding = (bankAccount: string): string => digitsOf(bankAccount).slice(-4);
