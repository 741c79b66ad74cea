import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { type JobName, jobs } from '#core/contracts/jobs';
import { openDatabase } from '#domain/database';
import type { QueueServices } from '../../infra/testing/redis.ts';
import type { Database } from '../database/database.ts';
import type { Push } from '../live/push.ts';
import { createLogger } from '../logging.ts';
import { OutboxRow } from '../outbox/outbox.entity.ts';
import { addJob } from '../outbox/outbox.ts';
import { Relay } from '../outbox/relay.ts';
import { openTestQueues, type TestQueues } from './queues.ts';

/** Fast to try again, so that failures cost a test little. */
export const relayTimes = { idleMs: 100, failureMs: 50 };

type Process = TestQueues & { database: Database };

/** Two processes on the same database and queues, and relays in them. */
export class RelayFixture {
  services!: QueueServices;
  here!: Process;
  there!: Process;
  #relays: Relay[] = [];

  async open(start: () => Promise<QueueServices>): Promise<void> {
    this.services = await start();
    const { database, redisUrl } = this.services;
    const open = async () => ({
      database: await openDatabase(database.url, { poolMax: 4 }),
      ...(await openTestQueues({ databaseUrl: database.url, redisUrl })),
    });
    [this.here, this.there] = await Promise.all([open(), open()]);
  }

  /** Starts a relay, which ends with the test. */
  run(process = this.here, push: Push = async () => {}, times: ConstructorParameters<typeof Relay>[4] = relayTimes) {
    const relay = new Relay(process.database, process.queues, push, createLogger('platform', 'silent'), times);
    this.#relays.push(relay);
    relay.start();
    return relay;
  }

  /** Stops the relays, and empties the outbox and the queues. */
  async reset(): Promise<void> {
    await Promise.all(this.#relays.splice(0).map((relay) => relay.stop()));
    await this.here.database.fork().nativeDelete(OutboxRow, {});
    await Promise.all(Object.values(this.here.queues).map((queue) => queue.obliterate({ force: true })));
  }

  async close(): Promise<void> {
    for (const { database, close } of [this.here, this.there]) {
      await close();
      await database.close();
    }
    await this.services.close();
  }

  /** Commits rows for jobs, each about a different transfer; returns the transfers' ids. */
  commit(name: 'sync-payment' | 'expire-payment', options: { runAt?: Date; key?: string } = {}, count = 1) {
    const ids = Array.from({ length: count }, () => randomUUID());
    return this.here.database.transaction(async (em) => {
      for (const transferId of ids) addJob(em, name, { transferId }, options);
      return ids;
    });
  }

  /** How many rows are in the outbox. */
  left(): Promise<number> {
    return this.here.database.fork().count(OutboxRow);
  }

  /** Waits until no row is left. */
  async carried(): Promise<void> {
    await expect.poll(() => this.left(), { interval: 5, timeout: 15_000 }).toBe(0);
  }

  /** All jobs of a name, wherever they are in their queue. */
  async jobsOf(name: JobName) {
    const { queues } = this.here;
    const all = await queues[jobs[name].queue].getJobs(['waiting', 'delayed', 'active', 'completed', 'failed']);
    return all.filter((job) => job.name === name);
  }

  /** The transfers that these jobs are about. */
  async transfersOf(name: JobName): Promise<string[]> {
    return (await this.jobsOf(name)).map((job) => job.data.transferId);
  }
}

/** A fixture for the tests of a `describe`; mocks end with each test, too. */
export function useRelayFixture(start: () => Promise<QueueServices>): RelayFixture {
  const fixture = new RelayFixture();
  beforeAll(() => fixture.open(start));
  afterEach(async () => {
    vi.restoreAllMocks();
    await fixture.reset();
  });
  afterAll(() => fixture.close());
  return fixture;
}
