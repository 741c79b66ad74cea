import { argon2Sync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { openDatabase } from '../../testing/database.ts';
import { testEmail, testMoment } from '../../testing/transfers.ts';
import { ensureAdmin } from '../account-oversight/operator-accounts.ts';
import { Session } from '../sign-in/session.entity.ts';
import { User } from './account.entity.ts';
import { createUser, lockUser } from './account.repository.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

const password = 'una contraseña larga';

describe('a password', () => {
  test('is verified against its own hash and no other', async () => {
    const hash = await hashPassword(password);
    expect(await verifyPassword(password, hash)).toBe(true);
    for (const wrong of ['', password.toUpperCase(), `${password} `, `${password}\u0000`, password.normalize('NFD')]) {
      expect(await verifyPassword(wrong, hash), JSON.stringify(wrong)).toBe(false);
    }
  });

  test('is hashed with argon2id at no less than OWASP’s minimum, with a unique salt', async () => {
    const [one, two] = await Promise.all([hashPassword(password), hashPassword(password)]);
    expect(one).not.toBe(two);
    const [, memory, passes] =
      /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/.exec(one) ?? [];
    expect(Number(memory)).toBeGreaterThanOrEqual(19_456);
    expect(Number(passes)).toBeGreaterThanOrEqual(2);
    expect(one).not.toContain(password);
  });

  test('still verifies when hashed with older cost parameters', async () => {
    const nonce = Buffer.from('somesalt');
    const costs = { memory: 64, passes: 3, parallelism: 1, tagLength: 24 };
    const tag = argon2Sync('argon2id', { message: password, nonce, ...costs });
    const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
    const hash = `$argon2id$v=19$m=64,t=3,p=1$${encode(nonce)}$${encode(tag)}`;
    expect(await verifyPassword(password, hash)).toBe(true);
    expect(await verifyPassword(`${password}x`, hash)).toBe(false);
  });

  test.each(['', 'none', '$argon2id$v=19$m=19456,t=2,p=1$$', '$2b$10$abcdefghijklmnopqrstuv'])(
    'matches no malformed hash: %j',
    async (hash) => {
      expect(await verifyPassword('', hash)).toBe(false);
      expect(await verifyPassword(password, hash)).toBe(false);
    },
  );

  // Response time must not reveal which addresses have an account.
  test('takes as long to verify for an unknown address as for a known one', async () => {
    const hash = await hashPassword(password);
    const timeOf = async (against: string | null) => {
      const before = process.cpuUsage();
      expect(await verifyPassword('wrong', against)).toBe(false);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
    for (let round = 0; round < 9; round++) {
      times.known.push(await timeOf(hash));
      times.unknown.push(await timeOf(null));
    }
    // The minimum of several CPU times excludes other processes.
    const ratio = Math.min(...times.unknown) / Math.min(...times.known);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});

describe('accounts', () => {
  let testDatabase: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = await openDatabase(testDatabase.url);
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  const person = (email: string) => ({
    email,
    name: 'Ana Quispe',
    passwordHash: 'none',
    termsAcceptedAt: testMoment,
    at: testMoment,
  });

  test('are created without admin rights by default', async () => {
    const { id } = await database.transaction((em) => createUser(em, person(testEmail())));
    expect(await database.fork().findOneOrFail(User, { id })).toMatchObject({
      role: 'user',
      phone: null,
      birthDate: null,
    });
  });

  test('need a unique address: of five concurrent sign-ups one succeeds', async () => {
    const email = testEmail();
    const making = Array.from({ length: 5 }, () => database.transaction((em) => createUser(em, person(email))));
    const results = await Promise.allSettled(making);
    const refused = results.filter((result) => result.status === 'rejected').map((result) => result.reason);
    expect(refused.map((failure) => failure.code)).toEqual(Array.from({ length: 4 }, () => 'email_taken'));
    expect(await database.fork().count(User, { email })).toBe(1);
  });

  test('that are locked do not hold up a commit of rows that refer to them', async () => {
    const { id } = await database.transaction((em) => createUser(em, person(testEmail())));
    await database.transaction(async (em) => {
      await lockUser(em, id);
      // What a foreign key takes when it is checked.
      const refer = database.fork().execute('select from app_user where id = ? for key share nowait', [id]);
      await expect(refer).resolves.toBeDefined();
    });
  });

  describe('of the operator', () => {
    const admin = (email: string) => ({ email, name: 'Administración', password, at: testMoment });
    const ensure = (email: string) => database.transaction((em) => ensureAdmin(em, admin(email)));
    const find = (email: string) => database.fork().findOneOrFail(User, { email });

    test('is made with the password given', async () => {
      const email = testEmail();
      await ensure(` ${email.toUpperCase()} `);
      const made = await find(email);
      expect(made).toMatchObject({ role: 'admin', name: 'Administración', termsAcceptedAt: null });
      expect(await verifyPassword(password, made.passwordHash)).toBe(true);
    });

    test('is left alone when it is there: a changed password stays', async () => {
      const email = testEmail();
      const { id } = await ensure(email);
      await database.transaction((em) => em.nativeUpdate(User, { id }, { passwordHash: 'changed since' }));
      await ensure(email);
      expect((await find(email)).passwordHash).toBe('changed since');
    });

    test('that another person opened is taken over: name, password and sessions are replaced', async () => {
      const email = testEmail();
      const intruder = await database.transaction(async (em) => {
        const user = await createUser(em, { ...person(email), passwordHash: await hashPassword('la del intruso') });
        for (const endedAt of [null, new Date(0)]) {
          const times = { createdAt: testMoment, expiresAt: new Date('2030-01-01'), endedAt };
          em.persist(em.create(Session, { id: randomUUID(), userId: user.id, tokenHash: randomUUID(), ...times }));
        }
        return user;
      });
      const bystander = await database.transaction(async (em) => {
        const user = await createUser(em, person(testEmail()));
        const session = { id: randomUUID(), userId: user.id, tokenHash: randomUUID() };
        em.persist(em.create(Session, { ...session, createdAt: testMoment, expiresAt: new Date('2030-01-01') }));
        return user;
      });
      expect((await ensure(email)).id).toBe(intruder.id);
      const owned = await find(email);
      expect(owned).toMatchObject({ role: 'admin', name: 'Administración' });
      expect(await verifyPassword(password, owned.passwordHash)).toBe(true);
      expect(await verifyPassword('la del intruso', owned.passwordHash)).toBe(false);
      const sessions = await database.fork().find(Session, { userId: intruder.id }, { orderBy: { endedAt: 'asc' } });
      expect(sessions.map(({ endedAt }) => endedAt)).toEqual([new Date(0), testMoment]);
      expect(await database.fork().count(Session, { userId: bystander.id, endedAt: null })).toBe(1);
    });
  });
});
