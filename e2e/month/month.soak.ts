import { expect, onTestFinished, test } from 'vitest';
import { monthTransfers, soakQueues, soakSeed } from '../../infra/testing/soak.ts';
import { problemsOf } from '../soak/invariants.ts';
import { describeRecord, readRecords } from '../soak/records.ts';
import { startSoakStack } from '../soak/stack.ts';
import { problemsOfWhole, readWhole } from '../soak/whole.ts';
import { adminAccount, secondAdminAccount } from '../test-app.ts';
import { sessions } from './calendar.ts';
import { VirtualClock } from './clock.ts';
import {
  checkAccounts,
  checkExceptions,
  checkProfits,
  checkStates,
  closeDays,
  decideExceptions,
  tableOf,
  waitForStatements,
} from './closing.ts';
import { outliveDeadlines } from './complaints.ts';
import { finishOverdueRefunds } from './overdue.ts';
import { foreignPayment } from './plants.ts';
import { RedisTime } from './redis-time.ts';
import { Rest } from './rest.ts';
import { liveThroughMonth, reconcile } from './run.ts';

/** No sender reaches a limit in this month, some transfers need two persons, and a better rate is passed on. */
const environment = {
  LIMIT_DAY_USD: '90000',
  LIMIT_MONTH_USD: '900000',
  LIMIT_EMAIL_USD: 'none',
  LIMIT_IDENTITY_USD: 'none',
  LIMIT_UNPAID_TRANSFERS: '1000',
  CALL_LIMIT_FACTOR: '1000',
  LIMIT_DECLINES_ACCOUNT: '100000',
  LIMIT_DECLINES_NETWORK: '100000',
  LIMIT_DECLINES_CARD: '100000',
  REVIEW_TWO_PERSONS_USD: '1200',
  DESK_TWO_PERSONS_USD: '150',
  BETTER_RATE: 'on',
  SWEEP_SECONDS: '2',
  BANK_STATEMENT_FORMAT: soakSeed % 2 === 0 ? 'csv' : 'camt053',
};

test(
  'a month of transfers closes day by day with Stripe, ledger and bank agreed, finds every planted difference, earns the computed profit, and meets the legal deadlines',
  async () => {
    const startedAt = Date.now();
    const clock = new VirtualClock(sessions[0]?.at as Date);
    onTestFinished(() => clock.close());
    const env = { ...environment, ...clock.environment };
    const stack = await startSoakStack(soakQueues, { env, at: new Date(clock.now().getTime() - 60_000) });
    onTestFinished(stack.close);
    const { app, redis } = stack;
    if (redis) {
      const time = new RedisTime(redis.url);
      onTestFinished(() => time.close());
      clock.follow((ms) => time.pass(ms));
    }
    app.stack.showLogOnFailure();
    const rest = new Rest(app, () => clock.now(), redis?.url);
    onTestFinished(() => rest.close());
    const accounts = [adminAccount, secondAdminAccount] as const;
    const report = (line: string) => console.log(line);
    const month = { app, clock, rest, seed: soakSeed, count: monthTransfers, accounts, report };

    const world = await liveThroughMonth(month);
    await waitForStatements(month, world);
    const exceptions = await checkExceptions(world);
    const writtenOff = await decideExceptions(world, exceptions);
    await reconcile(month, world);
    const days = await closeDays(world);
    await checkAccounts(world, days.at(-1) as (typeof days)[number], writtenOff);
    await checkProfits(world);
    await checkStates(world);
    await finishOverdueRefunds(month, world);
    // The soak's invariants compare card and bank with the books; manual refunds appear at neither.
    const byHand = new Set(world.sent.filter((one) => one.byHand).map(({ id }) => id));
    const records = (await readRecords(app)).filter(({ id }) => !byHand.has(id));
    const wrong = records.filter((record) => problemsOf(record).length > 0);
    report(wrong.map(describeRecord).join('\n'));
    expect(wrong.flatMap(problemsOf)).toEqual([]);
    const problems = problemsOfWhole(await readWhole({ ...app, admin: world.admins[0] }));
    expect(problems).toEqual([`the bank paid ${foreignPayment}, which is no transfer`]);
    report(tableOf(world, days, exceptions).join('\n'));
    report(world.planted.map(({ what, cause, day }) => `${day} ${cause}: ${what}`).join('\n'));
    const states = Map.groupBy(world.sent, ({ expected }) => expected);
    report(JSON.stringify(Object.fromEntries([...states].map(([state, those]) => [state, those.length]))));
    await outliveDeadlines(world, month);
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    report(`${world.sent.length} transfers of a month in ${seconds} s, queues in ${soakQueues}, seed ${soakSeed}`);
  },
  60 * 60_000,
);
