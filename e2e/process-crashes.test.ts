import { onTestFinished, test } from 'vitest';
import { startTestDatabaseServer } from '../infra/testing/database-server.ts';
import { expectDecisionsCarriedOut, payWhileDisturbed } from './crash-load.ts';
import { busySweeps, openApp } from './test-app.ts';
import { until } from './until.ts';

test('payments are carried out once when worker, api and PostgreSQL are killed one after another', async () => {
  const server = await startTestDatabaseServer();
  onTestFinished(() => server.close());
  const app = await openApp({ database: server.database, env: busySweeps });
  onTestFinished(() => app.stack.close());
  app.stack.showLogOnFailure();
  const crashes = [
    async () => {
      await app.stack.kill('worker');
      await app.stack.start('worker');
    },
    async () => {
      await app.stack.kill('api');
      await app.stack.start('api');
    },
    async () => {
      await server.crash();
      await server.resume();
    },
  ];
  const decisions = await payWhileDisturbed(app, 16, async (progress) => {
    for (const [index, crash] of crashes.entries()) {
      await until(`${index * 2} payments are decided`, async () => progress.decided >= index * 2);
      await crash();
    }
  });
  await expectDecisionsCarriedOut(app, decisions);
}, 120_000);
