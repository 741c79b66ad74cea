import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as spanish } from '@zxcvbn-ts/language-es-es';
import { root } from './paths.ts';

/**
 * Command: `npm run breached-passwords` writes the filter that new passwords are looked up in, from the lists of
 * zxcvbn-ts: the most common passwords of published leaks, and dictionary words and names in our languages. Run it
 * after updating those packages.
 */
const lists = [
  common['passwords-common'],
  spanish['commonWords-es-es'],
  spanish['firstnames-es-es'],
  spanish['lastnames-es-es'],
  spanish['wikipedia-es-es'],
];
/** Shorter ones are refused for their length. */
const minLength = 8;

/** As `fingerprintOf` in domain/accounts/password-rules.ts reads them. */
const fingerprintOf = (password: string) =>
  createHash('sha256').update(password.normalize('NFC').toLowerCase()).digest().readUInt32LE();

const listed = lists.flat().filter((password) => password.length >= minLength);
const fingerprints = Uint32Array.from(new Set(listed.map(fingerprintOf))).sort();
const filter = { fingerprints: Buffer.from(fingerprints.buffer).toString('base64') };
await writeFile(join(root, 'domain/accounts/breached-passwords.json'), `${JSON.stringify(filter, null, 2)}\n`);
console.log(`${fingerprints.length} contraseñas y palabras en el filtro.`);
