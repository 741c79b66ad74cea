import { expect, onTestFinished, test } from 'vitest';
import { Service } from './service.ts';

test('a server continues when one of its threads ends', async () => {
  const server = `
    import { once } from 'node:events';
    import { Worker } from 'node:worker_threads';
    setInterval(() => {}, 1_000);
    for (const name of ['first', 'second']) {
      await once(new Worker('', { eval: true }), 'exit');
      console.log(name + ' thread ended');
    }`;
  const ready = { line: /second thread ended/ };
  const service = new Service({ name: 'server', argv: ['--input-type=module', '-e', server], env: {}, ready });
  onTestFinished(() => service.close());
  await service.start();
  expect(service.running).toBe(true);
});
