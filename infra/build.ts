import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { Failure } from './failure.ts';
import { takeLock } from './lock-file.ts';
import { nodeProgram, root } from './paths.ts';

const dist = join(root, 'dist');
const serverFolders = '{core,domain,platform,api,worker,tools,sandbox}';

interface Step {
  name: string;
  /** Shown while it runs. */
  title: string;
  /** Patterns of the files it is made from (folders have no dot in their names); tests do not count. */
  sources: string[];
  argv: string[];
  /** A file it leaves, to notice a dist folder that was deleted. */
  result: string;
  /** Patterns of files that are rewritten by every build. Older ones come from deleted sources. */
  rewrites?: { include: string; exclude: string };
}

const steps: Step[] = [
  {
    name: 'servers',
    title: 'Compilando los servidores…',
    sources: [`${serverFolders}/**/*.*`, 'infra/servers.ts', 'tsconfig.json', 'package-lock.json'],
    argv: ['infra/servers.ts'],
    result: 'dist/api/main.js',
    rewrites: {
      include: 'dist/{core,domain,platform,api,worker,tools,sandbox,shared}/**/*.{js,js.map}',
      exclude: 'dist/sandbox/browser/**',
    },
  },
  {
    name: 'sandbox-browser',
    title: 'Compilando las páginas del simulador…',
    sources: ['core/**/*.*', 'sandbox/{browser,control}/**/*.*', 'package-lock.json'],
    argv: ['sandbox/browser/build.ts'],
    result: 'dist/sandbox/browser/stripe.js',
  },
  {
    name: 'web',
    title: 'Compilando la web…',
    sources: [
      'core/**/*.*',
      'web/{src,public}/**/*.*',
      'web/*.*',
      'lingui.config.ts',
      'tsconfig.json',
      'package-lock.json',
    ],
    argv: ['node_modules/@react-router/dev/bin.cjs', 'build', 'web', '--logLevel', 'warn'],
    result: 'dist/web/pages.json',
  },
];

/**
 * Builds what changed since the last build into `dist/`. Of two builds at once the second waits. Throws `Failure`
 * when a step fails; its own output has then been shown.
 */
export async function build(options: { log: (line: string) => void; signal?: AbortSignal }): Promise<void> {
  await mkdir(join(dist, '.stamps'), { recursive: true });
  const unlock = await takeLock(join(dist, '.building'), () => delay(100));
  try {
    for (const step of steps) await buildStep(step, options);
  } finally {
    await unlock();
  }
}

async function buildStep(step: Step, { log, signal }: { log: (line: string) => void; signal?: AbortSignal }) {
  const stampFile = join(dist, '.stamps', step.name);
  const stamp = await hashOf(step.sources);
  if (existsSync(join(root, step.result)) && (await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return;
  log(step.title);
  await rm(stampFile, { force: true });
  const startedAt = Date.now();
  const { failed } = await execa(nodeProgram, step.argv, {
    cwd: root,
    // A test run that builds must not leave React's development build behind.
    env: { NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
    ...(signal && { cancelSignal: signal }),
    reject: false,
  });
  if (failed) throw new Failure('La compilación falló: el motivo está en las líneas anteriores.');
  for (const file of step.rewrites ? await filesOf([step.rewrites.include], [step.rewrites.exclude]) : []) {
    if ((await stat(join(root, file))).mtimeMs < startedAt) await rm(join(root, file));
  }
  await writeFile(stampFile, stamp);
}

/** One hash over names and contents. */
async function hashOf(sources: string[]): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const file of await filesOf(sources, ['**/*.{test,soak}.{ts,tsx}'])) {
    hash.update(`\0${file}\0`).update(await readFile(join(root, file)));
  }
  return hash.digest('hex');
}

/** Paths below the checkout, in an order that is always the same. */
async function filesOf(include: string[], exclude: string[]): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(include, { cwd: root, exclude })) files.push(file);
  return files.sort();
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await build({ log: console.log });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
