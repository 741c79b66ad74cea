import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './paths.ts';

const readsEnvironment = 'export const port = process.env.PORT;';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chasqui-lint-'));
  for (const path of ['biome.json', 'web/lint']) cpSync(join(root, path), join(folder, path), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Whether the project's linter refuses a file of this content at this path. */
function refuses(path: string, content: string, rule = 'style/noProcessEnv'): boolean {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const options = ['lint', '--vcs-enabled=false', `--only=${rule}`, path];
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, ...options], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0 && !stderr.includes(rule.split('/')[1] as string))
    throw new Error(`the linter itself failed: ${stdout}${stderr}`);
  return status !== 0;
}

test.each([
  'core/money/fee.ts',
  'domain/payouts/bank.ts',
  'platform/stripe.ts',
  'api/main.ts',
  'worker/main.ts',
  'web/src/app.tsx',
])('%s may not read process.env', (path) => {
  expect(refuses(path, readsEnvironment)).toBe(true);
});

test('the configuration and tests may read process.env', () => {
  for (const path of ['platform/configuration/api.ts', 'api/main.test.ts']) {
    expect(refuses(path, readsEnvironment)).toBe(false);
  }
});

test('the environment may not be imported either', () => {
  expect(refuses('domain/payouts/bank.ts', "import { env } from 'node:process';\nexport const port = env.PORT;")).toBe(
    true,
  );
});

test.each([
  ['a call', 'pay();', true],
  ['a method of a class', 'new Bank().pay();', true],
  ['a chain that handles no rejection', 'pay().then(() => {});', true],
  ['an awaited call', 'await pay();', false],
  ['a chain that handles the rejection', 'pay().catch(() => {});', false],
])('refuses a promise that is not awaited: %s', (_, statement, isRefused) => {
  const declarations =
    'async function pay(): Promise<void> {}\nclass Bank {\n  async pay(): Promise<void> {}\n}\nexport const used = [pay, Bank];\n';
  expect(refuses('domain/payouts/pay.ts', `${declarations}${statement}\n`, 'nursery/noFloatingPromises')).toBe(
    isRefused,
  );
});
