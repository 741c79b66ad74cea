// `npm test`: every check and all tests, then what became of each. `--without-tests` (npm run check) leaves the tests out.
//
// The static checks run in parallel with the build and the tests, at a lower priority. A check's output is shown in one piece when it ends; the
// output of the tests, which take minutes, is shown line by line.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { compileCache, nodeProgram, root } from './paths.ts';
import { findRedis } from './testing/services.ts';

interface Check {
  title: string;
  argv: string[];
  /** Shows its lines while it runs. */
  live?: boolean;
  /** Leaves the processor to what runs at the same time and has deadlines: the tests. */
  yields?: boolean;
}

const modules = 'node_modules';
const inColor = process.stdout.isTTY === true;
const folders = ['core', 'domain', 'platform', 'api', 'worker', 'tools', 'testing', 'web', 'sandbox', 'infra', 'e2e'];
const report = join(root, 'test-results/vitest.json');
const conformanceRecords = join(root, 'test-results/conformance.json');
const countsFile = join(root, 'test-results/counts.txt');

const staticChecks: Check[] = [
  {
    title: 'Formato y estilo',
    argv: [`${modules}/@biomejs/biome/bin/biome`, 'ci', '--log-level=warn', `--colors=${inColor ? 'force' : 'off'}`],
  },
  {
    title: 'Tipos',
    // Its four checkers each work out the types that all files need: twice the time of the processor that one takes.
    argv: [`${modules}/typescript-native/bin/tsc`, '--checkers', '1', '--pretty', String(inColor)],
  },
  {
    title: 'Reglas de importación',
    argv: [
      `${modules}/dependency-cruiser/bin/dependency-cruiser.mjs`,
      '--config',
      '.dependency-cruiser.mjs',
      ...folders,
    ],
  },
  {
    title: 'Textos al día',
    argv: [`${modules}/@lingui/cli/dist/lingui.js`, 'check', 'sync', '--clean', '--workers', '1', '--verbose'],
  },
  {
    title: 'Textos en inglés',
    argv: [`${modules}/@lingui/cli/dist/lingui.js`, 'check', 'missing', '--workers', '1', '--verbose'],
  },
  { title: 'Código muerto', argv: [`${modules}/knip/bin/knip.js`, '--no-progress'] },
];

/** The tests of the whole product run the build. */
const build: Check = { title: 'Compilación', argv: ['infra/build.ts'] };

const tests: Check = {
  title: 'Pruebas',
  argv: [
    `${modules}/vitest/vitest.mjs`,
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    '--reporter=./infra/testing/conformance/reporter.ts',
  ],
  live: true,
};

/** Reads the output of the tests' reporter. */
const conformance: Check = { title: 'Conformidad', argv: ['infra/testing/conformance/report.ts'] };

interface Outcome {
  title: string;
  passed: boolean;
  seconds: number;
}

/** Runs the checks one after another, whether or not they pass. */
async function runInTurn(checks: Check[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const check of checks) outcomes.push(await run(check));
  return outcomes;
}

async function run({ title, argv, live = false, yields = false }: Check): Promise<Outcome> {
  const heading = `\n── ${title}`;
  if (live) console.log(heading);
  const started = performance.now();
  const options = {
    cwd: root,
    env: childEnvironment(),
    extendEnv: false,
    stdin: 'ignore',
    all: true,
    reject: false,
  } as const;
  const child = execa(nodeProgram, argv, { ...options, buffer: !live });
  if (yields && child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  if (live) for await (const line of child.iterable({ from: 'all' })) console.log(line);
  const { failed, all: output } = await child;
  if (!live) console.log(output ? `${heading}\n${output}` : heading);
  return { title, passed: !failed, seconds: (performance.now() - started) / 1000 };
}

/** FORCE_COLOR, because their output is a pipe; without SOAK_SEED, which selects other tests (vitest.config.ts). */
function childEnvironment(): NodeJS.ProcessEnv {
  const { SOAK_SEED: _, ...rest } = process.env;
  // The type checker, a Go program, needs 1.9 GB with and without collecting garbage, and a fifth of its time to collect it.
  const env = { ...compileCache, GOGC: 'off', GOMEMLIMIT: '3GiB', ...rest };
  return inColor ? { ...env, FORCE_COLOR: '1' } : env;
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

// Ctrl-C reaches the running checks too; they end first and the summary is still shown.
process.on('SIGINT', () => {});
const withTests = !process.argv.includes('--without-tests');
await mkdir(join(root, 'test-results'), { recursive: true });
for (const old of [report, countsFile]) await rm(old, { force: true });
if (withTests) await rm(conformanceRecords, { force: true });

const [buildOutcomes, sourceOutcomes] = await Promise.all([
  runInTurn(withTests ? [build, tests, conformance] : [build]),
  runInTurn(staticChecks.map((check) => ({ ...check, yields: true }))),
]);
const outcomes = [...sourceOutcomes, ...buildOutcomes];

console.log('\n── Resumen');
for (const { title, passed, seconds } of outcomes) {
  console.log(`${passed ? 'bien ' : 'FALLA'}  ${title} (${seconds.toFixed(1)} s)`);
}
const counts = withTests ? await countTests() : { passed: 0, failed: 0, skipped: 0 };
if (withTests && findRedis().kind === 'none' && process.env.TEST_SERVICES !== 'containers') {
  console.log('REDIS: no hay REDIS_URL ni redis-server; las pruebas sobre Redis NO corrieron.');
}
if (counts.skipped > 0) console.log(`${counts.skipped} pruebas omitidas`);
const checks = outcomes.filter(({ title }) => title !== tests.title);
const passed = counts.passed + checks.filter((outcome) => outcome.passed).length;
const failed = counts.failed + checks.filter((outcome) => !outcome.passed).length;
const summary = `${passed} passed, ${failed} failed`;
console.log(summary);
// For .ci/run, which repeats it after whatever npm adds.
await writeFile(countsFile, `${summary}\n`);
process.exitCode = outcomes.every((outcome) => outcome.passed) ? 0 : 1;
