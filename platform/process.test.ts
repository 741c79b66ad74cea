import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** `log`: an expression that makes the log. */
const programWith = (log: string) => `
  import { createLogger } from '#platform/logging';
  import { runProcess } from '#platform/process';
  await runProcess({
    title: 'El proceso',
    shutdownMs: () => 1_000,
    configure: () => ({ databaseUrl: 'postgresql://127.0.0.1:9/chasqui' }),
    log: () => ${log},
    start: async () => {
      // It listens for signals by then.
      setImmediate(() => process.stdout.write('serving'));
      const timer = setInterval(() => {}, 1_000);
      return { close: async () => clearInterval(timer) };
    },
  });
`;

// Exiting, Node would write it however long a busy disk takes, and no deadline ends that.
test('a process keeps what Node compiled of it before it serves, and writes nothing of that when it ends', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'chasqui-compile-cache-'));
  onTestFinished(() => rm(cache, { recursive: true }));
  const kept = async () => (await readdir(cache, { recursive: true })).sort();
  const child = spawn(process.execPath, ['--input-type=module', '--eval', programWith('({ info: () => {} })')], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const whileServing = await kept();
  expect(whileServing.length).toBeGreaterThan(1);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(await kept()).toEqual(whileServing);
});

test('a process shuts down on request although its log has no reader any more', async () => {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', programWith("createLogger('platform', 'info')")],
    {
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
