import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { advisoryException, findAdvisories } from './advisories.ts';
import { root } from './paths.ts';

const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Licences that let the product be run, changed and handed on without obligations about its own code. */
const allowed = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Unlicense'],
  // Changes to such a package's own files would have to be published; we use them unchanged.
  'MPL-2.0',
  // Of fonts, of data, and of argparse.
  ...['OFL-1.1', 'CC-BY-4.0', 'Python-2.0', 'CC0-1.0'],
]);
/** Packages without a license in their package.json, and the license of their LICENSE file. */
const readByHand: Readonly<Record<string, string>> = { 'node_modules/png-js': 'MIT' };

function licenceOf(path: string, license: string | undefined): string {
  if (license) return license;
  if (readByHand[path]) return readByHand[path];
  const file = join(path, 'package.json');
  if (!existsSync(join(root, file))) return 'unknown';
  const [first] = (read(file).licenses ?? []) as { type?: string }[];
  return first?.type ?? 'unknown';
}

/** Of an SPDX expression without nesting: one of its alternatives, or all of its parts. */
function isAllowed(expression: string): boolean {
  const text = expression.replace(/[()]/g, '');
  if (text.includes(' OR ')) return text.split(' OR ').some((one) => allowed.has(one));
  return text.split(' AND ').every((one) => allowed.has(one));
}

test('every package has a licence of the list', () => {
  const packages = Object.entries(read('package-lock.json').packages as Record<string, { license?: string }>);
  const refused = packages
    .filter(([path]) => path !== '')
    .map(([path, { license }]) => ({ path, licence: licenceOf(path, license) }))
    .filter(({ licence }) => !isAllowed(licence));
  expect(refused).toEqual([]);
  for (const path of Object.keys(readByHand))
    expect(readFileSync(join(root, path, 'LICENSE'), 'utf8')).toMatch(/MIT License|Permission is hereby granted/);
});

const advisory = (id: string, name: string, severity: string) => ({
  via: [{ url: `https://github.com/advisories/${id}`, title: 'Prototype pollution', severity, name }, 'another'],
});

test('advisories of severity high and critical are found, but for those that are excepted until a day', () => {
  const exceptions = z.array(advisoryException).parse(read('infra/advisory-exceptions.json'));
  expect(new Set(exceptions.map((one) => `${one.advisory} ${one.package}`)).size).toBe(exceptions.length);
  const output = JSON.stringify({
    vulnerabilities: {
      one: advisory('GHSA-aaaa-bbbb-cccc', 'one', 'high'),
      two: advisory('GHSA-dddd-eeee-ffff', 'two', 'critical'),
      three: advisory('GHSA-gggg-hhhh-iiii', 'three', 'moderate'),
    },
  });
  const reason = 'Only its command line is affected.';
  const excepted = [{ advisory: 'GHSA-aaaa-bbbb-cccc', package: 'one', reason, until: '2026-12-01' }];
  const two = 'critical: two: Prototype pollution (https://github.com/advisories/GHSA-dddd-eeee-ffff)';
  expect(findAdvisories(output, excepted, '2026-11-30')).toEqual([two]);
  expect(findAdvisories(output, excepted, '2026-12-01')).toHaveLength(2);
  expect(findAdvisories('{"vulnerabilities":{}}', [], '2026-12-01')).toEqual([]);
});

test('a registry that does not tell is not taken for one that knows no advisory', () => {
  for (const output of ['', 'npm error', '{"message":"405 Method Not Allowed","statusCode":405}'])
    expect(findAdvisories(output, [], '2026-12-01')).toBeUndefined();
});
