import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Database } from '#platform/database/database';
import { UnreadablePersonalData } from '#platform/personal-data';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { findPlainValues } from '../../infra/testing/plain-values.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { useTransferFixture } from '../../testing/transfer-fixture.ts';
import { openTestTransfer, testTarget } from '../../testing/transfers.ts';
import { rotateEncryptionKeys } from '../../worker/retention/rotate-encryption-keys.ts';
import { searchAccounts } from '../accounts/search-accounts.ts';
import { openDatabase as openWithKeys } from '../database.ts';
import { findCheck, insertCheck, readDocumentNumber } from '../identity/identity.repository.ts';
import { changeDetails } from '../own-account/change-account.ts';
import {
  addRecipient,
  changeRecipient,
  findRecipient,
  findRecipients,
  openRecipient,
} from '../recipients/recipient.repository.ts';
import { toRecipientViews } from '../recipients/recipient-views.ts';
import { revealNumber } from '../transfers/reveal-number.ts';
import { findTransfer } from '../transfers/transfer.repository.ts';
import { findTransfers } from '../transfers/transfer-search.repository.ts';
import { readTarget } from './payout-target.ts';
import { hideNumbers, readNumbers, readPhone } from './personal-data.ts';

const fixture = useTransferFixture();
const wrapping = Buffer.from(testEnvironment.PERSONAL_DATA_KEY, 'base64');
const { ci, phone, bankAccount } = testTarget;
const numbers = { ci, phone, bankAccount };
/** Traces of the numbers as they would appear in a leak. */
const plain = [ci.slice(0, 7), phone.slice(-8), bankAccount];

/** A sender with a phone, a recipient and a transfer to them. */
async function written() {
  const { database } = fixture;
  const { id: userId } = await createTestUser(database, { phone: '+34 612 345 678' });
  const input = { ...testTarget, email: '', relationship: '' };
  const { id: recipientId } = await database.transaction((em) => addRecipient(em, { userId, input, at: new Date() }));
  const recipient = { id: recipientId, target: testTarget };
  const { id } = await database.transaction(async (em) => openTestTransfer(em, { userId, recipient }));
  return { userId, recipientId, id };
}

const passport = {
  ...({ documentType: 'passport', country: 'BO', number: 'AB 7654321' } as const),
  ...{ legalName: 'Carmen Rojas', birthDate: '1990-05-17' },
};

/** Reads all of them, as any process does. */
async function read(database: Database, { userId, recipientId, id }: Awaited<ReturnType<typeof written>>) {
  const em = database.fork();
  const target = (await findTransfer(em, id))?.payoutTarget;
  const [recipient] = await em.execute<
    { id: string; ci: string; phone: string; bankAccount: string; sealed: string }[]
  >(`select id, ci, phone, bank_account as "bankAccount", sealed from recipient where id = ?`, [recipientId]);
  const [user] = await em.execute<{ id: string; phone: string; phoneSealed: string }[]>(
    `select id, phone, phone_sealed as "phoneSealed" from app_user where id = ?`,
    [userId],
  );
  if (!target || !recipient || !user) throw new Error('something is missing');
  return {
    target: await readTarget(em, id, target),
    recipient: await readNumbers(em, `recipient:${recipientId}`, recipient),
    phone: await readPhone(em, user),
  };
}

const everything = { target: testTarget, recipient: numbers, phone: '+34 612 345 678' };

test('rows are re-encrypted while processes with older keys keep reading and writing', async () => {
  const { database } = fixture;
  const ids = await written();
  expect(await read(database, ids)).toEqual(everything);
  expect(await rotateEncryptionKeys(database)).toBe(0);
  expect(await findPlainValues({ databaseUrl: fixture.testDatabase.ownerUrl }, [...plain, '612 345 678'])).toEqual([]);

  // Another process makes a key; this one reads what it wrote, and the other one reads what this one writes with the
  // older key.
  const other = await openWithKeys(fixture.testDatabase.url, { poolMax: 2, personalDataKeys: [wrapping] });
  try {
    const check = await database.transaction((em) =>
      insertCheck(em, { userId: ids.userId, level: 'identity', details: passport, at: new Date() }),
    );
    await other.personalData.load();
    await other.personalData.addKey();
    expect(await rotateEncryptionKeys(other)).toBe(5);
    expect(await read(database, ids)).toEqual(everything);
    const again = await findCheck(database.fork(), check.id);
    expect(again?.sealed).not.toBe(check.sealed);
    expect(await readDocumentNumber(database.fork(), { id: check.id, sealed: again?.sealed })).toBe(passport.number);
    expect(await rotateEncryptionKeys(other)).toBe(0);
  } finally {
    await other.close();
  }
});

test('a new key of the configuration wraps the data keys, and the old one is no longer needed', async () => {
  const ids = await written();
  const newer = randomBytes(32);
  const both = await openWithKeys(fixture.testDatabase.ownerUrl, { poolMax: 2, personalDataKeys: [newer, wrapping] });
  const alone = await openWithKeys(fixture.testDatabase.url, { poolMax: 2, personalDataKeys: [newer] });
  const back = await openWithKeys(fixture.testDatabase.ownerUrl, { poolMax: 2, personalDataKeys: [wrapping, newer] });
  try {
    await expect(alone.personalData.load()).rejects.toThrow('encrypted with one that is not configured');
    expect(await both.personalData.rewrapKeys()).toBeGreaterThan(1);
    expect(await both.personalData.rewrapKeys()).toBe(0);
    await alone.personalData.load();
    expect(await read(alone, ids)).toEqual(everything);
    await back.personalData.rewrapKeys();
  } finally {
    for (const one of [both, alone, back]) await one.close();
  }
});

test('numbers decrypt for their row only, and the visible digits cannot be used for a payment', async () => {
  const { database } = fixture;
  const { id, userId, recipientId } = await written();
  const em = database.fork();
  const stored = (await findTransfer(em, id))?.payoutTarget;
  if (!stored) throw new Error('no target');
  expect(stored).toMatchObject({ ci: '•••90', phone: '•••67', bankAccount: '•••5678' });
  await expect(readTarget(em, crypto.randomUUID(), stored)).rejects.toThrow();
  const { sealed: _, ...ends } = stored;
  await expect(readTarget(em, id, ends)).rejects.toThrow('are not encrypted');
  const recipient = await findRecipient(em, userId, recipientId);
  expect(await openRecipient(em, recipient)).toMatchObject(numbers);
  await expect(openRecipient(em, { ...recipient, id: userId })).rejects.toThrow();
});

test('a value encrypted for one row decrypts in no other row of any table', async () => {
  const em = fixture.database.fork();
  const id = crypto.randomUUID();
  const owners = ['recipient', 'name_check', 'payout_target', 'app_user', 'identity_check'] as const;
  for (const owner of owners) {
    const hidden = hideNumbers(em, `${owner}:${id}`, numbers);
    expect(await readNumbers(em, `${owner}:${id}`, hidden)).toEqual(numbers);
    const others = owners.filter((one) => one !== owner).map((one) => `${one}:${id}` as const);
    for (const other of [...others, `${owner}:${crypto.randomUUID()}` as const])
      await expect(readNumbers(em, other, hidden)).rejects.toThrow(UnreadablePersonalData);
  }
});

test('numbers that are not encrypted are neither read nor stored', async () => {
  const ids = await written();
  const em = fixture.database.fork();
  await expect(readNumbers(em, `payout_target:${ids.id}`, numbers)).rejects.toThrow(UnreadablePersonalData);
  await expect(readPhone(em, { id: ids.userId, phone: '+34 612 345 678' })).rejects.toThrow(UnreadablePersonalData);
  for (const [table, change] of [
    ['transfer', `payout_target = '${JSON.stringify(testTarget)}' where id = '${ids.id}'`],
    ['recipient', `sealed = null where id = '${ids.recipientId}'`],
    ['name_check', `sealed = null where recipient_id = '${ids.recipientId}'`],
    ['app_user', `phone_sealed = null where id = '${ids.userId}'`],
  ] as const) {
    const plain = fixture.database.fork().execute(`update ${table} set ${change}`);
    await expect(plain, table).rejects.toThrow(`${table}_encrypted_check`);
  }
});

test('a recipient with unreadable numbers does not hide the others, and is readable once they are entered again', async () => {
  const { userId, recipientId } = await written();
  const { database } = fixture;
  const input = { ...testTarget, ci: '7654321', bankAccount: '20000', email: '', relationship: '' };
  const add = () => database.transaction((em) => addRecipient(em, { userId, input, at: new Date() }));
  const { id: other } = await add();
  await database.fork().execute(`update recipient set sealed = 'x.y' where id = ?`, [recipientId]);
  const list = async () => {
    const em = database.fork();
    const { rows } = await findRecipients(em, userId, { limit: 5 });
    return (await toRecipientViews(em, rows)).map((view) => [view.id, view.bankAccount]);
  };
  expect(await list()).toEqual([
    [other, '20000'],
    [recipientId, ''],
  ]);
  expect((await add()).id).toBe(other);
  const again = { ...testTarget, email: '', relationship: '' };
  await database.transaction((em) => changeRecipient(em, { userId, id: recipientId, input: again, at: new Date() }));
  expect(await list()).toContainEqual([recipientId, bankAccount]);
});

test('a full number is found in any format, by its sender and by admins, and a part of it is not', async () => {
  const { database } = fixture;
  const { id, userId } = await written();
  const found = async (search: string) =>
    (await findTransfers(database.fork(), userId, { search, limit: 5 })).rows.map((row) => row.id);
  for (const search of ['4567890', '4567890-LP', '1000 0012 345678', '7123 4567', '+591 71234567', '5678'])
    expect({ search, found: await found(search) }).toEqual({ search, found: [id] });
  for (const search of ['456789', '000001234', '591712']) expect(await found(search)).toEqual([]);
  const people = await searchAccounts(database.fork(), { search: '612345678', masked: true, start: null, count: 50 });
  expect(people.map((person) => person.id)).toContain(userId);
  await database.transaction((em) => changeDetails(em, userId, { name: 'Ana', phone: '+34 699 999 999' }));
  const after = await searchAccounts(database.fork(), { search: '612345678', masked: true, start: null, count: 50 });
  expect(after.map((person) => person.id)).not.toContain(userId);
});

test('revealing a number records actor and reason in the audit log, and fails without a recipient', async () => {
  const { database } = fixture;
  const { id, userId } = await written();
  const reveal = (transferId: string) =>
    database.transaction((em) => revealNumber(em, { transferId, field: 'bank_account', reason: 'authority' }));
  expect(await reveal(id)).toBe(bankAccount);
  const entries = await database
    .fork()
    .execute(`select subject, detail from audit_entry where kind = 'personal_data_revealed'`);
  expect(entries).toEqual([{ subject: id, detail: '{"field":"bank_account","reason":"authority"}' }]);
  const empty = await database.transaction(async (em) => openTestTransfer(em, { userId, recipient: null }));
  await expect(reveal(empty.id)).rejects.toMatchObject({ code: 'not_found' });
});
