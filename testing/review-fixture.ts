import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { hourMs } from '#core/time/time';
import type { JobContext } from '#domain/jobs/job-context';
import { viewReview } from '#domain/review/reviews';
import { startWatchman, type TestWatchman } from '../sandbox/testing/start-watchman.ts';
import { createTestUser } from './accounts.ts';
import { createTestContext } from './job-context.ts';
import { useTransferFixture } from './transfer-fixture.ts';
import { makeMove, openTestTransfer, type TransferOverrides, testMoment, testTarget } from './transfers.ts';

export const reviewPolicy = {
  limits: { dayUsdMinor: 500_000n, monthUsdMinor: 1_000_000n },
  ...{ screens: true, screeningWaitMs: 0, twoPersonsUsdMinor: 200_000n, newDeviceUsdMinor: 50_000n, prices: null },
  rates: { everyMs: 7_200_000, pauseAfterMs: 86_400_000 },
};

/**
 * Transfers awaiting a decision, an admin and a simulated list service, for the tests of a file. Each test starts at
 * `testMoment`.
 */
export class ReviewFixture {
  readonly transfers = useTransferFixture();
  watchman!: TestWatchman;
  context!: JobContext;
  now = testMoment;
  /** An admin. */
  ana = '';
  /** The recipient of the last created transfer. */
  recipientId = '';

  /** An authorized transfer, to a recipient with this name and account. */
  async inReview(
    target: Partial<typeof testTarget> = {},
    { paidAt = testMoment, ...overrides }: Partial<TransferOverrides> & { paidAt?: Date } = {},
  ): Promise<string> {
    const { database, userId: someone } = this.transfers;
    const userId = overrides.userId ?? someone;
    this.recipientId = crypto.randomUUID();
    await database.fork().execute(
      `insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship, created_at)
       values (?, ?, 'Rosa', '', '', '', '', '', '', '', '', now())`,
      [this.recipientId, userId],
    );
    const recipient = { id: this.recipientId, target: { ...testTarget, ...target } };
    const { id } = await database.transaction(async (em) => openTestTransfer(em, { userId, ...overrides, recipient }));
    const captureBefore = new Date(paidAt.getTime() + 24 * hourMs);
    await makeMove(database, id, 'hold', { paidAt, captureBefore });
    return id;
  }

  view(id: string) {
    return viewReview(this.transfers.database.fork(), id, reviewPolicy, this.now);
  }
}

export function useReviewFixture(): ReviewFixture {
  const fixture = new ReviewFixture();
  beforeAll(async () => {
    const { database } = fixture.transfers;
    fixture.watchman = await startWatchman();
    const options = {
      databaseUrl: 'postgresql://unused',
      env: fixture.watchman.env,
      now: () => fixture.now,
      timeoutMs: 10_000,
    };
    fixture.context = createTestContext(database, options).context;
    fixture.ana = (await createTestUser(database, { role: 'admin', name: 'Ana' })).id;
  });
  afterAll(() => fixture.watchman?.close());
  beforeEach(() => {
    fixture.now = testMoment;
  });
  afterEach(() => fixture.watchman.clearFaults());
  return fixture;
}
