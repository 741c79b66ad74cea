import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from './paths.ts';

// The installation of packages in infra/bootstrap.mjs, with a program in place of npm.

let checkout: string;
const running: ChildProcess[] = [];
const lock = JSON.stringify({ packages: { '': {}, 'node_modules/one': { version: '1.0.0' } } });

beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'chasqui-install-'));
  await mkdir(join(checkout, 'infra'));
  await copyFile(join(root, 'infra/bootstrap.mjs'), join(checkout, 'infra/bootstrap.mjs'));
  await writeFile(join(checkout, 'package-lock.json'), lock);
});

afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  await rm(checkout, { recursive: true, force: true });
});

/** Runs the bootstrap, `inShell` below a shell as npm does; `npm` is the source of what it runs as npm. */
async function install(npm: string, { inShell = false } = {}): Promise<{ child: ChildProcess; output: () => string }> {
  const program = join(checkout, 'npm.js');
  await writeFile(program, npm);
  const env = {
    ...process.env,
    ...{ npm_execpath: program, npm_node_execpath: process.execPath, npm_lifecycle_event: 'start' },
  };
  const child = inShell
    ? spawn('sh', ['-c', `"${process.execPath}" infra/bootstrap.mjs; true`], { cwd: checkout, env })
    : spawn(process.execPath, ['infra/bootstrap.mjs'], { cwd: checkout, env });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return { child, output: () => text };
}

const complete = `
  const { mkdirSync, writeFileSync } = require('node:fs');
  mkdirSync('node_modules/one', { recursive: true });
  writeFileSync('node_modules/one/index.js', '');
  writeFileSync('node_modules/.package-lock.json', ${JSON.stringify(lock)});`;
const halfOfIt = `${complete}
  writeFileSync('node_modules/half', String(process.pid));
  setInterval(() => writeFileSync('node_modules/half', String(process.pid)), 20);`;

const inModules = (name: string) => join(checkout, 'node_modules', name);

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The process that installs, once it is at it. */
async function findInstalling(): Promise<number> {
  await expect.poll(() => existsSync(inModules('half'))).toBe(true);
  await expect.poll(() => readFile(inModules('.installing'), 'utf8')).toMatch(/^\d+$/);
  return Number(await readFile(inModules('.installing'), 'utf8'));
}

test('starts over after an installation that was killed, and ends its npm', async () => {
  const first = await install(halfOfIt);
  const pid = await findInstalling();
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const second = await install(complete);
  await once(second.child, 'exit');
  expect(second.output()).toMatch(/La instalación anterior se interrumpió/);
  expect(second.child.exitCode).toBe(0);
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect(['one/index.js', 'half', '.installing'].map((name) => existsSync(inModules(name)))).toEqual([
    true,
    false,
    false,
  ]);
});

test('ends with the npm that runs it', async () => {
  const { child } = await install(halfOfIt, { inShell: true });
  const pid = await findInstalling();
  child.kill('SIGKILL');
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test('does not install complete packages again', async () => {
  const first = await install(complete);
  await once(first.child, 'exit');
  const second = await install('process.exit(1);');
  await once(second.child, 'exit');
  expect([second.child.exitCode, second.output()]).toEqual([0, '']);
});
