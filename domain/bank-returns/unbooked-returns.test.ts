import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { useDeskFixture } from '../../testing/desk-fixture.ts';
import { Email } from '../emails/email.entity.ts';
import { BankReturn } from '../payouts/bank-return.entity.ts';
import { BookException } from '../reconciliation/book-exception.entity.ts';
import { explainException } from '../reconciliation/decide.ts';
import { compareBooks } from '../reconciliation/reconcile.ts';
import { sweepBankReturns } from './sweep-bank-returns.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;

const returnsOf = (externalId: string) => fixture.database.fork().find(BankReturn, { externalId });

async function createCompleted(): Promise<string> {
  const id = await fixture.create({ state: 'captured' });
  await fixture.run(id, 'payout');
  return id;
}

/** A return as the bank lists it. */
const returned = (externalId: string, amount = '10.00') => ({
  ...{ id: `bret_${randomUUID()}`, externalId, reference: 'BO1', amount, currency: 'BOB', code: 'FEE', message: 'No.' },
  createdAt: new Date().toISOString(),
});

/** Sweeps the given list of returns; `before` is the expected cursor. Returns the last id. */
async function sweepOf(data: readonly unknown[], before?: string): Promise<string> {
  const returns = async (after: string | null) => {
    if (before !== undefined) expect(after).toBe(before);
    return { data: [...data], hasMore: false };
  };
  await sweepBankReturns({ ...fixture.context, bank: { ...fixture.context.bank, returns } });
  return String((data.at(-1) as { id?: string } | null)?.id);
}

/** Admins who receive e-mails. */
const admins = 2;

const raised = (returnId: string) =>
  fixture.database.fork().find(BookException, { key: { $like: `return_unknown: return ${returnId}:%` } });
const writtenAbout = (returnId: string) =>
  fixture.database.fork().count(Email, { key: { $like: `book_exceptions-return-${returnId}-%` } });

describe('a return of the bank', () => {
  it('is shown until it is explained, and e-mailed once, however often the books are compared', async () => {
    const returnId = `bret_${randomUUID()}`;
    await sweepOf([{ ...returned('foreign-1'), id: returnId }]);
    await sweepOf([{ ...returned('foreign-1'), id: returnId }]);
    await compareBooks(fixture.context);
    const [one] = await raised(returnId);
    expect(one).toMatchObject({ status: 'open' });
    expect(await writtenAbout(returnId)).toBe(admins);
    const note = { note: 'Era de otro cliente del banco', adminId: desk.ana, at: fixture.now };
    await explainException(fixture.database, { exceptionId: one?.id ?? '', ...note });
    await compareBooks(fixture.context);
    expect(await raised(returnId)).toMatchObject([{ status: 'explained' }]);
  });

  it.each([
    ['is of nothing', { amount: '0.00' }, 'nothing was returned', null],
    ['has an amount that cannot be read', { amount: '-5' }, 'amount', null],
    ['is not in our currency', { currency: 'USD' }, 'currency', 1_000n],
    ['has no moment', { createdAt: 'ayer' }, 'createdAt', 1_000n],
  ])('that %s is stored with the reason, and does not block the others', async (_, wrong, problem, amountMinor) => {
    const id = await createCompleted();
    const returnId = `bret_${randomUUID()}`;
    const good = { ...returned(id, '100.00'), id: `${returnId}-2` };
    await sweepOf([{ ...returned('foreign-2'), id: returnId, ...wrong }, good]);
    const [kept] = await fixture.database.fork().find(BankReturn, { id: returnId });
    expect(kept).toMatchObject({ operationId: null, amountMinor, externalId: 'foreign-2' });
    expect(kept?.problem).toContain(problem);
    expect(await raised(returnId)).toMatchObject([{ cause: 'return_unknown', actualMinor: amountMinor }]);
    expect(await writtenAbout(returnId)).toBe(admins);
    expect(await fixture.operations(id, 'payout')).toMatchObject([{ returnedMinor: 10_000n }]);
  });

  it('without an id is stored once, and the next page follows the last one with an id', async () => {
    const id = await createCompleted();
    const before = await sweepOf([{ ...returned(id, '1.00'), id: `bret_${randomUUID()}` }]);
    const noise = { note: randomUUID() };
    await sweepOf([noise, null, 'x'], before);
    await sweepOf([noise, null, 'x'], before);
    const kept = await fixture.database.fork().find(BankReturn, { problem: { $ne: null }, externalId: null });
    expect(kept.filter(({ takenAt }) => takenAt.getTime() === fixture.now.getTime())).toHaveLength(3);
    for (const { id: own } of kept) expect(await writtenAbout(own)).toBe(admins);
  });

  it('that the books reject is stored with the reason, and does not block the others', async () => {
    const [broken, sound] = [await createCompleted(), await createCompleted()];
    await fixture.asOwner(`alter table ledger_posting disable trigger all;
      update ledger_posting set amount_minor = amount_minor + 1 where transfer_id = '${broken}' and entry = 'payout';
      alter table ledger_posting enable trigger all`);
    const returnId = `bret_${randomUUID()}`;
    await sweepOf([
      { ...returned(broken, '100.00'), id: returnId },
      { ...returned(sound, '100.00'), id: `${returnId}-2` },
    ]);
    expect(await returnsOf(broken)).toMatchObject([{ operationId: null, amountMinor: 10_000n }]);
    expect(await raised(returnId)).toHaveLength(1);
    expect(await fixture.operations(sound, 'payout')).toMatchObject([{ returnedMinor: 10_000n }]);
  });

  it('is requested again when our own database fails', async () => {
    const id = await createCompleted();
    const transaction = vi.fn().mockRejectedValue(new Error('connection lost'));
    const failing = Object.assign(Object.create(fixture.context.database), { transaction });
    const bank = { ...fixture.context.bank, returns: async () => ({ data: [returned(id)], hasMore: false }) };
    await expect(sweepBankReturns({ ...fixture.context, bank, database: failing })).rejects.toThrow('connection lost');
    expect(await returnsOf(id)).toEqual([]);
  });
});
