import { expect, onTestFinished, test } from 'vitest';
import { startTestDatabaseServer } from '../../infra/testing/database-server.ts';
import { soakPayments } from '../../infra/testing/soak.ts';
import { openSoakApp, soak } from './run.ts';

test(
  'many random payments keep product, Stripe and bank agreed while everything is killed, paused and refused',
  async () => {
    const server = await startTestDatabaseServer();
    onTestFinished(() => server.close());
    const app = await openSoakApp(server);
    onTestFinished(() => app.stack.close());
    app.stack.showLogOnFailure();
    const { disturbances, records } = await soak(app, server, soakPayments);
    const states = Map.groupBy(records, ({ state }) => state);
    console.log(Object.fromEntries([...states].map(([state, those]) => [state, those.length])));
    console.log(Object.fromEntries(disturbances));
    expect(records.some(({ cases }) => cases.length > 0)).toBe(true);
  },
  24 * 3_600_000,
);
