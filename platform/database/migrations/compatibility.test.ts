import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { migrations } from './all.ts';

/**
 * What breaks the version that still runs while a migration does, or locks a table that it writes to. The way around is in docs/operations.md:
 * first a migration that adds, then a version that uses it, then a migration marked `-- second phase: <name of the first>`.
 */
const breaking: readonly [RegExp, string][] = [
  [/\bdrop\s+(table|column|view)\b/, 'drops what the version before still uses'],
  [/\brename\s+(to|column)\b|\brename\s+\w+\s+to\b/, 'renames what the version before still uses'],
  [/\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/, 'rewrites a table and changes what the version before reads'],
  [/\balter\s+column\s+\S+\s+set\s+not\s+null\b/, 'refuses rows that the version before writes'],
  [/\balter\s+column\s+\S+\s+drop\s+default\b/, 'refuses rows that the version before writes'],
  [
    /\badd\s+(column\s+)?(?!constraint\b)[^,;]*\bnot\s+null\b(?![^,;]*\bdefault\b)(?<!\bdefault\b[^,;]*)/,
    'adds a required column without a default',
  ],
];

/** What is wrong with a migration's text, whose new tables are its own affair. */
function problemsOf(text: string, names: readonly string[]): string[] {
  const secondOf = /^-- second phase: (\S+)/m.exec(text)?.[1];
  if (secondOf !== undefined) return names.includes(secondOf) ? [] : [`${secondOf} is no migration`];
  const sql = text.replace(/--.*$/gm, '').toLowerCase();
  const altered = sql.split(';').filter((statement) => /^\s*(alter|drop)\b/.test(statement));
  const made = new Set([...sql.matchAll(/create\s+table\s+"?(\w+)/g)].map(([, name]) => name));
  return altered
    .filter((statement) => !made.has(/^\s*alter\s+table\s+(?:only\s+)?"?(\w+)/.exec(statement)?.[1] ?? ''))
    .flatMap((statement) => breaking.filter(([pattern]) => pattern.test(statement)).map(([, reason]) => reason));
}

const names = migrations.map(({ name }) => name);

// The baseline runs in empty databases only.
test.each(names.filter((name) => name !== '2026-11-27-baseline'))('%s leaves the version before running', (name) => {
  expect(
    problemsOf(readFileSync(new URL(`migration-${name}.ts`, import.meta.url), 'utf8').replace(/^.*?`/s, ''), names),
  ).toEqual([]);
});

test.each([
  ['drop table transfer;', 1],
  ['alter table transfer drop column state;', 1],
  ['alter table transfer rename to payment;', 1],
  ['alter table transfer rename column state to stage;', 1],
  ['alter table transfer alter column fee type bigint;', 1],
  ['alter table transfer alter column fee set not null;', 1],
  ['alter table transfer add column kind text not null;', 1],
  ['alter table transfer add column note text null, add column kind text not null;', 1],
  ["alter table transfer add column kind text not null default 'card';", 0],
  ['alter table transfer add column kind text null;', 0],
  ['alter table transfer drop constraint transfer_state_check, add constraint c check (a is not null) not valid;', 0],
  ['create table kind (name text not null); alter table kind add column more text not null;', 0],
  ['-- drop table transfer;', 0],
  ['-- second phase: 2026-11-27-baseline\ndrop table transfer;', 0],
  ['-- second phase: 2030-01-01-unknown\ndrop table transfer;', 1],
])('the check of migrations finds what breaks the version before: %s', (text, count) => {
  expect(problemsOf(text, names)).toHaveLength(count);
});
