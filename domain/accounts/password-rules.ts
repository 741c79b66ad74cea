import { createHash } from 'node:crypto';
import { invalidInput } from '#core/contracts/invalid-input';
import filter from './breached-passwords.json' with { type: 'json' };

/** Characters of the shortest password; `newPassword` of the contracts asks for as many. */
const leastLength = 8;

/** Stands for a password in the filter: four bytes of its hash. One of 80,000 that are not listed has that of a listed one. */
function fingerprintOf(password: string): number {
  return createHash('sha256').update(password.normalize('NFC').toLowerCase()).digest().readUInt32LE();
}

let breached: ReadonlySet<number> | undefined;

/** Made by `npm run breached-passwords`; read with the first password that somebody chooses. */
function breachedFingerprints(): ReadonlySet<number> {
  const bytes = Uint8Array.from(Buffer.from(filter.fingerprints, 'base64'));
  return new Set(new Uint32Array(bytes.buffer));
}

/**
 * Refuses a password that guessers try first (NIST SP 800-63B, 3.1.1.2): one known from leaks or a single word, or one that is little more
 * than what anybody knows of its person and of us. There are no rules of composition.
 * @throws Failure `invalid_input` with `password_breached` or `password_personal`.
 */
export function refuseGuessable(password: string, person: { email: string; name: string }): void {
  breached ??= breachedFingerprints();
  if (breached.has(fingerprintOf(password))) throw invalidInput({ password: 'password_breached' });
  if (isPersonal(password, person)) throw invalidInput({ password: 'password_personal' });
}

/** Whether, without the words of its person's name and address and of ours and the signs between them, too little is left of a password. */
function isPersonal(password: string, { email, name }: { email: string; name: string }): boolean {
  const words = plain(`${email} ${name} chasqui`).split(/[^\p{L}\p{N}]+/u);
  // The longest first: of "ana" and "mariana" both may be meant. What is shorter than three letters is in every text.
  const known = words.filter((word) => word.length > 2).sort((one, other) => other.length - one.length);
  const whole = plain(password);
  const left = known.reduce((text, word) => text.replaceAll(word, ''), whole);
  return left !== whole && left.replace(/[^\p{L}\p{N}]/gu, '').length < leastLength;
}

/** In lower case and without accents. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
