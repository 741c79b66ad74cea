import { describe, expect, test, vi } from 'vitest';
import { maxScreeningAttempts } from '#core/review/screening';
import { hourMs } from '#core/time/time';
import { runFor } from '#platform/caller';
import type { Database, EntityManager } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { NonRetryableError } from '#platform/queues/retry';
import { createTestUser } from '../../testing/accounts.ts';
import { reviewPolicy, useReviewFixture } from '../../testing/review-fixture.ts';
import { screenDueNames } from '../../testing/row-jobs.ts';
import { makeMove, testMoment } from '../../testing/transfers.ts';
import { changeDetails } from '../own-account/change-account.ts';
import { noteOrigin } from '../payments/declined-attempt.repository.ts';
import type { Watchman } from '../providers/watchman.ts';
import { noteSignIn } from '../sign-in/known-device.repository.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { decide } from './decide.ts';
import { openScreening } from './open-screening.ts';
import { Review } from './review.entity.ts';
import { decideScreening, listReviews, type ScreeningDecision, viewReview } from './reviews.ts';
import { openMissingScreenings, screenNames } from './screen-names.ts';

const reviews = useReviewFixture();
/** A name on a list of the simulated service. */
const listed = 'Ramiro Condarco Villegas';

const approve = (transferId: string) =>
  decide(
    reviews.transfers.database,
    { transferId, decision: 'approve', adminId: reviews.ana, reason: null, at: reviews.now },
    reviewPolicy,
  );
const say = (transferId: string, decision: ScreeningDecision, adminId = reviews.ana) =>
  decideScreening(reviews.transfers.database, { transferId, adminId, decision, at: reviews.now }, reviewPolicy);
const jobsOf = (transferId: string) => {
  const where = { kind: 'job', name: 'screen-names', data: { transferId } } as const;
  return reviews.transfers.database.fork().find(OutboxRow, where, { orderBy: { id: 'asc' } });
};
/** Changes the payee of a transfer, which no step does. */
const rename = (id: string, name: string, em: EntityManager = reviews.transfers.database.fork()) =>
  em.execute('update transfer set payout_target = payout_target || ?::jsonb, version = version + 1 where id = ?', [
    JSON.stringify({ name }),
    id,
  ]);
const about = {
  subject: 'recipient',
  source: 'us_ofac',
  source_id: '900101',
  note: 'Otra fecha de nacimiento',
} as const;

describe('the screening of names', () => {
  test('names are screened once after the authorization, and an approval waits for it', async () => {
    const id = await reviews.inReview();
    expect(await jobsOf(id)).toMatchObject([{ name: 'screen-names', jobKey: `screen-names-${id}-1`, data: { id } }]);
    expect(await reviews.view(id)).toMatchObject({ screening: { status: 'pending', attempts: 0 }, version: 1 });
    await expect(approve(id)).rejects.toMatchObject({ code: 'screening_needed', details: { screening: 'pending' } });
    reviews.watchman.calls.length = 0;
    const job = { id, dispatch: 1 };
    expect(await screenNames(reviews.context, job)).toBeUndefined();
    expect(await screenNames(reviews.context, job)).toBeUndefined();
    expect(reviews.watchman.calls).toHaveLength(2);
    expect(await reviews.view(id)).toMatchObject({ screening: { status: 'clear', attempts: 1, hits: [] }, version: 2 });
    await openMissingScreenings(reviews.context);
    expect(await jobsOf(id)).toHaveLength(1);
    expect(await approve(id)).toMatchObject({ state: 'approved' });
  });

  test('an overtaken attempt writes nothing, and a replaced job does nothing', async () => {
    const id = await reviews.inReview({ name: listed });
    const job = { id, dispatch: 1 };
    const watchman = reviews.context.watchman as Watchman;
    const overtaken: Watchman = {
      async search() {
        // Its process seemed dead, and its job was given to another one.
        if ((await reviews.view(id)).screening.status === 'pending') await screenNames(reviews.context, job);
        return [];
      },
    };
    expect(await screenNames({ ...reviews.context, watchman: overtaken }, job)).toBeUndefined();
    expect((await reviews.view(id)).screening).toMatchObject({ status: 'hit', attempts: 2 });
    const other = await reviews.inReview();
    await rename(other, 'Elena Quispe');
    await openMissingScreenings(reviews.context);
    const search = vi.fn(watchman.search);
    expect(await screenNames({ ...reviews.context, watchman: { search } }, { id: other, dispatch: 1 })).toBeUndefined();
    expect(search).not.toHaveBeenCalled();
    expect((await reviews.view(other)).screening).toMatchObject({ status: 'pending', attempts: 0 });
  });

  test('names changed during the search are not cleared by the answer about the previous ones', async () => {
    const id = await reviews.inReview();
    const watchman: Watchman = {
      async search() {
        if ((await jobsOf(id)).length === 1) {
          await rename(id, listed);
          await openMissingScreenings(reviews.context);
        }
        return [];
      },
    };
    await screenNames({ ...reviews.context, watchman }, { id, dispatch: 1 });
    expect((await reviews.view(id)).screening).toMatchObject({ status: 'pending', attempts: 0 });
    await screenNames(reviews.context, { id, dispatch: 2 });
    expect((await reviews.view(id)).screening.status).toBe('hit');
  });

  test('a screening whose every attempt crashed the process needs a person', async () => {
    const id = await reviews.inReview();
    await reviews.transfers.database
      .fork()
      .nativeUpdate(Review, { transferId: id }, { attempts: maxScreeningAttempts });
    await expect(screenNames(reviews.context, { id, dispatch: 1 })).rejects.toThrow(NonRetryableError);
    expect((await reviews.view(id)).screening.status).toBe('unavailable');
  });

  test('a hit blocks the approval until an admin clears it, which is remembered', async () => {
    const id = await reviews.inReview({ name: listed });
    await screenDueNames(reviews.context);
    const hit = { source: 'us_ofac', source_id: '900101', subject: 'recipient', verdict: null, remembered: false };
    expect((await reviews.view(id)).screening).toMatchObject({ status: 'hit', hits: [hit] });
    await expect(approve(id)).rejects.toMatchObject({ code: 'screening_needed', details: { screening: 'hit' } });
    await expect(say(id, { ...about, verdict: 'false_positive' }, reviews.transfers.userId)).rejects.toMatchObject({
      code: 'own_transfer',
    });
    const said = await say(id, { ...about, verdict: 'false_positive' });
    expect(said.screening).toMatchObject({ status: 'clear', note: about.note, noted_by: 'Ana' });
    await expect(say(id, { ...about, verdict: 'true_hit' })).rejects.toMatchObject({ code: 'screening_decided' });
    expect(await approve(id)).toMatchObject({ state: 'approved' });

    const next = await reviews.inReview({ name: 'RAMIRO condárco villegas' });
    await screenDueNames(reviews.context);
    const remembered = { verdict: 'false_positive', remembered: true };
    expect((await reviews.view(next)).screening).toMatchObject({ status: 'clear', hits: [remembered] });
  });

  test('a confirmed hit leaves only the rejection', async () => {
    const id = await reviews.inReview({ name: 'Lidia Aranibar Quiroz' });
    await screenDueNames(reviews.context);
    const hit = { ...about, source: 'eu_csl', source_id: 'EU.9001.17' };
    expect((await say(id, { ...hit, verdict: 'true_hit' })).screening.status).toBe('blocked');
    await expect(say(id, { ...hit, verdict: 'false_positive' })).rejects.toMatchObject({ code: 'screening_decided' });
    await expect(approve(id)).rejects.toMatchObject({ details: { screening: 'blocked' } });
    const input = { transferId: id, decision: 'reject', adminId: reviews.ana, reason: null, at: reviews.now } as const;
    expect(await decide(reviews.transfers.database, input, reviewPolicy)).toMatchObject({ state: 'rejected' });
  });

  test('without an answer it is retried until the attempts are used up, and then needs a person', async () => {
    const id = await reviews.inReview();
    reviews.watchman.failCalls(() => ({ kind: 'error', status: 503 }));
    const error = 'the list service answered 503';
    const failAll = async (dispatch: number) => {
      const job = { id, dispatch };
      for (let attempt = 1; attempt < maxScreeningAttempts; attempt++) {
        const again = await screenNames(reviews.context, job);
        expect(again).toEqual({ at: expect.any(Date), error });
        const at = again?.at as Date;
        expect(at > reviews.now).toBe(true);
        expect((await reviews.view(id)).screening).toMatchObject({
          attempts: attempt,
          next_attempt_at: at.toISOString(),
        });
        // Too early, it does nothing.
        expect(await screenNames(reviews.context, job)).toEqual({ at });
        reviews.now = at;
      }
      await expect(screenNames(reviews.context, job)).rejects.toThrow(new NonRetryableError(error));
    };
    await failAll(1);
    expect(await reviews.view(id)).toMatchObject({
      screening: { status: 'unavailable', next_attempt_at: null },
      reasons: expect.arrayContaining([{ code: 'screening_unavailable', severity: 'serious' }]),
    });
    await openMissingScreenings(reviews.context);
    expect(await jobsOf(id)).toHaveLength(1);
    await expect(approve(id)).rejects.toMatchObject({ details: { screening: 'unavailable' } });
    expect((await say(id, { verdict: 'again' })).screening).toMatchObject({ status: 'pending', attempts: 0 });
    expect((await jobsOf(id)).map(({ data }) => data)).toMatchObject([
      { dispatch: 1 },
      { dispatch: 2, transferId: id },
    ]);
    await expect(say(id, { verdict: 'checked', note: 'x' })).rejects.toMatchObject({ code: 'screening_decided' });
    await failAll(2);
    const checked = await say(id, { verdict: 'checked', note: 'Miré la lista de la OFAC en su página.' });
    expect(checked.screening).toMatchObject({ status: 'checked', noted_by: 'Ana' });
    expect(await approve(id)).toMatchObject({ state: 'approved' });
  });

  test('the lists are searched for the normalized form of a name', async () => {
    const id = await reviews.inReview({ name: 'Ｒａｍｉｒｏ 𝐂𝐨𝐧𝐝𝐚𝐫𝐜𝐨 Villegas' });
    await screenDueNames(reviews.context);
    expect((await reviews.view(id)).screening).toMatchObject({ status: 'hit', hits: [{ source_id: '900101' }] });
  });

  test.each([
    'Rаmiro Condarco Villegas',
    'R.a.m.i.r.o C.o.n.d.a.r.c.o V.i.l.l.e.g.a.s',
    'RamiroCondarcoVillegas',
    'Ram1ro C0ndarc0 V1llegas',
    '李小龍',
  ])('a transfer to %s can be approved only after an admin checked the name', async (name) => {
    const id = await reviews.inReview({ name });
    await screenDueNames(reviews.context);
    const review = await reviews.view(id);
    // Some of these resemble the listed name, too.
    for (const { source, source_id, subject } of review.screening.hits)
      await say(id, { source, source_id, subject, verdict: 'false_positive', note: 'Otra persona' });
    expect(await reviews.view(id)).toMatchObject({
      screening: { status: 'unclear', next_attempt_at: null },
      reasons: expect.arrayContaining([{ code: 'unclear_name', severity: 'serious', names: [name] }]),
    });
    await expect(approve(id)).rejects.toMatchObject({ code: 'screening_needed', details: { screening: 'unclear' } });
    await expect(say(id, { verdict: 'again' })).rejects.toMatchObject({ code: 'screening_decided' });
    const checked = await say(id, { verdict: 'checked', note: 'Comparé el nombre con su documento y las listas.' });
    expect(checked.screening.status).toBe('checked');
    expect(checked.reasons.map(({ code }) => code)).not.toContain('unclear_name');
    expect(await approve(id)).toMatchObject({ state: 'approved' });
  });

  test('another recipient is screened, too, and no approval relies on the previous screening', async () => {
    const id = await reviews.inReview();
    await screenDueNames(reviews.context);
    await rename(id, listed);
    await expect(approve(id)).rejects.toMatchObject({ details: { screening: 'pending' } });
    await openMissingScreenings(reviews.context);
    expect(await jobsOf(id)).toHaveLength(2);
    await screenDueNames(reviews.context);
    expect((await reviews.view(id)).screening).toMatchObject({ attempts: 1, hits: [{ name: listed }] });
  });

  test('a recipient chosen during the review is screened at once', async () => {
    const id = await reviews.inReview();
    const { database } = reviews.transfers;
    await database.transaction(async (em) => {
      await rename(id, 'Lidia Aranibar Quiroz', em);
      const transfer = await em.findOneOrFail(Transfer, { id }, { refresh: true });
      const step = { name: 'assign_recipient', move: null, to: null, actorId: null, at: reviews.now, columns: {} };
      await openScreening(em, { ...step, before: transfer, transfer });
      await openScreening(em, { ...step, before: transfer, transfer });
    });
    expect((await jobsOf(id)).map(({ data }) => data.dispatch)).toEqual([1, 2]);
    await screenDueNames(reviews.context);
    expect((await reviews.view(id)).screening.status).toBe('hit');
  });

  test('an installation without a list service shows that on every transfer, and screens nothing until it has one', async () => {
    const without = { ...reviewPolicy, screens: false };
    const context = { ...reviews.context, watchman: null };
    const [id, other] = [await reviews.inReview(), await reviews.inReview()];
    for (const transferId of [id, other]) {
      expect(await screenNames(context, { id: transferId, dispatch: 1 })).toBeUndefined();
      await openMissingScreenings(context);
      expect(await jobsOf(transferId)).toHaveLength(1);
      // A sweep has no jobs to add.
      const review = await reviews.transfers.database.fork().findOneOrFail(Review, { transferId });
      expect(review).toMatchObject({ screeningStatus: 'off', nextAttemptAt: null });
    }
    expect(await viewReview(reviews.transfers.database.fork(), id, without)).toMatchObject({
      screening: { status: 'off' },
      reasons: expect.arrayContaining([{ code: 'not_screened', severity: 'warning' }]),
    });
    const input = { transferId: id, decision: 'approve', adminId: reviews.ana, reason: null, at: reviews.now } as const;
    expect(await decide(reviews.transfers.database, input, without)).toMatchObject({ state: 'approved' });

    expect((await reviews.view(other)).screening.status).toBe('pending');
    await expect(approve(other)).rejects.toMatchObject({ details: { screening: 'pending' } });
    await openMissingScreenings(reviews.context);
    await screenDueNames(reviews.context);
    expect((await reviews.view(other)).screening.status).toBe('clear');
  });

  test('a transfer whose screening cannot be opened does not block the others', async () => {
    const [broken, other] = [await reviews.inReview(), await reviews.inReview()];
    for (const id of [broken, other]) await rename(id, `Otro nombre de ${id}`);
    const database = Object.create(reviews.context.database);
    database.transaction = (work: Parameters<Database['transaction']>[0]) =>
      reviews.context.database.transaction((em) => {
        const execute = em.execute.bind(em);
        vi.spyOn(em, 'execute').mockImplementation((async (sql: string, values: unknown[]) => {
          if (values?.includes(broken)) throw new Error('its row is broken');
          return execute(sql, values);
        }) as never);
        return work(em);
      });
    await expect(openMissingScreenings({ ...reviews.context, database })).rejects.toThrow('1 of 2');
    expect(await jobsOf(broken)).toHaveLength(1);
    expect(await jobsOf(other)).toHaveLength(2);
  });
});

describe('the context of a transfer', () => {
  const agoHours = (hours: number) => new Date(testMoment.getTime() - hours * hourMs);

  test('the reasons follow from the history of the sender, the account and the card', async () => {
    const bankAccount = '20000099999999';
    const sender = (await createTestUser(reviews.transfers.database, { name: 'Pedro Choque' })).id;
    for (const hours of [30, 5, 3, 1])
      await reviews.inReview({ bankAccount }, { userId: sender, paidAt: agoHours(hours), amountMinor: 90_000n });
    for (const _ of [1, 2]) {
      const other = (await createTestUser(reviews.transfers.database)).id;
      await reviews.inReview({ bankAccount }, { userId: other, paidAt: agoHours(100) });
    }
    const id = await reviews.inReview({ bankAccount }, { userId: sender, amountMinor: 90_000n });
    await reviews.transfers.database.fork().execute(`update transfer set card_country = 'RU' where id = ?`, [id]);
    await reviews.transfers.database
      .fork()
      .execute(`update transfer set card_last4 = '0019' where user_id = ?`, [sender]);
    const cards = reviews.transfers.database.fork();
    await cards.execute(`update transfer set card_fingerprint = 'other'`);
    await cards.execute(`update transfer set card_fingerprint = 'same' where user_id = ?`, [sender]);
    const family = await createTestUser(reviews.transfers.database);
    const paid = await reviews.inReview({}, { userId: family.id, paidAt: agoHours(150) });
    await cards.execute(`update transfer set card_fingerprint = 'same' where id = ?`, [paid]);
    await reviews.transfers.database.transaction((em) =>
      changeDetails(em, sender, { name: 'Pedro Choque', phone: '+34 600 000 000' }),
    );
    const { reasons, similar } = await reviews.view(id);
    expect(reasons.filter(({ code }) => !code.startsWith('screening'))).toEqual([
      { code: 'split_amounts', severity: 'serious', by: 'sender', count: 4, usd: '3960.00', threshold_usd: '3000.00' },
      { code: 'shared_account', severity: 'warning', senders: 3 },
      { code: 'many_transfers', severity: 'warning', count: 4, usd: '3960.00' },
      { code: 'shared_card', severity: 'warning', accounts: 1, blocked: 0 },
      { code: 'card_country', severity: 'warning', card: 'RU', profile: 'ES' },
    ]);
    await cards.execute('update app_user set blocked_at = ? where id = ?', [testMoment, family.id]);
    const shared = { code: 'shared_card', severity: 'serious', accounts: 1, blocked: 1 };
    expect((await reviews.view(id)).reasons).toContainEqual(shared);
    expect(similar).toHaveLength(5);
    expect(similar.map(({ same }) => same.join())).toContain('account,amount,card');
  });

  test('a fraud warning and an apparent duplicate are reasons', async () => {
    const { database } = reviews.transfers;
    const sender = (await createTestUser(database)).id;
    const other = (await createTestUser(database)).id;
    const bankAccount = '30000022222222';
    const minutes = (count: number) => new Date(testMoment.getTime() + count * 60_000);
    const pay = (changes: object = {}, at = testMoment, account = bankAccount) =>
      reviews.inReview({ bankAccount: account }, { userId: sender, amountMinor: 70_000n, paidAt: at, ...changes });
    const repeatedOf = async (id: string) => (await reviews.view(id)).reasons.filter(({ code }) => code === 'repeated');
    const id = await pay();
    // Another sender, another amount, another account, another currency, and more than half an hour away.
    await pay({ userId: other }, minutes(1));
    await pay({ amountMinor: 70_001n }, minutes(1));
    await pay({}, minutes(1), '30000033333333');
    await pay({ currency: 'USD' }, minutes(1));
    await pay({}, minutes(31));
    expect(await repeatedOf(id)).toEqual([]);
    const later = await pay({}, minutes(9.5));
    await pay({}, minutes(-12));
    const repeated = { code: 'repeated', severity: 'serious', count: 3, minutes: 10 };
    expect(await repeatedOf(id)).toEqual([repeated]);
    // A rejected transfer is not a duplicate.
    await makeMove(database, later, 'reject');
    expect(await repeatedOf(id)).toEqual([{ ...repeated, count: 2, minutes: 12 }]);
    await database.fork().execute(`update transfer set fraud_warning = 'misc' where id = ?`, [id]);
    expect((await reviews.view(id)).reasons[0]).toEqual({ code: 'fraud_warning', severity: 'serious' });
  });

  test('a new browser on an older account that pays to a new bank account is a reason, and a long-known browser is not', async () => {
    const { database } = reviews.transfers;
    const sender = (await createTestUser(database)).id;
    await database.fork().execute('update app_user set created_at = ? where id = ?', [agoHours(2400), sender]);
    const signIn = (secret: string, hours: number) =>
      database.transaction((em) => noteSignIn(em, { secret, userId: sender, at: agoHours(hours) }));
    for (const hours of [2000, 1]) await signIn('old', hours);
    await signIn('new', 1);
    const id = await reviews.inReview({ bankAccount: '30000011111111' }, { userId: sender, amountMinor: 90_000n });
    const codesWith = async (device: string | null) => {
      const caller = { personId: sender, role: 'user', network: null, device, written: new Set<string>() };
      await runFor(caller, () => database.transaction((em) => noteOrigin(em, id, testMoment)));
      return (await reviews.view(id)).reasons.filter(({ code }) => code === 'new_device');
    };
    expect(await codesWith('old')).toEqual([]);
    const reason = { code: 'new_device', severity: 'serious', usd: '990.00', threshold_usd: '500.00' };
    expect(await codesWith('new')).toEqual([reason]);
    // The newest browser with any activity for it.
    expect(await codesWith('old')).toEqual([reason]);
    await database.fork().execute('delete from payment_origin where transfer_id = ?', [id]);
    expect(await codesWith(null)).toEqual([reason]);
  });

  test('a sender’s unreadable phone does not hide the review', async () => {
    const { database } = reviews.transfers;
    const sender = (await createTestUser(database, { phone: '+34 600 000 000' })).id;
    const id = await reviews.inReview({}, { userId: sender });
    await database.fork().execute(`update app_user set phone_sealed = 'x.y' where id = ?`, [sender]);
    const { items } = await listReviews(database.fork(), { limit: 100 }, reviewPolicy);
    expect(items.map(({ review }) => review.id)).toContain(id);
    await database.fork().execute('update app_user set phone = null, phone_sealed = null where id = ?', [sender]);
  });

  test('a page takes the same number of statements for any number of transfers, ordered by the end of the authorization', async () => {
    const before = await reviews.inReview({}, { paidAt: agoHours(200) });
    await reviews.inReview();
    // Outside a transaction every statement takes a separate connection from the pool.
    const pool = await reviews.transfers.database.pool();
    const counted = async (limit: number) => {
      let statements = 0;
      const count = () => {
        statements += 1;
      };
      pool.on('acquire', count);
      const page = await listReviews(reviews.transfers.database.fork(), { limit }, reviewPolicy);
      pool.off('acquire', count);
      return { statements, page };
    };
    const [one, many] = [await counted(1), await counted(20)];
    expect(many.page.items.length).toBeGreaterThan(5);
    expect(one.statements).toBe(3);
    expect(many.statements).toBe(one.statements);
    expect(many.page.items[0]?.transaction.id).toBe(before);
  });
});
