import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { hourMs, minuteMs } from '#core/time/time';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { findMutedEmails, setMutedEmails } from '../accounts/account.repository.ts';
import type { JobContext } from '../job-context.ts';
import { remindOfDecisions } from '../operations/remind-of-decisions.ts';
import { createTestUser } from '../testing/accounts.ts';
import { useSmtpServer } from '../testing/smtp-fixture.ts';
import { useTransferFixture } from '../testing/transfer-fixture.ts';
import { makeMove, openTestTransfer, testMoment, transferIn } from '../testing/transfers.ts';
import { changeWithinState, moveTransfer } from '../transfers/move-transfer.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';
import { Email } from './email.entity.ts';
import { addEmail, hasDueEmails } from './email.repository.ts';
import { connectMailServer } from './mailer.ts';
import { sendDueEmails, sendEmail } from './send-email.ts';
import { sweepEmails } from './sweep-emails.ts';

const smtp = useSmtpServer();
const fixture = useTransferFixture();
let logged: string[];

beforeEach(async () => {
  logged = [];
  await fixture.database.fork().nativeDelete(Email, {});
  await fixture.database.fork().nativeDelete(OutboxRow, {});
});

function context(now = testMoment, smtpUrl: string | undefined = smtp.url): JobContext {
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
  const mailer = connectMailServer({ smtpUrl, from: 'Chasqui <avisos@chasqui.test>' });
  const part = { database: fixture.database, mailer, log, publicUrl: 'https://chasqui.test', sweepEveryMs: 30_000 };
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
  test('holds what the step was, with the account masked and nobody named', async () => {
    const id = await open();
    await makeMove(fixture.database, id, 'hold');
    const [email, ...more] = await emailsOf(id);
    expect(more).toEqual([]);
    expect(email).toMatchObject({ kind: 'transfer_held', userId: fixture.userId, createdAt: testMoment });
    expect(email?.data).toEqual({
      transferId: id,
      at: '2026-11-20T15:00:00.000Z',
      ...{ amount: '100.00', currency: 'EUR', bolivianos: '1291.17', returned: '0.00' },
      ...{ bank: 'Banco Unión', account: '3311', reference: null, reason: null },
      arrival: expect.stringMatching(/^2026-11-2\dT\d\d:00:00\.000Z$/),
    });
  });

  test('keeps the proof of a payout as it was paid', async () => {
    const { id } = await transferIn(fixture.database, 'captured', { userId: fixture.userId });
    await makeMove(fixture.database, id, 'pay_out', { payoutReference: 'BNB-7' });
    const paid = (await emailsOf(id)).find(({ kind }) => kind === 'transfer_paid');
    expect(paid?.data).toMatchObject({ reference: 'BNB-7', bolivianos: '1291.17' });
  });

  test('is not written where the move is refused, nor to a person who does not want its kind', async () => {
    const { id: muted } = await createTestUser(fixture.database);
    await setMutedEmails(fixture.database.fork(), muted, ['transfer_held', 'transfer_approved', 'rate_alert']);
    expect(await findMutedEmails(fixture.database.fork(), muted)).toHaveLength(3);
    const id = await open(muted);
    await makeMove(fixture.database, id, 'hold');
    await makeMove(fixture.database, id, 'approve');
    expect(await makeMove(fixture.database, id, 'reject')).toBeNull();
    expect(await emailsOf(id)).toEqual([]);
    const alert = { currency: 'EUR', rate: '13.20', firedRate: '13.25' } as const;
    const asked = { kind: 'rate_alert', key: `muted-${id}`, data: alert, at: testMoment } as const;
    await fixture.database.transaction((em) => addEmail(em, { ...asked, userId: muted }));
    expect(await fixture.database.fork().count(Email, { userId: muted })).toBe(0);
    // What ends it is written all the same.
    const other = await open(muted);
    await makeMove(fixture.database, other, 'hold');
    await makeMove(fixture.database, other, 'reject', { reason: 'Falta un documento' });
    expect(await emailsOf(other)).toMatchObject([
      { kind: 'transfer_rejected', data: { reason: 'Falta un documento' } },
    ]);
  });

  test('disappears with a transaction that is undone', async () => {
    const id = await open();
    const undone = fixture.database.transaction(async (em) => {
      await moveTransfer(em, id, 'hold', { at: testMoment, changes: { paidAt: testMoment } });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await emailsOf(id)).toEqual([]);
  });

  test('says how much went back where a step within the state counts refunds', async () => {
    const { id } = await transferIn(fixture.database, 'in_review', { userId: fixture.userId });
    const before = (await emailsOf(id)).length;
    await fixture.database.transaction(async (em) => {
      const locked = (await lockTransfer(em, id)) as Transfer;
      const step = { name: 'count_refunds', owner: 'payments', at: testMoment, email: 'transfer_refunded' } as const;
      await changeWithinState(em, locked, { reason: 'x' }, step);
    });
    const emails = await emailsOf(id);
    expect(emails.slice(before).map(({ kind }) => kind)).toEqual(['transfer_refunded']);
  });
});

describe('sending the e-mails of steps', () => {
  const hold = async () => {
    const id = await open();
    await makeMove(fixture.database, id, 'hold');
    return ((await emailsOf(id))[0] as Email).id;
  };

  test('sends all that are due, each once, although several workers send at the same time', async () => {
    const ids = await Promise.all([hold(), hold(), hold()]);
    expect(await hasDueEmails(fixture.database.fork(), testMoment)).toBe(true);
    await Promise.all([sendDueEmails(context()), sendDueEmails(context())]);
    const sent = smtp.received.map(({ raw }) => /^Message-ID: <([^@]+)@/m.exec(raw)?.[1]);
    expect(sent.sort()).toEqual(ids.sort());
    expect(smtp.received[0]?.raw).toContain('https://chasqui.test/dashboard?envio=');
    expect(await hasDueEmails(fixture.database.fork(), testMoment)).toBe(false);
    await sendDueEmails(context());
    expect(smtp.received).toHaveLength(3);
  });

  test('leaves what the mail server did not take to the sweep, and logs no address', async () => {
    const id = await hold();
    smtp.refusals = [451];
    await sendDueEmails(context());
    expect(logged.join()).toContain(id);
    expect(logged.join()).not.toMatch(/@|Mamani/);
    await sendDueEmails(context());
    expect(smtp.received).toEqual([]);
    const later = new Date(testMoment.getTime() + 5 * minuteMs);
    await sweepEmails(context(later));
    expect(await fixture.database.fork().count(OutboxRow, { name: 'send-mail', data: { mailId: id } })).toBe(1);
    await sendEmail(context(later), id);
    expect(smtp.received).toHaveLength(1);
  });
});

describe('what admins hear of transfers that wait', () => {
  const hours = (count: number) => new Date(testMoment.getTime() + count * hourMs);
  const written = (kind: string) => fixture.database.fork().find(Email, { kind }, { orderBy: { createdAt: 'asc' } });

  test('new ones are one e-mail for each admin, and the next one comes a quarter of an hour later', async () => {
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

  test('an authorization that ends is announced 48 and 24 hours before, each once, and not when it was decided', async () => {
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
