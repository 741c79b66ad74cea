import { beforeAll, describe, expect, test, vi } from 'vitest';
import { minuteMs } from '#core/time/time';
import { untilLockIsAwaited } from '../../infra/testing/lock-waits.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { reviewPolicy, useReviewFixture } from '../../testing/review-fixture.ts';
import { screenDueNames } from '../../testing/row-jobs.ts';
import { type TransferOverrides, testMoment } from '../../testing/transfers.ts';
import { setAdminRole } from '../account-oversight/admin-role.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';
import { claimReview } from './claim.ts';
import { decide } from './decide.ts';
import { writeClaim } from './review.repository.ts';
import { openMissingScreenings } from './screen-names.ts';

const reviews = useReviewFixture();

describe('two admins', () => {
  const minutes = (count: number) => new Date(testMoment.getTime() + count * minuteMs);
  const claim = (transferId: string, adminId: string, mine = true, at = reviews.now) =>
    claimReview(reviews.transfers.database, { transferId, adminId, mine, at }, reviewPolicy);
  /** Decides as an admin who sees the current transfer, unless another first approval is given. */
  const decideAs = async (
    adminId: string,
    transferId: string,
    decision: 'approve' | 'reject' = 'approve',
    seen?: string | null,
  ) => {
    const approvalRequestId = seen === undefined ? (await reviews.view(transferId)).approval?.id : seen;
    const input = { transferId, decision, adminId, approvalRequestId, reason: null, at: reviews.now };
    return decide(reviews.transfers.database, input, reviewPolicy);
  };
  let luis: string;

  beforeAll(async () => {
    luis = (await createTestUser(reviews.transfers.database, { role: 'admin', name: 'Luis' })).id;
  });

  async function screened(overrides: Partial<TransferOverrides> = {}, target = {}): Promise<string> {
    const id = await reviews.inReview(target, overrides);
    await screenDueNames(reviews.context);
    return id;
  }

  test('of admins who claim a transfer concurrently one succeeds, and no other can decide until it is released or ten minutes pass', async () => {
    const id = await screened();
    const claims = await Promise.allSettled([reviews.ana, luis, reviews.ana, luis].map((admin) => claim(id, admin)));
    const won = claims.flatMap((one) => (one.status === 'fulfilled' ? [one.value.claim] : []));
    expect(won).toHaveLength(2);
    const { by_id: owner = '', by = '' } = won[0] ?? {};
    const other = owner === reviews.ana ? luis : reviews.ana;
    for (const decision of ['approve', 'reject'] as const) {
      const refused = { code: 'claimed', details: { claimedBy: by, until: minutes(10).toISOString() } };
      await expect(decideAs(other, id, decision)).rejects.toMatchObject(refused);
    }
    await expect(claim(id, other, true, minutes(9))).rejects.toMatchObject({ code: 'claimed' });
    expect((await claim(id, other, true, minutes(10))).claim).toMatchObject({ by_id: other });
    expect((await claim(id, owner, false)).claim).toMatchObject({ by_id: other });
    expect((await claim(id, other, false)).claim).toBeNull();
    const decided = await Promise.allSettled([
      decideAs(reviews.ana, id),
      decideAs(luis, id, 'reject'),
      decideAs(luis, id),
    ]);
    expect(decided.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a transfer claimed by a colleague between an admin’s reading and decision cannot be decided', async () => {
    const id = await screened();
    const { database } = reviews.transfers;
    const transaction = database.transaction.bind(database);
    vi.spyOn(database, 'transaction').mockImplementationOnce(async (work) => {
      await claim(id, luis);
      return transaction(work);
    });
    await expect(decideAs(reviews.ana, id)).rejects.toMatchObject({ code: 'claimed', details: { claimedBy: 'Luis' } });
    vi.restoreAllMocks();
    expect((await reviews.view(id)).claim).toMatchObject({ by_id: luis });
  });

  test('a claim lasts ten minutes from its last extension, and decided or own transfers cannot be claimed', async () => {
    const id = await screened();
    await claim(id, reviews.ana);
    expect((await claim(id, reviews.ana, true, minutes(8))).claim?.until).toBe(minutes(18).toISOString());
    await expect(claim(id, reviews.transfers.userId)).rejects.toMatchObject({ code: 'own_transfer' });
    await decideAs(reviews.ana, id, 'reject');
    await expect(claim(id, luis)).rejects.toMatchObject({ code: 'not_awaiting_decision' });
  });

  test('from the amount of the reviewPolicy two people must approve, never the same one twice', async () => {
    // No other transfer counts together with it.
    const { id: userId } = await createTestUser(reviews.transfers.database);
    const small = await screened({ amountMinor: 199_999n, currency: 'USD', userId }, { bankAccount: '20000' });
    expect(await decideAs(reviews.ana, small)).toMatchObject({ state: 'approved' });
    const id = await screened({ amountMinor: 200_000n, currency: 'USD' });
    expect(await decideAs(reviews.ana, id)).toMatchObject({ state: 'in_review', decided_by: null });
    const { needs_second, approval } = await reviews.view(id);
    expect({ needs_second, approval }).toMatchObject({
      needs_second: true,
      approval: { by: 'Ana', by_id: reviews.ana },
    });
    const { emails } = await reviews.transfers.everythingOf(id);
    const waiting = emails.filter(({ kind }) => kind === 'approval_waiting');
    expect(waiting).toMatchObject([{ userId: luis, data: { approvedBy: 'Ana', amount: '2000.00', currency: 'USD' } }]);
    await expect(decideAs(reviews.ana, id)).rejects.toMatchObject({ code: 'own_request' });
    const second = await Promise.allSettled([decideAs(luis, id), decideAs(luis, id)]);
    expect(second.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await reviews.transfers.everythingOf(id)).toMatchObject({
      transfer: { state: 'approved', decidedById: luis },
    });
    const requests = await reviews.transfers.database
      .fork()
      .execute('select id, requested_by_id, decided_by_id, outcome from desk_request where transfer_id = ?', [id]);
    expect(requests).toEqual([
      { id: approval?.id, requested_by_id: reviews.ana, decided_by_id: luis, outcome: 'approved' },
    ]);
  });

  test('the second approval refers to the first one that the admin saw: with another or none it fails', async () => {
    const { database } = reviews.transfers;
    const id = await screened({ amountMinor: 250_000n, currency: 'USD' });
    await expect(decideAs(reviews.ana, id, 'approve', crypto.randomUUID())).rejects.toMatchObject({
      code: 'approval_changed',
      details: { transaction: { id, state: 'in_review' } },
    });
    await decideAs(reviews.ana, id);
    for (const seen of [null, crypto.randomUUID()])
      await expect(decideAs(luis, id, 'approve', seen)).rejects.toMatchObject({ code: 'approval_changed' });
    const waiting = () => database.fork().execute('select outcome from desk_request where transfer_id = ?', [id]);
    expect(await waiting()).toEqual([{ outcome: null }]);
    expect(await decideAs(luis, id)).toMatchObject({ state: 'approved' });
  });

  test('the first approval is void once its author loses the role: the next one is a first approval again', async () => {
    const { database } = reviews.transfers;
    const id = await screened({ amountMinor: 250_000n, currency: 'USD' });
    const { id: marta } = await createTestUser(database, { role: 'admin', name: 'Marta' });
    await decideAs(marta, id);
    const seen = (await reviews.view(id)).approval?.id ?? null;
    const role = { userId: marta, role: null, ownerId: reviews.ana, at: reviews.now };
    await database.transaction((em) => setAdminRole(em, role));
    expect((await reviews.view(id)).approval).toBeNull();
    await expect(decideAs(luis, id, 'approve', seen)).rejects.toMatchObject({ code: 'approval_changed' });
    expect(await decideAs(luis, id)).toMatchObject({ state: 'in_review' });
    expect(await decideAs(reviews.ana, id)).toMatchObject({ state: 'approved' });
  });

  test('the first approval of an author who lost the role unnoticed does not count either', async () => {
    const { database } = reviews.transfers;
    const id = await screened({ amountMinor: 250_000n, currency: 'USD' });
    const { id: marta } = await createTestUser(database, { role: 'admin', name: 'Marta' });
    await decideAs(marta, id);
    await database.fork().execute(`update app_user set admin_role = 'support' where id = ?`, [marta]);
    await expect(decideAs(luis, id)).rejects.toMatchObject({ code: 'approval_changed' });
    expect(await decideAs(luis, id, 'approve', null)).toMatchObject({ state: 'in_review' });
    expect((await reviews.view(id)).approval).toMatchObject({ by: 'Luis' });
  });

  test('one person can reject a large transfer, even after a first approval', async () => {
    const id = await screened({ amountMinor: 250_000n, currency: 'USD' });
    await decideAs(reviews.ana, id);
    expect(await decideAs(luis, id, 'reject')).toMatchObject({ state: 'rejected' });
    expect((await reviews.view(id)).approval).toBeNull();
  });

  test('a screening that starts while an admin claims the transfer waits for it, and neither fails', async () => {
    const id = await reviews.inReview();
    const { database } = reviews.transfers;
    // As a previous version left it.
    await database.fork().execute("update review set names = '[]' where transfer_id = ?", [id]);
    let checking = Promise.resolve();
    await database.transaction(async (em) => {
      await lockTransfer(em, id);
      checking = openMissingScreenings(reviews.context);
      await untilLockIsAwaited(database);
      const until = minutes(10);
      expect(await writeClaim(em, { transferId: id, adminId: reviews.ana, until, at: reviews.now })).toBe(true);
    });
    await checking;
    await screenDueNames(reviews.context);
    expect(await reviews.view(id)).toMatchObject({ screening: { status: 'clear' }, claim: { by_id: reviews.ana } });
  });
});
