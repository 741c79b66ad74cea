import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxScreeningAttempts } from '#core/review/screening';
import { hourMs, minuteMs } from '#core/time/time';
import { dueNoted } from '#platform/outbox/outbox';
import { startWatchman, type TestWatchman } from '../../sandbox/testing/start-watchman.ts';
import type { JobContext } from '../job-context.ts';
import { createTestUser } from '../testing/accounts.ts';
import { createTestContext } from '../testing/job-context.ts';
import { useTransferFixture } from '../testing/transfer-fixture.ts';
import { makeMove, openTestTransfer, type TransferOverrides, testMoment, testTarget } from '../testing/transfers.ts';
import { decide } from '../transfers/decide.ts';
import { claimReview } from './claim.ts';
import { decideScreening, listReviews, type ScreeningDecision, viewReview } from './reviews.ts';
import { areNamesDue, screenDueNames } from './screen-names.ts';

const fixture = useTransferFixture();
const policy = {
  limits: { dayUsdMinor: 500_000n, monthUsdMinor: 1_000_000n },
  ...{ screens: true, screeningWaitMs: 0, twoPersonsUsdMinor: 200_000n },
};
/** A name that the simulated service has on a list. */
const listed = 'Ramiro Condarco Villegas';

let watchman: TestWatchman;
let context: JobContext;
let now: Date;
let ana: string;
let recipientId: string;

beforeAll(async () => {
  watchman = await startWatchman();
  const options = { databaseUrl: 'postgresql://unused', env: watchman.env, now: () => now };
  context = createTestContext(fixture.database, options).context;
  ana = (await createTestUser(fixture.database, { role: 'admin', name: 'Ana' })).id;
});
afterAll(() => watchman?.close());
beforeEach(() => {
  now = testMoment;
});
afterEach(() => watchman.clearFaults());

/** A transfer whose card is held, to a recipient of this name and account. */
async function inReview(
  target: Partial<typeof testTarget> = {},
  { paidAt = testMoment, ...overrides }: Partial<TransferOverrides> & { paidAt?: Date } = {},
): Promise<string> {
  const userId = overrides.userId ?? fixture.userId;
  recipientId = crypto.randomUUID();
  await fixture.database.fork().execute(
    `insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship, created_at)
     values (?, ?, 'Rosa', '', '', '', '', '', '', '', '', now())`,
    [recipientId, userId],
  );
  const recipient = { id: recipientId, target: { ...testTarget, ...target } };
  const { id } = await fixture.database.transaction(async (em) =>
    openTestTransfer(em, { userId, ...overrides, recipient }),
  );
  const captureBefore = new Date(paidAt.getTime() + 24 * hourMs);
  await makeMove(fixture.database, id, 'hold', { paidAt, captureBefore });
  return id;
}

const view = (id: string) => viewReview(fixture.database.fork(), id, policy, now);
const approve = (transferId: string) =>
  decide(fixture.database, { transferId, decision: 'approve', adminId: ana, reason: null, at: now }, policy);
const say = (transferId: string, decision: ScreeningDecision, adminId = ana) =>
  decideScreening(fixture.database, { transferId, adminId, decision, at: now }, policy);
const about = {
  subject: 'recipient',
  source: 'us_ofac',
  source_id: '900101',
  note: 'Otra fecha de nacimiento',
} as const;

describe('the check of names', () => {
  test('names are checked once after the card is held, and an approval waits for it', async () => {
    const due = new Set<string>();
    fixture.database.onCommit((em) => {
      for (const name of dueNoted(em)) due.add(name);
    });
    const id = await inReview();
    expect(due).toContain('screenings-due');
    expect(await view(id)).toMatchObject({ screening: { status: 'pending' }, version: 0 });
    await expect(approve(id)).rejects.toMatchObject({ code: 'screening_needed', details: { screening: 'pending' } });
    expect(await areNamesDue(context)).toBe(true);
    watchman.calls.length = 0;
    await Promise.all([screenDueNames(context), screenDueNames(context)]);
    expect(watchman.calls).toHaveLength(2);
    expect(await areNamesDue(context)).toBe(false);
    expect(await view(id)).toMatchObject({ screening: { status: 'clear', attempts: 1, hits: [] } });
    expect(await approve(id)).toMatchObject({ state: 'approved' });
  });

  test('a hit keeps a transfer from being approved until a person says that it is somebody else, which is remembered', async () => {
    const id = await inReview({ name: listed });
    await screenDueNames(context);
    const hit = { source: 'us_ofac', source_id: '900101', subject: 'recipient', verdict: null, remembered: false };
    expect((await view(id)).screening).toMatchObject({ status: 'hit', hits: [hit] });
    await expect(approve(id)).rejects.toMatchObject({ code: 'screening_needed', details: { screening: 'hit' } });
    await expect(say(id, { ...about, verdict: 'false_positive' }, fixture.userId)).rejects.toMatchObject({
      code: 'own_transfer',
    });
    const said = await say(id, { ...about, verdict: 'false_positive' });
    expect(said.screening).toMatchObject({ status: 'clear', note: about.note, noted_by: 'Ana' });
    await expect(say(id, { ...about, verdict: 'true_hit' })).rejects.toMatchObject({ code: 'screening_decided' });
    expect(await approve(id)).toMatchObject({ state: 'approved' });

    const next = await inReview({ name: 'RAMIRO condárco villegas' });
    await screenDueNames(context);
    const remembered = { verdict: 'false_positive', remembered: true };
    expect((await view(next)).screening).toMatchObject({ status: 'clear', hits: [remembered] });
  });

  test('a person who says that it is the listed one leaves only the rejection', async () => {
    const id = await inReview({ name: 'Lidia Aranibar Quiroz' });
    await screenDueNames(context);
    const hit = { ...about, source: 'eu_csl', source_id: 'EU.9001.17' };
    expect((await say(id, { ...hit, verdict: 'true_hit' })).screening.status).toBe('blocked');
    await expect(say(id, { ...hit, verdict: 'false_positive' })).rejects.toMatchObject({ code: 'screening_decided' });
    await expect(approve(id)).rejects.toMatchObject({ details: { screening: 'blocked' } });
    const input = { transferId: id, decision: 'reject', adminId: ana, reason: null, at: now } as const;
    expect(await decide(fixture.database, input, policy)).toMatchObject({ state: 'rejected' });
  });

  test('without an answer it is attempted again until the attempts are used up, and then a person is needed', async () => {
    const id = await inReview();
    watchman.failCalls(() => ({ kind: 'error', status: 503 }));
    for (let attempt = 1; attempt <= maxScreeningAttempts; attempt++) {
      await screenDueNames(context);
      expect((await view(id)).screening).toMatchObject({ attempts: attempt });
      now = new Date(now.getTime() + hourMs);
    }
    expect(await view(id)).toMatchObject({
      screening: { status: 'unavailable', next_attempt_at: null },
      reasons: expect.arrayContaining([{ code: 'screening_unavailable', severity: 'serious' }]),
    });
    watchman.calls.length = 0;
    await screenDueNames(context, { all: true });
    expect(watchman.calls).toEqual([]);
    await expect(approve(id)).rejects.toMatchObject({ details: { screening: 'unavailable' } });
    expect((await say(id, { verdict: 'again' })).screening).toMatchObject({ status: 'pending', attempts: 0 });
    await expect(say(id, { verdict: 'checked', note: 'x' })).rejects.toMatchObject({ code: 'screening_decided' });
    for (let attempt = 1; attempt <= maxScreeningAttempts; attempt++) {
      await screenDueNames(context);
      now = new Date(now.getTime() + hourMs);
    }
    const checked = await say(id, { verdict: 'checked', note: 'Miré la lista de la OFAC en su página.' });
    expect(checked.screening).toMatchObject({ status: 'checked', noted_by: 'Ana' });
    expect(await approve(id)).toMatchObject({ state: 'approved' });
  });

  test('another recipient is checked anew, and no approval rests on the check of the one before', async () => {
    const id = await inReview();
    await screenDueNames(context);
    await fixture.database
      .fork()
      .execute(
        `update transfer set payout_target = payout_target || '{"name":"${listed}"}', version = version + 1 where id = ?`,
        [id],
      );
    await expect(approve(id)).rejects.toMatchObject({ details: { screening: 'pending' } });
    await screenDueNames(context, { all: true });
    expect((await view(id)).screening.attempts).toBe(1);
    expect((await view(id)).screening.hits).toMatchObject([{ name: listed }]);
  });

  test('an installation without a list service says so with every transfer, and checks nothing', async () => {
    const id = await inReview();
    const without = { ...policy, screens: false };
    await screenDueNames({ ...context, watchman: null });
    expect(await viewReview(fixture.database.fork(), id, without)).toMatchObject({
      screening: { status: 'off' },
      reasons: expect.arrayContaining([{ code: 'not_screened', severity: 'warning' }]),
    });
    const input = { transferId: id, decision: 'approve', adminId: ana, reason: null, at: now } as const;
    expect(await decide(fixture.database, input, without)).toMatchObject({ state: 'approved' });
  });
});

describe('two admins', () => {
  const minutes = (count: number) => new Date(testMoment.getTime() + count * minuteMs);
  const claim = (transferId: string, adminId: string, mine = true, at = now) =>
    claimReview(fixture.database, { transferId, adminId, mine, at }, policy);
  const decideAs = (adminId: string, transferId: string, decision: 'approve' | 'reject' = 'approve') =>
    decide(fixture.database, { transferId, decision, adminId, reason: null, at: now }, policy);
  let luis: string;

  beforeAll(async () => {
    luis = (await createTestUser(fixture.database, { role: 'admin', name: 'Luis' })).id;
  });

  async function screened(overrides: Partial<TransferOverrides> = {}): Promise<string> {
    const id = await inReview({}, overrides);
    await screenDueNames(context);
    return id;
  }

  test('of admins who take a transfer at once one gets it, and no other decides until it is left or ten minutes pass', async () => {
    const id = await screened();
    const claims = await Promise.allSettled([ana, luis, ana, luis].map((admin) => claim(id, admin)));
    const won = claims.flatMap((one) => (one.status === 'fulfilled' ? [one.value.claim] : []));
    expect(won).toHaveLength(2);
    const { by_id: owner = '', by = '' } = won[0] ?? {};
    const other = owner === ana ? luis : ana;
    for (const decision of ['approve', 'reject'] as const) {
      const refused = { code: 'claimed', details: { claimedBy: by, until: minutes(10).toISOString() } };
      await expect(decideAs(other, id, decision)).rejects.toMatchObject(refused);
    }
    await expect(claim(id, other, true, minutes(9))).rejects.toMatchObject({ code: 'claimed' });
    expect((await claim(id, other, true, minutes(10))).claim).toMatchObject({ by_id: other });
    expect((await claim(id, owner, false)).claim).toMatchObject({ by_id: other });
    expect((await claim(id, other, false)).claim).toBeNull();
    const decided = await Promise.allSettled([decideAs(ana, id), decideAs(luis, id, 'reject'), decideAs(luis, id)]);
    expect(decided.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a claim lasts ten minutes from the last time its admin took it, and nobody takes what is decided or their own', async () => {
    const id = await screened();
    await claim(id, ana);
    expect((await claim(id, ana, true, minutes(8))).claim?.until).toBe(minutes(18).toISOString());
    await expect(claim(id, fixture.userId)).rejects.toMatchObject({ code: 'own_transfer' });
    await decideAs(ana, id, 'reject');
    await expect(claim(id, luis)).rejects.toMatchObject({ code: 'not_awaiting_decision' });
  });

  test('from the amount of the policy on two persons approve, never the same one twice', async () => {
    const small = await screened({ amountMinor: 199_999n, currency: 'USD' });
    expect(await decideAs(ana, small)).toMatchObject({ state: 'approved' });
    const id = await screened({ amountMinor: 200_000n, currency: 'USD' });
    expect(await decideAs(ana, id)).toMatchObject({ state: 'in_review', decided_by: null });
    expect(await view(id)).toMatchObject({ needs_second: true, approval: { by: 'Ana', by_id: ana } });
    const { emails } = await fixture.everythingOf(id);
    const waiting = emails.filter(({ kind }) => kind === 'approval_waiting');
    expect(waiting).toMatchObject([{ userId: luis, data: { approvedBy: 'Ana', amount: '2000.00', currency: 'USD' } }]);
    await expect(decideAs(ana, id)).rejects.toMatchObject({ code: 'own_request' });
    const second = await Promise.allSettled([decideAs(luis, id), decideAs(luis, id)]);
    expect(second.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await fixture.everythingOf(id)).toMatchObject({ transfer: { state: 'approved', decidedById: luis } });
    const asked = await fixture.database
      .fork()
      .execute('select requested_by_id, decided_by_id, outcome from desk_request where transfer_id = ?', [id]);
    expect(asked).toEqual([{ requested_by_id: ana, decided_by_id: luis, outcome: 'approved' }]);
  });

  test('one person rejects a large transfer, also after a first approval', async () => {
    const id = await screened({ amountMinor: 250_000n, currency: 'USD' });
    await decideAs(ana, id);
    expect(await decideAs(luis, id, 'reject')).toMatchObject({ state: 'rejected' });
    expect((await view(id)).approval).toBeNull();
  });
});

describe('what is known around a transfer', () => {
  const agoHours = (hours: number) => new Date(testMoment.getTime() - hours * hourMs);

  test('the reasons follow from what the sender, the account and the card did before', async () => {
    const bankAccount = '20000099999999';
    const sender = (await createTestUser(fixture.database, { name: 'Pedro Choque' })).id;
    for (const hours of [30, 5, 3, 1])
      await inReview({ bankAccount }, { userId: sender, paidAt: agoHours(hours), amountMinor: 90_000n });
    for (const _ of [1, 2]) {
      const other = (await createTestUser(fixture.database)).id;
      await inReview({ bankAccount }, { userId: other, paidAt: agoHours(100) });
    }
    const id = await inReview({ bankAccount }, { userId: sender, amountMinor: 90_000n });
    await fixture.database
      .fork()
      .execute(`update transfer set card_country = 'RU', card_holder = 'IVAN PETROV' where id = ?`, [id]);
    await fixture.database.fork().execute(`update transfer set card_last4 = '0019' where user_id = ?`, [sender]);
    await fixture.database.fork().execute(`update app_user set phone = '+34 600 000 000' where id = ?`, [sender]);
    const { reasons, similar } = await view(id);
    expect(reasons.filter(({ code }) => !code.startsWith('screening'))).toEqual([
      { code: 'split_amounts', severity: 'serious', count: 4, usd: '3960.00', threshold_usd: '3000.00' },
      { code: 'shared_account', severity: 'warning', senders: 3 },
      { code: 'many_transfers', severity: 'warning', count: 4, usd: '3960.00' },
      { code: 'card_country', severity: 'warning', card: 'RU', profile: 'ES' },
      { code: 'card_holder', severity: 'warning', holder: 'IVAN PETROV', sender: 'Pedro Choque' },
    ]);
    expect(similar).toHaveLength(5);
    expect(similar.map(({ same }) => same.join())).toContain('account,amount,card');
  });

  test('a page costs the same number of statements however many transfers it has, those that end first before', async () => {
    const before = await inReview({}, { paidAt: agoHours(200) });
    await inReview();
    // Outside a transaction every statement takes a connection of its own from the pool.
    const pool = await fixture.database.pool();
    const counted = async (limit: number) => {
      let statements = 0;
      const count = () => {
        statements += 1;
      };
      pool.on('acquire', count);
      const page = await listReviews(fixture.database.fork(), { limit }, policy);
      pool.off('acquire', count);
      return { statements, page };
    };
    const [one, many] = [await counted(1), await counted(20)];
    expect(many.page.items.length).toBeGreaterThan(5);
    expect(one.statements).toBeGreaterThan(3);
    expect(many.statements).toBe(one.statements);
    expect(many.page.items[0]?.transaction.id).toBe(before);
  });
});
