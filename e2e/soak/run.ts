import { expect } from 'vitest';
import type { TestDatabaseServer } from '../../infra/testing/database-server.ts';
import { soakSeed } from '../../infra/testing/soak.ts';
import { busySweeps, openApp, type TestApp } from '../test-app.ts';
import { disturbRandomly, endDisturbances } from './disturbances.ts';
import { problemsOf } from './invariants.ts';
import { payRandomly } from './load.ts';
import { describeRecord, readRecords, type TransferRecord } from './records.ts';
import { untilStill } from './stillness.ts';

/** More than one sender pays in a run, and two admins for some of the money. */
const environment = {
  ...busySweeps,
  LIMIT_DAY_USD: '90000',
  LIMIT_MONTH_USD: '90000',
  LIMIT_UNPAID_TRANSFERS: '1000',
  DESK_TWO_PERSONS_USD: '40',
};

/** The product on a PostgreSQL that the run may crash. */
export function openSoakApp(server: TestDatabaseServer): Promise<TestApp> {
  return openApp({ database: server.database, env: environment });
}

/**
 * Makes `count` payments with random stories while everything is killed, paused and refused at random, waits until nothing moves any
 * more, and compares product, Stripe and bank. Returns how often each disturbance came, and the transfers.
 * @throws with the seed and the first transfer that is wrong.
 */
export async function soak(
  app: TestApp,
  server: TestDatabaseServer,
  count: number,
): Promise<{ disturbances: Map<string, number>; records: TransferRecord[] }> {
  let disturbances = new Map<string, number>();
  try {
    await payRandomly(app, count, async (progress) => {
      disturbances = await disturbRandomly(app, server, progress);
    });
    await endDisturbances(app);
    await untilStill(app);
  } catch (error) {
    const wrong = (await readRecords(app).catch(() => [])).find((record) => problemsOf(record).length > 0);
    throw new Error(`seed ${soakSeed}: ${(error as Error).message}\n${wrong ? report(wrong) : ''}`, { cause: error });
  }
  const records = await readRecords(app);
  expect(records.length).toBe(count);
  const wrong = records.filter((record) => problemsOf(record).length > 0);
  const [first] = wrong;
  if (first) throw new Error(`seed ${soakSeed}: ${wrong.length} of ${count} transfers are wrong. ${report(first)}`);
  return { disturbances, records };
}

function report(record: TransferRecord): string {
  return `Transfer ${record.id}:\n- ${problemsOf(record).join('\n- ')}\n${describeRecord(record)}`;
}
