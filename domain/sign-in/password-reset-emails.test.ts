import { expect, test } from 'vitest';
import { hourMs } from '#core/time/time';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestUser } from '../../testing/accounts.ts';
import { useEmailFixture } from '../../testing/email-fixture.ts';
import { purgeExpired } from '../../worker/retention/retention.ts';
import { User } from '../accounts/account.entity.ts';
import { readUndoLink } from '../accounts/account-change.repository.ts';
import { Email } from '../emails/email.entity.ts';
import { confirmEmailChange, readEmailChangeLink, requestEmailChange } from './email-change.repository.ts';
import { PasswordReset } from './password-reset.entity.ts';
import {
  createResetLink,
  issuePasswordReset,
  readResetLink,
  requestPasswordReset,
  resetPassword,
} from './password-reset.repository.ts';

const fixture = useEmailFixture();
const { smtp } = fixture;
const later = (ms: number) => new Date(Date.now() + ms);

/** The e-mail that answers a forgotten password. */
async function writePasswordReset(): Promise<{ mailId: string; resetId: string }> {
  const at = new Date();
  await fixture.database.transaction(async (em) => requestPasswordReset(em, { email: fixture.sender.email, at }));
  const { id } = await fixture.database.fork().findOneOrFail(PasswordReset, { email: fixture.sender.email });
  await fixture.database.transaction((em) => issuePasswordReset(em, id, new Date()));
  return {
    resetId: id,
    mailId: (await fixture.database.fork().findOneOrFail(Email, { kind: 'password_recovery' })).id,
  };
}
/** The text part, whose long lines are folded with "=" at their ends. */
const tokensIn = (raw: string) =>
  raw.replaceAll('=\r\n', '').match(/(?<=https:\/\/chasqui\.test\/recuperar#)[\w-]{43}/g) ?? [];

test('the link of a password reset is in the email and nowhere else; sent twice, both copies have one that opens', async () => {
  const { mailId, resetId } = await writePasswordReset();
  await fixture.send();
  await fixture.database.fork().nativeUpdate(Email, { id: mailId }, { sentAt: null, nextAttemptAt: new Date() });
  await fixture.send();
  const tokens = smtp.received.map(({ raw }) => tokensIn(raw)[0] ?? '');
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) {
    const opened = await readResetLink(fixture.database.fork(), token, new Date());
    expect(opened).toEqual({ resetId, userId: fixture.sender.id });
  }
  const kept = JSON.stringify([
    await fixture.database.fork().find(Email, {}),
    await fixture.database.fork().find(OutboxRow, {}),
    fixture.logged,
  ]);
  for (const token of tokens) expect(kept).not.toContain(token);
});

test('a password reset e-mail whose link no longer works is neither sent nor kept', async () => {
  const { mailId, resetId } = await writePasswordReset();
  await fixture.send(fixture.context(smtp.url, later(hourMs)));
  expect(smtp.received).toEqual([]);
  expect(await fixture.database.fork().count(Email, { id: mailId })).toBe(0);
  expect(await fixture.database.fork().count(PasswordReset, { id: resetId })).toBe(1);
  const week = 8 * 24 * 3_600_000;
  await purgeExpired(fixture.context(smtp.url, new Date(Date.now() + week)));
  expect(await fixture.database.fork().count(PasswordReset)).toBe(0);
});

test('a new password is confirmed by e-mail', async () => {
  await writePasswordReset();
  await fixture.send();
  const token = tokensIn(smtp.received[0]?.raw ?? '')[0] ?? '';
  await fixture.database.transaction((em) => resetPassword(em, { token, passwordHash: 'none', at: new Date() }));
  await fixture.send();
  const [undo = ''] =
    (smtp.received[1]?.raw ?? '').replaceAll('=\r\n', '').match(/(?<=https:\/\/chasqui\.test\/correo#)[\w-]{43}/) ?? [];
  expect(await readUndoLink(fixture.database.fork(), undo, new Date())).toMatchObject({ kind: 'password' });
  expect(smtp.received[1]?.raw).not.toContain(token);
});

test('an e-mail greets by name only once the address was proven by a password reset', async () => {
  const stranger = await createTestUser(fixture.database, { name: 'Gana 500 USD' });
  const at = new Date();
  const sent = async () => {
    const id = await fixture.writeTo(stranger.id);
    await fixture.send();
    return smtp.received.find(({ raw }) => raw.includes(id))?.raw ?? '';
  };
  const before = await sent();
  expect(before).toContain('Hola:');
  expect(before).not.toContain('Gana');
  await fixture.database.transaction(async (em) => requestPasswordReset(em, { email: stranger.email, at }));
  const { id } = await fixture.database.fork().findOneOrFail(PasswordReset, { email: stranger.email });
  await fixture.database.transaction((em) => issuePasswordReset(em, id, at));
  const token = (await fixture.database.transaction((em) => createResetLink(em, id, at))) ?? '';
  await fixture.database.transaction((em) => resetPassword(em, { token, passwordHash: 'none', at }));
  expect(await sent()).toContain('Hola, Gana 500 USD:');
});

test('an e-mail to an address that was not proven has no text of the person in it', async () => {
  const { database } = fixture;
  const [proven, unproven] = [fixture.sender, await createTestUser(database, { name: 'Gana 500 USD' })];
  const at = new Date();
  await database.fork().nativeUpdate(User, { id: proven.id }, { name: 'Gana 500 USD', emailVerifiedAt: at });
  for (const { id } of [proven, unproven]) {
    const { passwordHash } = await database.fork().findOneOrFail(User, { id });
    const request = { verified: { id, passwordHash }, email: `victima-${id}@example.com`, sessionId: id, at };
    await database.transaction((em) => requestEmailChange(em, request));
  }
  await fixture.send();
  const confirmations = smtp.received.map(({ raw }) => raw.replaceAll('=\r\n', ''));
  expect(confirmations).toHaveLength(2);
  for (const raw of confirmations) expect(raw).not.toContain('Gana');

  // Anyone who registered with the unproven address triggers the next e-mail to its owner.
  const own = confirmations.find((raw) => raw.includes(`To: victima-${unproven.id}`)) ?? '';
  const [token = ''] = own.match(/(?<=https:\/\/chasqui\.test\/correo#)[\w-]{43}/) ?? [];
  await database.transaction((em) => confirmEmailChange(em, { token, at }));
  smtp.received.length = 0;
  await fixture.send();
  const [changed] = smtp.received.map(({ raw }) => raw.replaceAll('=\r\n', ''));
  expect(changed).toContain(`To: ${unproven.email}`);
  for (const text of ['Gana', 'victima']) expect(changed).not.toContain(text);
});

test('the link that confirms a new address is sent to that address and stored nowhere else', async () => {
  const { id, email } = fixture.sender;
  const { passwordHash } = await fixture.database.fork().findOneOrFail(User, { id });
  const request = { verified: { id, passwordHash }, email: 'nueva@example.com', sessionId: id, at: new Date() };
  await fixture.database.transaction((em) => requestEmailChange(em, request));
  await fixture.send();
  const raw = smtp.received[0]?.raw ?? '';
  expect(raw).toContain('To: nueva@example.com');
  expect(raw).not.toContain(email);
  const [token = ''] = raw.replaceAll('=\r\n', '').match(/(?<=https:\/\/chasqui\.test\/correo#)[\w-]{43}/) ?? [];
  expect(await readEmailChangeLink(fixture.database.fork(), token, new Date())).toMatchObject({
    newEmail: 'nueva@example.com',
  });
  expect(JSON.stringify(await fixture.database.fork().find(Email, {}))).not.toContain(token);
});
