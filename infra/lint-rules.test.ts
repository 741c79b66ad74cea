import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { root } from './paths.ts';

const readsEnvironment = 'export const port = process.env.PORT;\n';
const importsEnvironment = "import { env } from 'node:process';\nexport const port = env.PORT;\n";

const mayNotRead = [
  'core/money/fee.ts',
  'domain/providers/bank.ts',
  'platform/stripe.ts',
  'api/main.ts',
  'worker/main.ts',
  'web/src/app.tsx',
];
const mayRead = ['platform/configuration/api.ts', 'api/main.test.ts'];
const environmentImport = 'domain/payouts/imports-environment.ts';

const declarations =
  'async function pay(): Promise<void> {}\nclass Bank {\n  async pay(): Promise<void> {}\n}\nexport const used = [pay, Bank];\n';
const statements: readonly [what: string, statement: string, refused: boolean][] = [
  ['a call', 'pay();', true],
  ['a method of a class', 'new Bank().pay();', true],
  ['a chain that handles no rejection', 'pay().then(() => {});', true],
  ['an awaited call', 'await pay();', false],
  ['a chain that handles the rejection', 'pay().catch(() => {});', false],
];
const pathOfStatement = (what: string) => `domain/payouts/${what.replaceAll(' ', '-')}.ts`;

let folder: string;
/** The files that the linter refuses, by rule: one run checks all of them, because a start costs a second. */
let refused: { rule: string; path: string }[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chasqui-lint-'));
  for (const path of ['biome.json', 'web/lint']) cpSync(join(root, path), join(folder, path), { recursive: true });
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  for (const path of [...mayNotRead, ...mayRead]) write(path, readsEnvironment);
  write(environmentImport, importsEnvironment);
  for (const [what, statement] of statements) write(pathOfStatement(what), `${declarations}${statement}\n`);
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const options = ['lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none', '.'];
  const { stdout, stderr } = spawnSync(process.execPath, [biome, ...options], { cwd: folder, encoding: 'utf8' });
  const report = z.object({
    diagnostics: z.array(
      z.object({ severity: z.string(), category: z.string(), location: z.object({ path: z.string() }) }),
    ),
  });
  try {
    const { diagnostics } = report.parse(JSON.parse(stdout));
    refused = diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ category, location }) => ({ rule: category, path: location.path }));
  } catch (cause) {
    throw new Error(`the linter itself failed: ${stdout}${stderr}`, { cause });
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const refuses = (rule: string, path: string) => refused.some((one) => one.rule === `lint/${rule}` && one.path === path);

test.each(mayNotRead)('%s may not read process.env', (path) => {
  expect(refuses('style/noProcessEnv', path)).toBe(true);
});

test('the configuration and tests may read process.env', () => {
  expect(mayRead.filter((path) => refuses('style/noProcessEnv', path))).toEqual([]);
});

test('the environment may not be imported either', () => {
  expect(refuses('style/noProcessEnv', environmentImport)).toBe(true);
});

test.each(statements)('refuses a promise that is not awaited: %s', (what, _statement, isRefused) => {
  expect(refuses('nursery/noFloatingPromises', pathOfStatement(what))).toBe(isRefused);
});
