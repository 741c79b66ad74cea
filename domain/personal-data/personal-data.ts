import { accountEnding, bareCi, digitsOf } from '#core/recipients/same';
import { type EntityManager, personalDataOf } from '#platform/database/database';
import { UnreadablePersonalData } from '#platform/personal-data';

// Identity, account and phone numbers at rest (decision 48): the original columns have only the visible digits,
// `sealed` has the encrypted numbers, and hashes allow searches for equal ones. Unencrypted numbers are rejected,
// because anyone who can write to the database could choose them.

/** The numbers of a payee. */
export interface PersonNumbers {
  readonly ci: string;
  readonly phone: string;
  readonly bankAccount: string;
}

/** The same numbers as stored: last digits, the encrypted whole, and hashes for equality. */
export interface HiddenNumbers extends PersonNumbers {
  readonly sealed?: string | null;
  readonly hashes?: { readonly [Name in 'account' | 'ci' | 'phone']: string };
}

/**
 * The row that numbers are encrypted for; they decrypt for it only. Copies for one transfer belong to that transfer.
 */
export type Owner = `${'recipient' | 'name_check' | 'payout_target' | 'app_user' | 'identity_check'}:${string}`;

const dots = '•••';
/** For shorter numbers, even the last digits would reveal too much. */
const shortest = 6;
/** Last digits by which a phone is found, with or without country code. */
const phoneDigits = 8;

const ending = (digits: string) => `${dots}${digits.length >= shortest ? digits.slice(-2) : ''}`;

/** Encrypts numbers for an owner. Four digits of an account stay visible, as everywhere, and two of the others. */
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

/**
 * The decrypted numbers; empty for an erased row.
 * @throws UnreadablePersonalData when they belong to another owner or are not encrypted.
 */
export async function readNumbers(em: EntityManager, owner: Owner, stored: HiddenNumbers): Promise<PersonNumbers> {
  const { ci, phone, bankAccount, sealed } = stored;
  if (sealed) return JSON.parse(await personalDataOf(em).open(sealed, owner)) as PersonNumbers;
  if (ci || phone || bankAccount) throw notEncrypted(owner);
  return { ci, phone, bankAccount };
}

const notEncrypted = (owner: Owner) => new UnreadablePersonalData(`the numbers of ${owner} are not encrypted`);

/** A hash that equal accounts share, however their digits are grouped. */
export function accountHash(em: EntityManager, bankAccount: string): string {
  return personalDataOf(em).hash(`account:${digitsOf(bankAccount)}`);
}

function phoneHash(em: EntityManager, phone: string): string {
  return personalDataOf(em).hash(`phone:${digitsOf(phone).slice(-phoneDigits)}`);
}

/** The stored form of an account's phone; empty without one. */
export function hidePhone(em: EntityManager, userId: string, phone: string | null | undefined) {
  if (!phone) return { phone: null, phoneSealed: null, phoneHash: null };
  return {
    phone: ending(digitsOf(phone)),
    phoneSealed: personalDataOf(em).seal(phone, `app_user:${userId}`),
    phoneHash: phoneHash(em, phone),
  };
}

/** The decrypted phone of an account; null without one. @throws UnreadablePersonalData */
export async function readPhone(
  em: EntityManager,
  user: { readonly id: string; readonly phone?: string | null; readonly phoneSealed?: string | null },
): Promise<string | null> {
  const owner = `app_user:${user.id}` as const;
  if (user.phoneSealed) return personalDataOf(em).open(user.phoneSealed, owner);
  if (user.phone) throw notEncrypted(owner);
  return null;
}

/** Hashes of every number that a search may mean, in full; `number` has no separators between its digits. */
export function searchedHashes(em: EntityManager, search: string, number: string | null): string[] {
  const personal = personalDataOf(em);
  const digits = digitsOf(number ?? '');
  return [
    ...(number && number.length >= 5 ? [personal.hash(`ci:${bareCi(search)}`)] : []),
    ...(digits.length >= 5 ? [accountHash(em, digits)] : []),
    ...(digits.length >= phoneDigits ? [phoneHash(em, digits)] : []),
  ];
}
