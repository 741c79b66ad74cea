// `npm test`: every check in turn, then all tests, then what became of each. `--without-tests` leaves the tests out.
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeProgram, root } from './places.ts';
import { findRedis } from './testing/services.ts';

interface Check {
  title: string;
  argv: string[];
}

const modules = 'node_modules';
const plain = process.stdout.isTTY ? [] : ['--colors=off'];
const rooms = ['core', 'platform', 'api', 'worker', 'web', 'sandbox', 'infra', 'e2e'];
const report = join(root, 'test-results/vitest.json');
const reachedFolder = join(root, 'test-results/conformance');
const countsFile = join(root, 'test-results/counts.txt');

const checks: Check[] = [
  { title: 'Formato y estilo', argv: [`${modules}/@biomejs/biome/bin/biome`, 'ci', '--log-level=warn', ...plain] },
  { title: 'Tipos', argv: [`${modules}/typescript-native/bin/tsc`] },
  {
    title: 'Reglas de importación',
    argv: [`${modules}/dependency-cruiser/bin/dependency-cruiser.mjs`, '--config', '.dependency-cruiser.mjs', ...rooms],
  },
  { title: 'Código muerto', argv: [`${modules}/knip/bin/knip.js`, '--no-progress'] },
  { title: 'Compilación', argv: ['infra/build.ts'] },
];

const tests: Check = {
  title: 'Pruebas',
  argv: [`${modules}/vitest/vitest.mjs`, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
};

/** Reads what the tests wrote down while they ran. */
const conformance: Check = { title: 'Conformidad', argv: ['e2e/conformance/report.ts'] };

interface Outcome {
  title: string;
  passed: boolean;
  seconds: number;
}

async function perform({ title, argv }: Check): Promise<Outcome> {
  console.log(`\n── ${title}`);
  const started = performance.now();
  const code = await new Promise((resolve) => {
    const child = spawn(nodeProgram, argv, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', () => resolve(1));
    child.once('exit', resolve);
  });
  return { title, passed: code === 0, seconds: (performance.now() - started) / 1000 };
}

interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

async function countTests(): Promise<TestCounts> {
  try {
    const result = JSON.parse(await readFile(report, 'utf8'));
    const failedFiles = result.numFailedTests === 0 && !result.success ? 1 : 0;
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + failedFiles,
      skipped: result.numPendingTests + (result.numTodoTests ?? 0),
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

// Ctrl-C reaches the running check too; it ends first and the summary is still shown.
process.on('SIGINT', () => {});
const withTests = !process.argv.includes('--without-tests');
await mkdir(join(root, 'test-results'), { recursive: true });
for (const old of [report, countsFile]) await rm(old, { force: true });
if (withTests) await rm(reachedFolder, { force: true, recursive: true });

const outcomes: Outcome[] = [];
for (const check of withTests ? [...checks, tests, conformance] : checks) outcomes.push(await perform(check));

console.log('\n── Resumen');
for (const { title, passed, seconds } of outcomes) {
  console.log(`${passed ? 'bien ' : 'FALLA'}  ${title} (${seconds.toFixed(1)} s)`);
}
const counts = withTests ? await countTests() : { passed: 0, failed: 0, skipped: 0 };
if (withTests && findRedis().kind === 'none' && process.env.TEST_SERVICES !== 'containers') {
  console.log('REDIS: no hay REDIS_URL ni redis-server; las pruebas sobre Redis NO corrieron.');
}
if (counts.skipped > 0) console.log(`${counts.skipped} pruebas omitidas`);
const staticChecks = outcomes.filter(({ title }) => title !== tests.title);
const passed = counts.passed + staticChecks.filter((outcome) => outcome.passed).length;
const failed = counts.failed + staticChecks.filter((outcome) => !outcome.passed).length;
const summary = `${passed} passed, ${failed} failed`;
console.log(summary);
// For .ci/run, which repeats it after whatever npm adds.
await writeFile(countsFile, `${summary}\n`);
process.exitCode = outcomes.every((outcome) => outcome.passed) ? 0 : 1;
