import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { nodeProgram, root } from '../paths.ts';

/** A server that keeps a connection to the test while it runs. */
const server = `
  require('node:net').connect(Number(process.env.TEST_PORT), '127.0.0.1', () => console.log('ready'));
`;

/** Starts that server as a supervisor does, and pauses it for an hour. */
const parent = `
  import { Service } from '${root}/infra/service.ts';
  import { standingStill } from '${root}/infra/testing/standing-still.ts';
  const argv = ['--input-type=commonjs', '-e', ${JSON.stringify(server)}];
  const service = new Service({ name: 'server', argv, env: process.env, ready: { line: /^ready$/ } });
  await service.start();
  await standingStill([service.pid], async (still) => {
    const stopped = still(3_600_000);
    console.log('still');
    await stopped;
  });
`;

test('a paused server resumes and ends when the process that started it is killed', async () => {
  const listening = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void listening.close());
  await once(listening, 'listening');
  const connected = once(listening, 'connection') as Promise<[Socket]>;
  const { port } = listening.address() as { port: number };
  const starting = spawn(nodeProgram, ['--input-type=module', '-e', parent], {
    env: { ...process.env, TEST_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [[connection]] = await Promise.all([connected, printed(starting.stdout, 'still')]);
  connection.resume();
  const gone = once(connection, 'close');
  starting.kill('SIGKILL');
  await gone;
  expect(connection.destroyed).toBe(true);
}, 60_000);

async function printed(output: NodeJS.ReadableStream, text: string): Promise<void> {
  for await (const chunk of output) if (String(chunk).includes(text)) return;
}
