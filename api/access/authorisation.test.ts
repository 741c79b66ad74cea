import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminRoles } from '#core/accounts/admin-roles';
import { type LiveEventName, liveEventNames } from '#core/contracts/live-events';
import type { Rate } from '#core/rates/rate';
import { hourMs } from '#core/time/time';
import type { User } from '#domain/accounts/account.entity';
import { RateRun } from '#domain/rate-observations/rate-run.entity';
import { RateAlert } from '#domain/rates/rate.entity';
import { Session } from '#domain/sign-in/session.entity';
import { readApiConfiguration } from '#platform/configuration/api';
import { addPush } from '#platform/outbox/outbox';
import {
  authorisationPage,
  type Caller,
  callers,
  type EndpointName,
  endpointTable,
  hears,
  idsOf,
  type Outcome,
  outcomeOf,
  queueBoardOutcome,
} from '../../infra/testing/authorisation/matrix.ts';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { callOf, type OwnedThings, ownEverything } from '../testing/owned-things.ts';
import type { Ids } from '../testing/request-fixtures.ts';
import { expectFailure, TestApp } from '../testing/test-app.ts';
import type { Answer, TestBrowser } from '../testing/test-browser.ts';

let app: TestApp;
const browsers = {} as Record<Caller, TestBrowser>;
let own: OwnedThings;
let others: OwnedThings;
let senderId: string;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  // As outside the sandbox, where admins need a second factor.
  const env = { ...readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }), adminsNeedFactor: true };
  app = await TestApp.open(env);
  const { api, ids } = app;
  const idOf = async (browser: TestBrowser): Promise<string> =>
    (await browser.send('GET', '/api/auth/me')).body.user.id;
  senderId = await idOf(app.sender);
  const adminId = await idOf(app.admin);
  own = await ownEverything(api.database, { ids, userId: senderId, adminId, text: 'Rosa Choque' });
  const otherIds: Ids = {
    ...ids,
    ...{ recipientId: ids.otherRecipientId, transferId: ids.otherTransferId, intentId: ids.otherIntentId },
    ...{ alertId: ids.otherAlertId, repeatId: ids.otherRepeatId, cryptoOrderId: ids.otherCryptoOrderId },
  };
  const other = { ids: otherIds, userId: await idOf(app.other), adminId, text: 'Marta Quispe' };
  others = await ownEverything(api.database, other);
  const person = async (caller: Caller, change?: (user: User) => Promise<unknown>, role?: 'admin') => {
    const { browser, user } = await api.person(role);
    browsers[caller] = browser;
    await change?.(user);
  };
  Object.assign(browsers, { anonymous: app.visitor, sender: app.sender, 'another sender': app.other });
  for (const role of adminRoles) browsers[role] = (await api.person('admin', 'Eva Choque', role)).browser;
  const blocked = { blocked: true, reason: 'Documentos falsos' };
  await person('suspended', ({ id }) => app.admin.send('POST', `/api/admin/users/${id}/block`, blocked));
  const past = new Date(Date.now() - 1);
  await person('expired', ({ id: userId }) =>
    api.database.fork().nativeUpdate(Session, { userId }, { expiresAt: past }),
  );
  await person('unproven', (user) => api.setFactorAt(user, null), 'admin');
  await person('stale', (user) => api.setFactorAt(user, new Date(Date.now() - hourMs)), 'admin');
}, 120_000);

afterAll(() => app?.close());

/** What changes or ends what other calls are about comes after those. */
const placeOf = ([name, { method }]: (typeof endpointTable)[number]) => {
  if (name === 'skipRepeat') return 0;
  if (name === 'changePassword' || name === 'endOtherSessions') return 3;
  return method === 'DELETE' ? 2 : 1;
};
const inOrder = endpointTable.filter(([name]) => name !== 'logout').toSorted((one, two) => placeOf(one) - placeOf(two));

const guardCodes = ['unauthenticated', 'forbidden', 'second_factor_missing', 'second_factor_stale'];

/** Sends a call with things of one person, and keeps the caller's session whatever it sets. */
async function send(name: EndpointName, caller: Caller, owned: OwnedThings, changed: Record<string, string> = {}) {
  const [, endpoint] = endpointTable.find(([known]) => known === name) as (typeof endpointTable)[number];
  const browser = browsers[caller];
  const { cookie } = browser;
  const { params = {}, body } = callOf(name, owned);
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, field: string) => changed[field] ?? params[field] ?? '');
  const sent =
    body && Object.fromEntries(Object.entries(body).map(([field, value]) => [field, changed[field] ?? value]));
  const answer = await browser.send(endpoint.method, path, sent);
  if (endpoint.access === 'public') browser.cookie = cookie;
  return answer;
}

/** Classifies an answer in the terms of the matrix. */
function seen({ status, body }: Answer, expected: Outcome): Outcome | string {
  const code = status >= 400 ? String(body.code) : '';
  if (guardCodes.includes(code)) return code;
  if (expected === 'not_found' && status === 404) return 'not_found';
  // The caller's own things exist, whatever else is wrong with the call.
  if (expected === 'own' && status === 404) return `404 of what the caller has`;
  return status < 500 ? expected : String(status);
}

it('the authorisation page is up to date with the contracts and the matrix of roles (npm run authorisation)', () => {
  expect(readFileSync('docs/authorisation.md', 'utf8')).toBe(authorisationPage());
});

describe('live events', () => {
  it('every live event reaches exactly the callers in the matrix', async () => {
    const { database } = app.api;
    const sockets: Socket[] = [];
    const heard = new Map<Caller, Set<LiveEventName>>(callers.map((caller) => [caller, new Set()]));
    const listen = (caller: Caller) =>
      new Promise<void>((resolve, reject) => {
        const extraHeaders = { cookie: browsers[caller].cookie };
        const socket = io(app.api.url, {
          transports: ['websocket'],
          reconnection: false,
          forceNew: true,
          extraHeaders,
        });
        socket.onAny((event: LiveEventName) => void heard.get(caller)?.add(event));
        socket.on('connect', resolve).on('connect_error', reject);
        sockets.push(socket);
      });
    await Promise.all(callers.map(listen));
    const at = new Date();
    const runId = randomUUID();
    await database.transaction(async (em) => {
      em.create(RateRun, {
        id: runId,
        trigger: 'forced',
        startedAt: at,
        finishedAt: at,
        results: [],
        outcome: 'collected',
      });
      await em.nativeUpdate(RateAlert, { id: own.ids.alertId }, { firedAt: at, firedRate: 900_000_000n as Rate });
      addPush(em, 'transfer-changed', { transferId: own.paidId });
      addPush(em, 'case-changed', { caseId: own.ids.caseId });
      addPush(em, 'complaint-changed', { complaintId: own.complaintId });
      addPush(em, 'crypto-order-changed', { orderId: own.ids.cryptoOrderId });
      addPush(em, 'recipient-changed', { recipientId: own.ids.recipientId });
      addPush(em, 'review-changed', { transferId: own.inReviewId });
      addPush(em, 'books-changed', {});
      addPush(em, 'money-stops-changed', {});
      addPush(em, 'queue-pauses-changed', {});
      addPush(em, 'rate-changed', {});
      addPush(em, 'rate-change-updated', { changeId: own.ids.rateChangeId });
      addPush(em, 'rates-collected', { runId });
      addPush(em, 'rate-alert-fired', { alertId: own.ids.alertId });
      addPush(em, 'repeats-changed', { userId: senderId });
      addPush(em, 'news-read', { userId: senderId });
    });
    const table = (hearsIt: (event: LiveEventName, caller: Caller) => boolean) =>
      Object.fromEntries(callers.map((caller) => [caller, liveEventNames.filter((event) => hearsIt(event, caller))]));
    await expect
      .poll(() => table((event, caller) => heard.get(caller)?.has(event) ?? false), { timeout: 10_000, interval: 20 })
      .toEqual(table(hears));
    for (const socket of sockets) socket.disconnect();
  });
});

describe('an id of another person', () => {
  const attempts = endpointTable
    .filter(([, { access }]) => access === 'sender')
    .flatMap(([name, endpoint]) => idsOf(endpoint).map((id) => ({ name, ...id })));

  it.each(attempts)('$name answers 404 to the id of another sender as $field of its $place', async (attempt) => {
    const { name, place, field } = attempt;
    const foreign = callOf(name, own)[place]?.[field];
    expect(foreign).toBeTypeOf('string');
    // Everything else in the call is the caller's own.
    expectFailure(await send(name, 'another sender', others, { [field]: String(foreign) }), 404, 'not_found');
  });
});

describe('every call of the contract', () => {
  type Outcomes = Record<string, string>;
  let outcomes: Map<Caller, { expected: Outcomes; answered: Outcomes }>;
  /** These check no session, and each computes a password hash. */
  const hashing = ['register', 'login'];
  /** So do these; without a password they get no further than past the guard. */
  const askPassword = /^(change(Password|Email)|closeAccount|(start|remove)SecondFactor|renewRecoveryCodes)$/;

  beforeAll(async () => {
    const tryAll = async (caller: Caller) => {
      const board = await browsers[caller].send('GET', '/ops/queues/api/queues');
      const expected: Outcomes = { queueBoard: queueBoardOutcome(caller) };
      const answered: Outcomes = { queueBoard: seen(board, queueBoardOutcome(caller)) };
      for (const [name] of inOrder) {
        if (caller !== 'anonymous' && hashing.includes(name)) continue;
        const outcome = outcomeOf(name, caller);
        expected[name] = outcome;
        const withoutPassword: Record<string, string> =
          caller !== 'sender' && askPassword.test(name) ? { password: '' } : {};
        answered[name] = seen(await send(name, caller, own, withoutPassword), outcome);
      }
      return [caller, { expected, answered }] as const;
    };
    outcomes = new Map(await Promise.all(callers.map(tryAll)));
  }, 60_000);

  it.each(callers)('every call of the contract is answered or refused to "%s" as the matrix says', (caller) => {
    const { expected, answered } = outcomes.get(caller) ?? {};
    expect(answered).toEqual(expected);
  });

  it('signing out is answered to everybody', async () => {
    for (const caller of callers) expect((await send('logout', caller, own)).status).toBe(204);
  });
});

it('the api never failed unexpectedly and logged nothing personal', () => app.expectQuietLog());
