import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { type Dirent, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { errorCode, Failure } from './failure.ts';
import { nodeProgram, root } from './places.ts';

const dist = join(root, 'dist');
const lock = join(dist, '.building');
const serverRooms = ['core', 'domain', 'platform', 'api', 'worker', 'sandbox'];

interface Step {
  name: string;
  /** What it says while it runs. */
  title: string;
  /** Files and folders of the checkout it is made from. */
  sources: string[];
  argv: string[];
  /** A file it leaves, to notice a dist folder that was deleted. */
  result: string;
}

const steps: Step[] = [
  {
    name: 'servers',
    title: 'Compilando los servidores…',
    sources: [...serverRooms, 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
    // Types are checked by `npm run check`; a start need not wait for that.
    argv: ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck'],
    result: 'dist/core',
  },
  {
    name: 'sandbox-browser',
    title: 'Compilando las páginas del simulador…',
    sources: ['core', 'sandbox/browser', 'sandbox/control', 'package-lock.json'],
    argv: ['sandbox/browser/build.ts'],
    result: 'dist/sandbox/browser/stripe.js',
  },
  {
    name: 'web',
    title: 'Compilando la web…',
    sources: ['core', 'web', 'tsconfig.json', 'package-lock.json'],
    argv: ['web/build.ts'],
    result: 'dist/web/index.html',
  },
];

/**
 * Builds what changed since the last build into `dist/`. Of two builds at once the second waits. Throws `Failure`
 * when a step fails; its own output has then been shown.
 */
export async function build(options: { log: (line: string) => void; signal?: AbortSignal }): Promise<void> {
  await mkdir(join(dist, '.stamps'), { recursive: true });
  await takeLock();
  try {
    for (const step of steps) await buildStep(step, options);
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

async function buildStep(step: Step, options: { log: (line: string) => void; signal?: AbortSignal }) {
  const stampFile = join(dist, '.stamps', step.name);
  const stamp = await hashOf(step.sources);
  const built = existsSync(join(root, step.result)) && (await readFile(stampFile, 'utf8').catch(() => '')) === stamp;
  if (built) return;
  options.log(step.title);
  await rm(stampFile, { force: true });
  await runNode(step.argv, options.signal);
  if (step.name === 'servers') await removeOrphans(dist, root, serverRooms);
  await writeFile(stampFile, stamp);
}

/** One hash over names and contents; tests do not count. */
async function hashOf(sources: string[]): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const source of sources) {
    for (const file of await filesUnder(source)) {
      hash.update(`\0${file}\0`).update(await readFile(join(root, file)));
    }
  }
  return hash.digest('hex');
}

async function filesUnder(path: string): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(join(root, path), { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return [path];
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const inside = `${path}/${entry.name}`;
    if (entry.isDirectory()) files.push(...(await filesUnder(inside)));
    else if (!/\.(test|soak)\.tsx?$/.test(entry.name)) files.push(inside);
  }
  return files;
}

/** Compiled files whose source is gone would otherwise live on. */
async function removeOrphans(compiled: string, sources: string, names: string[]) {
  for (const name of names) {
    for (const file of await readdir(join(compiled, name), { recursive: true }).catch(() => [])) {
      if (name === 'sandbox' && file.startsWith('browser')) continue;
      const base = file.replace(/\.js(\.map)?$/, '');
      const kept = base === file || ['.ts', '.tsx'].some((ending) => existsSync(join(sources, name, base + ending)));
      if (!kept) await rm(join(compiled, name, file), { force: true });
    }
  }
}

function runNode(argv: string[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(nodeProgram, argv, {
      cwd: root,
      // A test run that builds must not leave React's development build behind.
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'inherit', 'inherit'],
      signal,
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Failure('La compilación falló: el motivo está en las líneas anteriores.'));
    });
  });
}

async function takeLock() {
  for (;;) {
    try {
      await mkdir(lock);
      await writeFile(join(lock, 'pid'), String(process.pid));
      return;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    const holder = Number(await readFile(join(lock, 'pid'), 'utf8').catch(() => '0'));
    if (holder > 0 && !isRunning(holder)) await rm(lock, { recursive: true, force: true });
    else await delay(100);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
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
