import { afterEach, beforeEach } from 'vitest';
import type { SendCurrency } from '#core/money/money';
import { parseRate, type Rate } from '#core/rates/rate';
import { dayMs } from '#core/time/time';
import type { User } from '#domain/accounts/account.entity';
import { openDatabase } from '#domain/database';
import { currentRate } from '#domain/rates/current-rates';
import { RateChange } from '#domain/rates/rate.entity';
import {
  activateDueRateChange,
  confirmRateChange,
  declineRateChange,
  expireRateChanges,
  proposeRateChange,
} from '#domain/rates/rate-changes';
import { setRate } from '#domain/rates/set-rate';
import { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestUser } from './accounts.ts';
import { observeMarket, testEveryMs } from './market.ts';
import { testMoment } from './transfers.ts';

const rules = { everyMs: testEveryMs, maxStepBasisPoints: 300n };
export const rateOf = (text: string) => parseRate(text) as Rate;
export const later = (ms: number) => new Date(testMoment.getTime() + ms);

interface NewDatabase {
  url: string;
  drop: () => Promise<void>;
}

interface Proposal {
  currency?: SendCurrency;
  reason?: string | null;
  activateAt?: Date | null;
  by?: User;
  at?: Date;
}

/**
 * Three admins and a dollar at 11,50 Bs, with the market at 12,00; call it at a file's top level. Rates cannot be deleted, so
 * each test has its own database.
 */
export function useRateChanges(newDatabase: () => Promise<NewDatabase>) {
  let testDatabase: NewDatabase;
  let database: Database;
  let ana: User;
  let luis: User;
  let eva: User;

  beforeEach(async () => {
    testDatabase = await newDatabase();
    database = await openDatabase(testDatabase.url, { poolMax: 6 });
    ana = await createTestUser(database, { role: 'admin', name: 'Ana' });
    luis = await createTestUser(database, { role: 'admin', name: 'Luis' });
    eva = await createTestUser(database, { role: 'admin', name: 'Eva' });
    await setDirectly('USD', '11.50', later(-2 * dayMs));
    await market('12.00');
  });
  afterEach(async () => {
    await database.close();
    await testDatabase.drop();
  });

  const setDirectly = (currency: SendCurrency, rate: string, at: Date) =>
    database.transaction((em) => setRate(em, { currency, rate: rateOf(rate), setById: ana.id, at }));
  const market = (rate: string, at = testMoment) => observeMarket(database, { rate: rateOf(rate), at });
  const propose = (rate: string, { currency = 'USD', reason = null, activateAt = null, by = ana, at }: Proposal = {}) =>
    database.transaction((em) =>
      proposeRateChange(em, rules, {
        currency,
        rate: rateOf(rate),
        reason,
        activateAt,
        proposedById: by.id,
        at: at ?? testMoment,
      }),
    );
  const confirm = ({ id }: { id: bigint }, by: User, at = testMoment) =>
    database.transaction((em) => confirmRateChange(em, rules, { changeId: id, personId: by.id, at }));
  const decline = ({ id }: { id: bigint }, by: User, at = testMoment) =>
    database.transaction((em) => declineRateChange(em, { changeId: id, personId: by.id, at }));
  const activate = ({ id }: { id: bigint }, at: Date) =>
    database.transaction((em) => activateDueRateChange(em, rules, { changeId: id, at }));
  const expire = (at: Date) => database.transaction((em) => expireRateChanges(em, at));
  const stored = ({ id }: { id: bigint }) => database.fork().findOneOrFail(RateChange, { id });
  const inForce = async (currency: SendCurrency = 'USD') =>
    (await currentRate(database.fork(), currency, { now: testMoment, pauseAfterMs: dayMs }))?.rate;
  const outbox = (name: string) => database.fork().find(OutboxRow, { name }, { orderBy: { id: 'asc' } });

  return {
    get database() {
      return database;
    },
    get ana() {
      return ana;
    },
    get luis() {
      return luis;
    },
    get eva() {
      return eva;
    },
    setDirectly,
    market,
    propose,
    confirm,
    decline,
    activate,
    expire,
    stored,
    inForce,
    outbox,
  };
}

/** The result of each attempt: a failure's code, or the change's state. */
export async function ends(attempts: Promise<RateChange>[]): Promise<string[]> {
  const settled = await Promise.allSettled(attempts);
  return settled.map((one) => (one.status === 'fulfilled' ? one.value.state : one.reason.code)).sort();
}
