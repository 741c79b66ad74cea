import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { lockInstance } from './instance-lock.ts';
import { nodeProgram, root } from './paths.ts';

let home: string;
let holder: ChildProcess;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'chasqui-lock-'));
  const { href } = pathToFileURL(join(root, 'infra/instance-lock.ts'));
  const source = [
    `const { lockInstance } = await import(${JSON.stringify(href)})`,
    `await lockInstance({ home: ${JSON.stringify(home)} })`,
    "console.log('locked')",
    'setInterval(() => {}, 1_000)',
  ].join('; ');
  holder = spawn(nodeProgram, ['--input-type=module', '-e', source]);
  await once(holder.stdout as NonNullable<typeof holder.stdout>, 'data');
});

afterEach(async () => {
  holder.kill('SIGKILL');
  await rm(home, { recursive: true, force: true });
});

test('waits for an instance that is stopping', async () => {
  const said = vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => said.mockRestore());
  const locking = lockInstance({ home });
  await expect.poll(() => said.mock.calls.flat()).toEqual([expect.stringContaining('se espera a que termine')]);
  holder.kill('SIGKILL');
  const unlock = await locking;
  await unlock();
});

test('refuses to run next to an instance that keeps running', async () => {
  const message = `Chasqui ya está en marcha desde esta carpeta (proceso ${holder.pid}): deténlo primero con Ctrl-C.`;
  await expect(lockInstance({ home, maxWaitMs: 0 })).rejects.toThrow(message);
});
