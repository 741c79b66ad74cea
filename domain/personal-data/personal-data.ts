import { accountEnding, bareCi, digitsOf } from '#core/recipients/same';
import { type EntityManager, personalDataOf } from '#platform/database/database';
import { UnreadablePersonalData } from '#platform/personal-data';

// Identity, account and phone numbers at rest (decision 48): where a number stood is what may be seen of it, `sealed` has all of them as they
// are, and hashes stand where equal ones are searched. A number that is not encrypted is refused: whoever writes to the database could choose it.

/** The numbers of somebody whom money goes to. */
export interface PersonNumbers {
  readonly ci: string;
  readonly phone: string;
  readonly bankAccount: string;
}

/** The same numbers as they are stored: ends of them, all of them encrypted, and what equal ones share. */
export interface HiddenNumbers extends PersonNumbers {
  readonly sealed?: string | null;
  readonly hashes?: { readonly [Name in 'account' | 'ci' | 'phone']: string };
}

/** What numbers are encrypted for: they open there alone. Copies that are about one transfer are its own. */
export type Owner = `${'recipient' | 'name_check' | 'payout_target' | 'app_user' | 'identity_check'}:${string}`;

const dots = '•••';
/** Of a number that is shorter, an end would say too much. */
const shortest = 6;
/** Digits by which a phone is found, with its country's prefix or without. */
const phoneDigits = 8;

const ending = (digits: string) => `${dots}${digits.length >= shortest ? digits.slice(-2) : ''}`;

/** Encrypts numbers for an owner. Of an account its last four digits are seen, as everywhere; of the others two. */
export function hideNumbers(em: EntityManager, owner: Owner, { ci, phone, bankAccount }: PersonNumbers) {
  const personal = personalDataOf(em);
  return {
    ci: ending(digitsOf(ci)),
    phone: ending(digitsOf(phone)),
    bankAccount: `${dots}${accountEnding(bankAccount)}`,
    sealed: personal.seal(JSON.stringify({ ci, phone, bankAccount }), owner),
    hashes: {
      account: accountHash(em, bankAccount),
      ci: personal.hash(`ci:${bareCi(ci)}`),
      phone: phoneHash(em, phone),
    },
  } as const;
}

/** The numbers themselves; of a row that was emptied, empty ones. @throws UnreadablePersonalData when they are another owner's, or not encrypted. */
export async function readNumbers(em: EntityManager, owner: Owner, stored: HiddenNumbers): Promise<PersonNumbers> {
  const { ci, phone, bankAccount, sealed } = stored;
  if (sealed) return JSON.parse(await personalDataOf(em).open(sealed, owner)) as PersonNumbers;
  if (ci || phone || bankAccount) throw notEncrypted(owner);
  return { ci, phone, bankAccount };
}

const notEncrypted = (owner: Owner) => new UnreadablePersonalData(`the numbers of ${owner} are not encrypted`);

/** What the same accounts share, however their digits are grouped. */
export function accountHash(em: EntityManager, bankAccount: string): string {
  return personalDataOf(em).hash(`account:${digitsOf(bankAccount)}`);
}

function phoneHash(em: EntityManager, phone: string): string {
  return personalDataOf(em).hash(`phone:${digitsOf(phone).slice(-phoneDigits)}`);
}

/** What is stored of the phone of an account; of an empty one nothing. */
export function hidePhone(em: EntityManager, userId: string, phone: string | null | undefined) {
  if (!phone) return { phone: null, phoneSealed: null, phoneHash: null };
  return {
    phone: ending(digitsOf(phone)),
    phoneSealed: personalDataOf(em).seal(phone, `app_user:${userId}`),
    phoneHash: phoneHash(em, phone),
  };
}

/** The phone of an account as it is; null when it has none. @throws UnreadablePersonalData */
export async function readPhone(
  em: EntityManager,
  user: { readonly id: string; readonly phone?: string | null; readonly phoneSealed?: string | null },
): Promise<string | null> {
  const owner = `app_user:${user.id}` as const;
  if (user.phoneSealed) return personalDataOf(em).open(user.phoneSealed, owner);
  if (user.phone) throw notEncrypted(owner);
  return null;
}

/** Hashes of every number that a person's search may be, written in full; `number` without what people write between its digits. */
export function searchedHashes(em: EntityManager, search: string, number: string | null): string[] {
  const personal = personalDataOf(em);
  const digits = digitsOf(number ?? '');
  return [
    ...(number && number.length >= 5 ? [personal.hash(`ci:${bareCi(search)}`)] : []),
    ...(digits.length >= 5 ? [accountHash(em, digits)] : []),
    ...(digits.length >= phoneDigits ? [phoneHash(em, digits)] : []),
  ];
}
