import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { formatMinor } from '#core/money/money';
import { parseRate, type Rate } from '#core/rates/rate';
import { hourMs } from '#core/time/time';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestUser } from '../../testing/accounts.ts';
import { company } from '../../testing/email-samples.ts';
import { useSmtpServer } from '../../testing/smtp-fixture.ts';
import { jobsNamed, testStep } from '../../testing/steps.ts';
import { useTransferFixture } from '../../testing/transfer-fixture.ts';
import { makeMove, openTestTransfer, testMoment, transferIn } from '../../testing/transfers.ts';
import { findMutedEmails, setMutedEmails } from '../accounts/account.repository.ts';
import { openCase } from '../desk/desk-case.repository.ts';
import { remindOfDecisions } from '../desk/remind-of-decisions.ts';
import { Email } from '../emails/email.entity.ts';
import { addEmail } from '../emails/email.repository.ts';
import { connectMailServer } from '../emails/mailer.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { insertOperation } from '../provider-calls/operation.repository.ts';
import { postRefund } from '../transfers/ledger.repository.ts';
import { changeWithinState, moveTransfer } from '../transfers/move-transfer.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';
import { sendEmail } from './send-email.ts';
import { writeStepEmail } from './step-emails.ts';

const smtp = useSmtpServer();
const fixture = useTransferFixture();

beforeEach(async () => {
  await fixture.database.fork().nativeDelete(Email, {});
  await fixture.database.fork().nativeDelete(OutboxRow, {});
});

function context(now = testMoment): JobContext {
  const mailer = connectMailServer({ smtpUrl: smtp.url, from: 'Chasqui <avisos@chasqui.test>', requiresTls: false });
  const part = {
    database: fixture.database,
    mailer,
    log: pino({ level: 'silent' }),
    publicUrl: 'https://chasqui.test',
    company,
  };
  return { ...part, now: () => now } as Partial<JobContext> as JobContext;
}

const target = {
  ...{ name: 'Rosa Mamani', ci: '4567890', phone: '+591 71234567', city: 'La Paz' },
  ...{ bankName: 'Banco Unión', bankAccount: '4010-2233-11', address: 'Calle 1' },
};
/** A transfer to an account, before its payment. */
async function open(userId = fixture.userId): Promise<string> {
  const recipient = { id: null, target } as unknown as Parameters<typeof openTestTransfer>[1]['recipient'];
  const transfer = await fixture.database.transaction(async (em) => openTestTransfer(em, { userId, recipient }));
  return transfer.id;
}
const emailsOf = async (id: string) => (await fixture.everythingOf(id)).emails;

describe('the e-mail of a step', () => {
  test('describes the step, with the account masked and without names, and links to its transfer', async () => {
    const id = await open();
    await makeMove(fixture.database, id, 'hold');
    const [email, ...more] = await emailsOf(id);
    expect(more).toEqual([]);
    const key = `transfer-${id}-2`;
    expect(email).toMatchObject({ key, kind: 'transfer_held', userId: fixture.userId, createdAt: testMoment });
    expect(email?.data).toEqual({
      transferId: id,
      at: '2026-11-20T15:00:00.000Z',
      ...{ amount: '100.00', currency: 'EUR', bolivianos: '1291.17', returned: '0.00' },
      ...{ bank: 'Banco Unión', account: '3311', reference: null, reason: null, rejectionCode: null, better: null },
      cancelRequestedAt: null,
      arrival: expect.stringMatching(/^2026-11-2\dT\d\d:00:00\.000Z$/),
    });
    const job = { id: email?.id ?? '', dispatch: 1 };
    expect(await jobsNamed(fixture.database, 'send-email')).toEqual([
      { data: { ...job, transferId: id }, jobKey: `send-email-${job.id}-1` },
    ]);
    await sendEmail(context(), job);
    expect(smtp.received[0]?.raw).toContain('https://chasqui.test/dashboard?envio=');
  });

  test('states that the recipient is missing if a payment is authorized without one', async () => {
    const { id } = await transferIn(fixture.database, 'in_review', { userId: fixture.userId });
    expect(await emailsOf(id)).toMatchObject([
      { kind: 'transfer_without_recipient', data: { bank: null, account: null } },
    ]);
  });

  test('states the gain of the better rate', async () => {
    const betterRate = parseRate('13.4567') as Rate;
    const { id } = await transferIn(fixture.database, 'approved', { userId: fixture.userId, betterRate });
    const { data } = (await emailsOf(id)).find(({ kind }) => kind === 'transfer_approved') ?? {};
    const { transfer } = await fixture.everythingOf(id);
    const gained = formatMinor(transfer.bolivianosMinor - (transfer.acceptedBolivianosMinor ?? 0n));
    expect(data?.better).toEqual({ rate: '13.4567', accepted: '13.38', gained });
    expect(gained).toMatch(/^[1-9]/);
  });

  test('keeps the proof of a payout as of the payment', async () => {
    const { id } = await transferIn(fixture.database, 'captured', { userId: fixture.userId });
    await makeMove(fixture.database, id, 'pay_out', { payoutReference: 'BNB-7' });
    const paid = (await emailsOf(id)).find(({ kind }) => kind === 'transfer_paid');
    expect(paid?.data).toMatchObject({ reference: 'BNB-7', bolivianos: '1291.17', byHand: false });
  });

  test('is not written if the move is rejected or the user turned off its kind', async () => {
    const { id: muted } = await createTestUser(fixture.database);
    await setMutedEmails(fixture.database.fork(), muted, ['transfer_held', 'transfer_approved', 'rate_alert']);
    expect(await findMutedEmails(fixture.database.fork(), muted)).toHaveLength(3);
    const id = await open(muted);
    await makeMove(fixture.database, id, 'hold');
    await makeMove(fixture.database, id, 'approve');
    expect(await makeMove(fixture.database, id, 'reject')).toBeNull();
    expect(await emailsOf(id)).toEqual([]);
    const alert = { currency: 'EUR', rate: '13.20', firedRate: '13.25' } as const;
    const email = { kind: 'rate_alert', key: `muted-${id}`, data: alert, at: testMoment } as const;
    await fixture.database.transaction((em) => addEmail(em, { ...email, userId: muted }));
    expect(await fixture.database.fork().count(Email, { userId: muted })).toBe(0);
    expect(await jobsNamed(fixture.database, 'send-email')).toEqual([]);
    // The end of a transfer is e-mailed to everyone.
    const other = await open(muted);
    await makeMove(fixture.database, other, 'hold');
    await makeMove(fixture.database, other, 'reject', {
      reason: 'Falta un documento',
      rejectionCode: 'purpose_unclear',
    });
    expect(await emailsOf(other)).toMatchObject([
      { kind: 'transfer_rejected', data: { reason: 'Falta un documento', rejectionCode: 'purpose_unclear' } },
    ]);
  });

  test('is not written for a payment that ends before an authorization', async () => {
    const id = await open();
    await makeMove(fixture.database, id, 'withdraw');
    expect(await emailsOf(id)).toEqual([]);
    const held = await open();
    await makeMove(fixture.database, held, 'hold');
    await makeMove(fixture.database, held, 'withdraw');
    expect((await emailsOf(held)).map(({ kind }) => kind)).toContain('transfer_cancelled');
  });

  test('is rolled back with its transaction, and its job too', async () => {
    const id = await open();
    const undone = fixture.database.transaction(async (em) => {
      await moveTransfer(em, id, 'hold', { at: testMoment, changes: { paidAt: testMoment } });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect([await emailsOf(id), await jobsNamed(fixture.database, 'send-email')]).toEqual([[], []]);
  });

  test('states the refunded amount, and how much of it by bank transfer, for refunds within a state', async () => {
    const { id } = await transferIn(fixture.database, 'captured', { userId: fixture.userId });
    const before = (await emailsOf(id)).length;
    await fixture.database.transaction(async (em) => {
      const locked = (await lockTransfer(em, id)) as Transfer;
      const refunds = [
        { amountMinor: 1_000n, provider: 'manual', providerReference: 'TRF-1' },
        { amountMinor: 250n, provider: 'manual', providerReference: 'TRF-2' },
        { amountMinor: 300n, provider: 'stripe', providerReference: 're_1' },
      ] as const;
      for (const refund of refunds) {
        const ended = await insertOperation(em, locked, 'refund', { at: testMoment, status: 'succeeded', ...refund });
        await postRefund(em, locked, ended, testMoment);
      }
      const step = { name: 'count_refunds', owner: 'payments', at: testMoment, email: 'transfer_refunded' } as const;
      await changeWithinState(em, locked, { returnedMinor: 1_550n }, step);
    });
    const [refunded, ...more] = (await emailsOf(id)).slice(before);
    expect(more).toEqual([]);
    expect(refunded).toMatchObject({
      kind: 'transfer_refunded',
      data: { returned: '15.50', byBank: '12.50', refundReference: 'TRF-2' },
    });
  });

  test('states that the card may have been charged while such a case is open', async () => {
    const id = await open();
    await makeMove(fixture.database, id, 'hold');
    const details = 'captured in the dashboard';
    await fixture.database.transaction((em) =>
      openCase(em, { transferId: id, reason: 'captured_in_part', details, at: testMoment }),
    );
    const locked = await fixture.database.fork().findOneOrFail(Transfer, { id });
    const step = testStep(locked, 'reject', { email: 'transfer_rejected' });
    await fixture.database.transaction((em) => writeStepEmail(em, step));
    const rejected = (await emailsOf(id)).find(({ kind }) => kind === 'transfer_rejected');
    expect(rejected?.data).toMatchObject({ mayBeCharged: true });
  });
});

describe('notifications of admins about waiting transfers', () => {
  const hours = (count: number) => new Date(testMoment.getTime() + count * hourMs);
  const written = (kind: string) => fixture.database.fork().find(Email, { kind }, { orderBy: { createdAt: 'asc' } });

  test('new ones cause one e-mail per admin, and the next one a quarter of an hour later', async () => {
    await fixture.database.fork().nativeUpdate(Transfer, { state: 'in_review' }, { paidAt: hours(-100) });
    const admin = await createTestUser(fixture.database, { role: 'admin' });
    const pay = async (at: Date) => makeMove(fixture.database, await open(), 'hold', { paidAt: at });
    await pay(testMoment);
    await pay(testMoment);
    const mine = async () => (await written('transfers_waiting')).filter(({ userId }) => userId === admin.id);
    await Promise.all([remindOfDecisions(context()), remindOfDecisions(context())]);
    const [first] = await mine();
    const waiting = await fixture.database.fork().count(Transfer, { state: 'in_review' });
    expect(await mine()).toHaveLength(1);
    expect(first?.data).toMatchObject({ waiting });
    await pay(hours(0.1));
    await remindOfDecisions(context(hours(0.2)));
    expect(await mine()).toHaveLength(1);
    await remindOfDecisions(context(hours(0.25)));
    expect((await mine())[1]?.data).toMatchObject({ arrived: 1, waiting: waiting + 1 });
    await remindOfDecisions(context(hours(9)));
    expect(await mine()).toHaveLength(2);
  });

  test('the end of an authorization is announced once 48 and once 24 hours before, unless it was decided', async () => {
    const admin = await createTestUser(fixture.database, { role: 'admin' });
    const id = await open();
    await makeMove(fixture.database, id, 'hold', { captureBefore: hours(168) });
    const emailsAfter = async () => {
      const emails = await written('hold_ending');
      return emails
        .filter(({ userId, data }) => userId === admin.id && data.transferId === id)
        .map(({ data }) => data.hours);
    };
    for (const [at, expected] of [
      [119, []],
      [120, [48]],
      [121, [48]],
      [143, [48]],
      [144.5, [48, 24]],
      [150, [48, 24]],
    ] as const) {
      await remindOfDecisions(context(hours(at)));
      expect(await emailsAfter(), `after ${at} hours`).toEqual(expected);
    }
    const decided = await open();
    await makeMove(fixture.database, decided, 'hold', { captureBefore: hours(168) });
    await makeMove(fixture.database, decided, 'approve');
    await remindOfDecisions(context(hours(160)));
    expect((await written('hold_ending')).filter(({ data }) => data.transferId === decided)).toEqual([]);
  });
});
