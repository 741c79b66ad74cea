import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUndoLink } from '#domain/accounts/account-change.repository';
import { Email } from '#domain/emails/email.entity';
import type { EmailKind } from '#domain/emails/email-kinds';
import { createEmailChangeLink } from '#domain/sign-in/email-change.repository';
import { PasswordReset } from '#domain/sign-in/password-reset.entity';
import { createResetLink, issuePasswordReset } from '#domain/sign-in/password-reset.repository';
import { type ApiConfiguration, readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { TestApi, testPassword, unlimited } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';
import { VirtualAuthenticator } from '../testing/virtual-authenticator.ts';

// Every cell of the table "Who ends up with an account" in docs/security.md, through HTTP.

let api: TestApi;
let env: ApiConfiguration;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: url });
  api = await TestApi.start(env, { rateLimitPoints: unlimited });
});
afterAll(() => api?.close());

const ownersPassword = 'la-clave-nueva-de-Carmen';
const thiefsPassword = 'la-clave-del-ladron';

const post = (browser: TestBrowser, path: string, body: unknown = {}) => browser.send('POST', path, body);
const login = (browser: TestBrowser, email: string, password: string) =>
  post(browser, '/api/auth/login', { email, password });
const useLink = (token: string) => post(api.visitor(), '/api/auth/email-link/use', { token });
const me = async (browser: TestBrowser) => (await browser.send('GET', '/api/auth/me')).status;

async function addPasskey(browser: TestBrowser, password: string): Promise<VirtualAuthenticator> {
  const key = new VirtualAuthenticator(env.publicUrl);
  const options = await post(browser, '/api/account/passkeys/options', { password });
  expect(options.status).toBe(200);
  const added = await post(browser, '/api/account/passkeys', { name: 'Llave', passkey: key.create(options.body) });
  expect(added.status).toBe(200);
  return key;
}

async function passkeyEnters(key: VirtualAuthenticator): Promise<boolean> {
  const browser = api.visitor();
  const { body: options } = await post(browser, '/api/auth/passkey/options');
  return (await post(browser, '/api/auth/passkey', { passkey: key.prove(options) })).status === 200;
}

/** Everything a person can sign in with. */
interface Holder {
  readonly sessions: readonly TestBrowser[];
  readonly email: string;
  readonly passwords: readonly string[];
  readonly keys: readonly VirtualAuthenticator[];
}

/** Whether any credential opens a new session. */
async function enters({ email, passwords, keys }: Holder): Promise<boolean> {
  for (const key of keys) if (await passkeyEnters(key)) return true;
  for (const password of passwords) if ((await login(api.visitor(), email, password)).status === 200) return true;
  return false;
}

/** An account with its owner and a thief. */
class Case {
  thief: Holder = { sessions: [], email: '', passwords: [], keys: [] };
  owner: Holder;
  private constructor(
    readonly browser: TestBrowser,
    readonly userId: string,
    readonly address: string,
  ) {
    this.owner = { sessions: [browser], email: address, passwords: [testPassword], keys: [] };
  }

  static async open(): Promise<Case> {
    const { browser, user } = await api.person();
    return new Case(browser, user.id, user.email);
  }

  /** As if everything so far had happened days ago. */
  async age(days: number): Promise<void> {
    const em = api.database.fork();
    for (const sql of [
      'update account_change set at = at - ?::interval, undo_until = undo_until - ?::interval where user_id = ?',
      'update webauthn_credential set created_at = created_at - ?::interval, last_used_at = last_used_at - ?::interval where user_id = ?',
    ])
      await em.execute(sql, [`${days} days`, `${days} days`, this.userId]);
  }

  /** Makes the last proof in the open sessions older than the step-up window. */
  async forgetProofs(): Promise<void> {
    await api.database
      .fork()
      .execute("update session set created_at = created_at - interval '1 hour', password_at = null where user_id = ?", [
        this.userId,
      ]);
  }

  async newest(kind: EmailKind): Promise<Email> {
    const where = { userId: this.userId, kind };
    const [email] = await api.database.fork().find(Email, where, { orderBy: { createdAt: 'desc' }, limit: 1 });
    return email as Email;
  }

  /** The undo link of the newest e-mail of a kind, which its own address reads; null: it carries none any more. */
  async undoLink(kind: EmailKind, readBy = this.address): Promise<string | null> {
    const { data, toAddress } = await this.newest(kind);
    expect(toAddress).toBe(readBy);
    return api.database.transaction((em) => createUndoLink(em, String(data.changeId), new Date()));
  }

  async confirmLink(): Promise<string> {
    const changeId = String((await this.newest('email_change')).data.changeId);
    return (await api.database.transaction((em) => createEmailChangeLink(em, { changeId, at: new Date() }))) ?? '';
  }

  async changeEmail(browser: TestBrowser, password: string, email: string): Promise<void> {
    expect((await post(browser, '/api/account/email', { email, password })).status).toBe(204);
    expect((await useLink(await this.confirmLink())).status).toBe(204);
  }

  /** The link that a mailbox gets for a forgotten password; null: the address has no account. */
  async resetLink(email: string): Promise<string | null> {
    expect((await post(api.visitor(), '/api/auth/recover', { email })).status).toBe(204);
    const { id } = await api.database.fork().findOneOrFail(PasswordReset, { email });
    await api.database.transaction((em) => issuePasswordReset(em, id, new Date()));
    return api.database.transaction((em) => createResetLink(em, id, new Date()));
  }

  async reset(email: string, password: string, undoFactors = false): Promise<number> {
    const token = await this.resetLink(email);
    return (await post(api.visitor(), '/api/auth/reset', { token, password, undoFactors })).status;
  }

  async ownerResets({ email = this.address, undoFactors = false } = {}): Promise<void> {
    expect(await this.reset(email, ownersPassword, undoFactors)).toBe(204);
    this.owner = { ...this.owner, email, passwords: [ownersPassword] };
  }

  async ownerChanges(): Promise<void> {
    const body = { current: testPassword, password: ownersPassword };
    expect((await this.browser.send('PUT', '/api/account/password', body)).status).toBe(204);
    this.owner = { ...this.owner, passwords: [ownersPassword] };
  }

  /** Undoes a change and sets a new password, as the page then asks. */
  async ownerUndoes(kind: EmailKind): Promise<void> {
    expect((await useLink((await this.undoLink(kind)) ?? '')).status).toBe(204);
    await this.ownerResets();
  }
}

type Outcome = { thief: 'out' | 'reads' | 'in'; owner: 'in' | 'out' };

/** Knows the password: signs in, has an e-mail change pending, a passkey of their own where `plants`. */
async function passwordThief(plants: boolean): Promise<Case> {
  const one = await Case.open();
  const browser = api.visitor();
  expect((await login(browser, one.address, testPassword)).status).toBe(200);
  const evil = `evil-${one.userId}@example.com`;
  const keys = plants ? [await addPasskey(browser, testPassword)] : [];
  expect((await post(browser, '/api/account/email', { email: evil, password: testPassword })).status).toBe(204);
  one.thief = { sessions: [browser], email: evil, passwords: [testPassword], keys };
  return one;
}

/** Has the cookie of an open session, or the signed-in and remembered browser itself. */
async function sessionThief(): Promise<Case> {
  const one = await Case.open();
  const browser = api.visitor();
  await login(browser, one.address, testPassword);
  await one.forgetProofs();
  one.thief = { sessions: [browser], email: one.address, passwords: [thiefsPassword], keys: [] };
  // All that changes the account or takes its data along wants a proof that a session alone is not.
  const data = await browser.send('GET', '/api/account/data');
  expectFailure(data, 403, 'second_factor_stale');
  expect(data.body).toMatchObject({ app: false, passkey: false });
  expectFailure(await browser.send('GET', '/api/account/transfers'), 403, 'second_factor_stale');
  const password = thiefsPassword;
  for (const [method, path, body] of [
    ['POST', '/api/account/email', { email: 'evil@example.com', password }],
    ['PUT', '/api/account/password', { current: password, password: thiefsPassword }],
    ['POST', '/api/account/close', { password }],
    ['POST', '/api/account/passkeys/options', { password }],
    ['POST', '/api/account/second-factor/start', { password }],
  ] as const)
    expectFailure(await browser.send(method, path, body), 422, 'wrong_password');
  return one;
}

/** Reads the mailbox that the owner left, and requested a reset before. */
async function mailboxThief(hasFactor: boolean): Promise<{ one: Case; newAddress: string; resetToken: string }> {
  const one = await Case.open();
  if (hasFactor) {
    one.owner = { ...one.owner, keys: [await addPasskey(one.browser, testPassword)] };
    await one.age(8);
  }
  const resetToken = (await one.resetLink(one.address)) ?? '';
  const newAddress = `nueva-${one.userId}@example.com`;
  await one.changeEmail(one.browser, testPassword, newAddress);
  one.owner = { ...one.owner, email: newAddress };
  one.thief = { sessions: [], email: one.address, passwords: [], keys: [] };
  return { one, newAddress, resetToken };
}

/** Attacks by a reader of the old mailbox: the earlier link, then the undo link, then another new password. */
async function attackFromMailbox({ one, resetToken }: { one: Case; resetToken: string }): Promise<Case> {
  const password = thiefsPassword;
  expectFailure(
    await post(api.visitor(), '/api/auth/reset', { token: resetToken, password }),
    410,
    'recovery_link_replaced',
  );
  const undo = await one.undoLink('email_changed');
  if (undo) {
    expect((await useLink(undo)).status).toBe(204);
    expect(await one.reset(one.address, password)).toBe(204);
  }
  one.thief = { ...one.thief, passwords: [password] };
  return one;
}

const rows: Record<string, [Outcome, () => Promise<Case>]> = {
  'the password, owner resets': [
    { thief: 'out', owner: 'in' },
    async () => {
      const one = await passwordThief(true);
      const confirm = await one.confirmLink();
      expect(
        (await post(api.visitor(), '/api/auth/recovery-link', { token: await one.resetLink(one.address) })).body,
      ).toEqual({ email: one.address, factorsChanged: true });
      await one.ownerResets({ undoFactors: true });
      expectFailure(await useLink(confirm), 410, 'email_link_dead');
      return one;
    },
  ],
  'the password, owner resets and says that a planted passkey is theirs': [
    { thief: 'in', owner: 'out' },
    async () => {
      const one = await passwordThief(true);
      await one.ownerResets();
      return one;
    },
  ],
  'the password, owner changes it': [
    { thief: 'out', owner: 'in' },
    async () => {
      const one = await passwordThief(false);
      const confirm = await one.confirmLink();
      const reset = await one.resetLink(one.address);
      await one.ownerChanges();
      expectFailure(await useLink(confirm), 410, 'email_link_dead');
      expectFailure(
        await post(api.visitor(), '/api/auth/recovery-link', { token: reset }),
        410,
        'recovery_link_replaced',
      );
      return one;
    },
  ],
  'the password, owner undoes a planted passkey': [
    { thief: 'out', owner: 'in' },
    async () => {
      const one = await passwordThief(true);
      const confirm = await one.confirmLink();
      await one.ownerUndoes('second_factor_changed');
      expectFailure(await useLink(confirm), 410, 'email_link_dead');
      return one;
    },
  ],
  'the password, owner undoes a new address days after a planted passkey': [
    { thief: 'out', owner: 'in' },
    async () => {
      const one = await passwordThief(true);
      await one.age(6);
      expect((await useLink(await one.confirmLink())).status).toBe(204);
      await addPasskey(one.thief.sessions[0] as TestBrowser, testPassword);
      const later = await one.undoLink('second_factor_changed', one.thief.email);
      const resetToken = await one.resetLink(one.thief.email);
      await one.ownerUndoes('email_changed');
      expectFailure(await useLink(later ?? ''), 410, 'email_link_dead');
      expectFailure(
        await post(api.visitor(), '/api/auth/reset', { token: resetToken, password: thiefsPassword }),
        410,
        'recovery_link_replaced',
      );
      return one;
    },
  ],
  'the password in a proven session, owner undoes that their passkey was exchanged': [
    { thief: 'out', owner: 'in' },
    async () => {
      const one = await Case.open();
      const key = await addPasskey(one.browser, testPassword);
      await one.age(8);
      const [{ id } = { id: '' }] = (await one.browser.send('GET', '/api/account/second-factor')).body.passkeys;
      expect((await post(one.browser, `/api/account/passkeys/${id}/remove`, { password: testPassword })).status).toBe(
        204,
      );
      const planted = await addPasskey(one.browser, testPassword);
      one.owner = { ...one.owner, keys: [key] };
      one.thief = { sessions: [one.browser], email: one.address, passwords: [testPassword], keys: [planted] };
      expect(await passkeyEnters(key)).toBe(false);
      await one.ownerUndoes('second_factor_changed');
      expectFailure(await login(api.visitor(), one.address, ownersPassword), 401, 'second_factor_required');
      return one;
    },
  ],
  'the password, owner does nothing for a week': [
    { thief: 'in', owner: 'out' },
    async () => {
      const one = await passwordThief(true);
      expect((await useLink(await one.confirmLink())).status).toBe(204);
      const undo = await one.undoLink('email_changed');
      await one.age(7);
      expectFailure(await useLink(undo ?? ''), 410, 'email_link_dead');
      return one;
    },
  ],
  'a session, owner resets': [
    { thief: 'out', owner: 'in' },
    async () => {
      const one = await sessionThief();
      await one.ownerResets();
      return one;
    },
  ],
  'a session, owner changes the password': [
    { thief: 'out', owner: 'in' },
    async () => {
      const one = await sessionThief();
      await one.ownerChanges();
      return one;
    },
  ],
  'a session, owner undoes something': [
    { thief: 'out', owner: 'in' },
    async () => {
      const one = await sessionThief();
      await one.ownerUndoes('new_device');
      return one;
    },
  ],
  'a session, owner does nothing': [{ thief: 'reads', owner: 'in' }, sessionThief],
  'the old mailbox, owner resets': [
    { thief: 'in', owner: 'out' },
    async () => {
      const { one, newAddress, resetToken } = await mailboxThief(false);
      await one.ownerResets({ email: newAddress });
      return attackFromMailbox({ one, resetToken });
    },
  ],
  'the old mailbox, owner has a second factor and resets': [
    { thief: 'out', owner: 'in' },
    async () => {
      const { one, newAddress, resetToken } = await mailboxThief(true);
      await one.ownerResets({ email: newAddress });
      return attackFromMailbox({ one, resetToken });
    },
  ],
  'the old mailbox, owner changes the password': [
    { thief: 'in', owner: 'out' },
    async () => {
      const { one, resetToken } = await mailboxThief(false);
      await one.ownerChanges();
      return attackFromMailbox({ one, resetToken });
    },
  ],
  'the old mailbox, owner undoes a notice to the new address': [
    { thief: 'in', owner: 'out' },
    async () => {
      const { one, newAddress, resetToken } = await mailboxThief(false);
      await login(api.visitor(), newAddress, testPassword);
      const undo = (await one.undoLink('new_device', newAddress)) ?? '';
      expect((await useLink(undo)).status).toBe(204);
      await one.ownerResets({ email: newAddress });
      return attackFromMailbox({ one, resetToken });
    },
  ],
  'the old mailbox, owner does nothing': [
    { thief: 'in', owner: 'out' },
    async () => attackFromMailbox(await mailboxThief(false)),
  ],
  'the old mailbox, owner has a second factor and does nothing': [
    { thief: 'out', owner: 'in' },
    async () => attackFromMailbox(await mailboxThief(true)),
  ],
  'the old mailbox a week later, owner does nothing': [
    { thief: 'out', owner: 'in' },
    async () => {
      const started = await mailboxThief(false);
      await started.one.age(7);
      return attackFromMailbox(started);
    },
  ],
  'a device, owner resets': [
    { thief: 'out', owner: 'in' },
    async () => {
      const one = await sessionThief();
      await one.ownerResets();
      await expectUnknown(one);
      return one;
    },
  ],
  'a device, owner changes the password': [
    { thief: 'out', owner: 'in' },
    async () => {
      const one = await sessionThief();
      await one.ownerChanges();
      await expectUnknown(one);
      return one;
    },
  ],
  'a device, owner undoes its sign-in': [
    { thief: 'out', owner: 'in' },
    async () => {
      const one = await sessionThief();
      await one.ownerUndoes('new_device');
      await expectUnknown(one);
      return one;
    },
  ],
  'a device, owner does nothing': [{ thief: 'reads', owner: 'in' }, sessionThief],
};

/** A sign-in with the thief's device is news to the account again. */
async function expectUnknown(one: Case): Promise<void> {
  const count = () => api.database.fork().count(Email, { userId: one.userId, kind: 'new_device' });
  const device = api.visitor();
  device.deviceCookie = one.thief.sessions[0]?.deviceCookie ?? '';
  await login(api.visitor(), one.owner.email, one.owner.passwords[0] ?? '');
  const before = await count();
  expect((await login(device, one.owner.email, one.owner.passwords[0] ?? '')).status).toBe(200);
  expect(await count()).toBe(before + 1);
}

it('refuses second factors for an unproven address, and drops older ones with the reset that proves it', async () => {
  const one = await Case.open();
  const key = await addPasskey(one.browser, testPassword);
  await one.age(30);
  await api.database.fork().execute('update app_user set email_verified_at = null where id = ?', [one.userId]);
  const password = testPassword;
  for (const path of ['/api/account/passkeys/options', '/api/account/second-factor/start'])
    expectFailure(await post(one.browser, path, { password }), 403, 'email_unproven');
  await one.ownerResets();
  expect([await passkeyEnters(key), await enters(one.owner)]).toEqual([false, true]);
});

describe('who ends up with an account', () => {
  it.each(Object.entries(rows))('%s', async (_name, [expected, act]) => {
    const one = await act();
    const open = await Promise.all(one.thief.sessions.map(me));
    const reads = open.includes(200);
    const thief = (await enters(one.thief)) ? 'in' : reads ? 'reads' : 'out';
    expect({ thief, owner: (await enters(one.owner)) ? 'in' : 'out' }).toEqual(expected);
  });
});
