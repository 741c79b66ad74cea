import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../infra/testing/database.ts';
import { startTestDatabaseServer } from '../infra/testing/database-server.ts';
import { seededRandom } from '../infra/testing/soak.ts';
import { expectDecisionsCarriedOut, payWhileDisturbed } from './crash-load.ts';
import { busySweeps, openApp, type TestApp } from './test-app.ts';

test('200 payments are carried out once while api and worker are killed at random moments', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const app = await openAppOn(database);
  const random = seededRandom('kills');
  const kills = { api: 0, worker: 0 };
  const decisions = await payWhileDisturbed(app, 200, async (progress) => {
    while (progress.paying) {
      const victim = random() < 0.5 ? 'api' : 'worker';
      await app.stack.kill(victim);
      kills[victim] += 1;
      await app.stack.start(victim);
      await pause(500 + random() * 3500);
    }
  });
  expect(Math.min(kills.api, kills.worker)).toBeGreaterThan(2);
  await expectDecisionsCarriedOut(app, decisions);
});

test('120 payments are carried out once while PostgreSQL crashes and restarts', async () => {
  const server = await startTestDatabaseServer();
  onTestFinished(() => server.close());
  const app = await openAppOn(server.database);
  const random = seededRandom('database');
  let restarts = 0;
  const decisions = await payWhileDisturbed(app, 120, async (progress) => {
    while (progress.paying) {
      await (restarts % 2 === 0 ? server.crash() : server.stop());
      restarts += 1;
      await server.resume();
      await pause(1500 + random() * 2500);
    }
  });
  expect(restarts).toBeGreaterThan(1);
  await expectDecisionsCarriedOut(app, decisions);
});

async function openAppOn(database: { url: string }): Promise<TestApp> {
  const app = await openApp({ database, env: busySweeps });
  onTestFinished(() => app.stack.close());
  app.stack.showLogOnFailure();
  return app;
}
