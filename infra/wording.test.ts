import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';

const folders = ['core', 'domain', 'platform', 'api', 'worker', 'tools', 'testing', 'sandbox', 'infra', 'e2e'];

/** Words and phrases that readers had to decode, with what to write instead. */
const rejected: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\banew\b/i, 'again, or a verb with re-'],
  [/\bmeanwhile\b/i, 'concurrently, since then'],
  [/\b(nobody|somebody)\b/i, 'the role: an admin, the sender, an unknown address'],
  [/\bbeside\b/i, 'next to, compared with'],
  [/\bstands\b/i, 'is shown, is stored'],
  [/what becomes of|what came of it/i, 'the result, the outcome'],
  [/comes back to/i, 'equals, returns to'],
  [/\bso many\b/i, 'the number'],
  [/\bthe like\b/i, 'such as, or the whole list'],
  [/\bis none\b/i, 'is not one, is missing'],
  [/\bof (its|one.s) own\b/i, 'separate'],
  [/holds up no/i, 'does not block'],
  [/all the same\b/i, 'anyway'],
  [/takes? in hand/i, 'handles'],
  [/a sentence each/i, 'one sentence for each'],
  [/in its favour/i, 'for it'],
  [/\b[a-z]\w*(Most|Least)\b/, 'a name that begins with max or min'],
];

/** The user of an operating system, and a value of the api. */
const allowed = /['"=:.`«]nobody\b/;

const sources = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).map((entry) =>
      relative(root, join(entry.parentPath, entry.name)),
    ),
  )
  .filter((path) => /\.(ts|tsx)$/.test(path) && path !== 'infra/wording.test.ts');

test('sources say it in plain English', () => {
  const found = sources.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        if (allowed.test(line)) return [];
        return rejected
          .filter(([phrase]) => phrase.test(line))
          .map(([, instead]) => `${path}:${index + 1} ${line.trim()} -> ${instead}`);
      }),
  );
  expect(found).toEqual([]);
});
