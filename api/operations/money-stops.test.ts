import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminRole } from '#core/accounts/admin-roles';
import type { MoneyStopView } from '#core/contracts/http/money-stops';
import { AuditEntry } from '#domain/audit/audit.entity';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { expectFailure, TestApp } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let app: TestApp;
const browsers = {} as Record<AdminRole, TestBrowser>;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  app = await TestApp.open(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
  const names = { support: 'Sara', reviewer: 'Rita', treasurer: 'Tito', owner: 'Ana' } as const;
  for (const [role, name] of Object.entries(names) as [AdminRole, string][])
    browsers[role] = (await app.api.person('admin', name, role)).browser;
});

afterAll(() => app?.close());

const path = '/api/admin/money-stops';
const set = (by: TestBrowser, body: Record<string, unknown>) =>
  by.send('POST', path, { reason: 'Pagos dobles', ...body });
const request = (by: TestBrowser, id: string) => by.send('POST', `${path}/${id}/lift`, { reason: 'Ya está arreglado' });
const confirm = (by: TestBrowser, id: string) => by.send('POST', `${path}/${id}/lift/confirm`);
const decline = (by: TestBrowser, id: string) => by.send('POST', `${path}/${id}/lift/decline`);
const list = async (by: TestBrowser): Promise<MoneyStopView[]> => (await by.send('GET', path)).body.stops;

async function lift(id: string): Promise<void> {
  await request(browsers.reviewer, id);
  await confirm(browsers.treasurer, id);
}

describe('who may stop and resume money movement', () => {
  it.each(['reviewer', 'treasurer', 'owner'] as const)('a %s sets a stop alone', async (role) => {
    const { status, body } = await set(browsers[role], { scope: 'payouts', rail: 'bank' });
    expect(status).toBe(200);
    expect(body.stops).toMatchObject([
      { scope: 'payouts', rail: 'bank', reason: 'Pagos dobles', cause: null, lift: null },
    ]);
    await lift(body.stops[0].id);
    expect(await list(browsers[role])).toEqual([]);
  });

  it('support sees stops and changes none', async () => {
    expectFailure(await set(browsers.support, { scope: 'everything' }), 403, 'forbidden');
    const { id } = (await set(browsers.owner, { scope: 'everything' })).body.stops[0];
    expect(await list(browsers.support)).toMatchObject([{ id, set_by: 'Ana' }]);
    for (const call of [request, confirm, decline]) expectFailure(await call(browsers.support, id), 403, 'forbidden');
    await lift(id);
  });

  it('a sender and a visitor know of none', async () => {
    expectFailure(await app.sender.send('GET', path), 403, 'forbidden');
    expectFailure(await app.visitor.send('GET', path), 401, 'unauthenticated');
  });
});

describe('a stop over HTTP', () => {
  it('names a rail only for payouts', async () => {
    const refused = await set(browsers.owner, { scope: 'captures', rail: 'bank' });
    expectFailure(refused, 400, 'invalid_input');
    expect(refused.body.fields).toEqual({ rail: 'Solo los pagos tienen una vía' });
    expect(await list(browsers.owner)).toEqual([]);
  });

  it('is lifted by two people, and says why not otherwise', async () => {
    const { id } = (await set(browsers.owner, { scope: 'captures' })).body.stops[0];
    expectFailure(await set(browsers.reviewer, { scope: 'captures' }), 409, 'money_stop_active');
    expectFailure(await confirm(browsers.owner, id), 409, 'lift_not_requested');
    expectFailure(await decline(browsers.owner, id), 409, 'lift_not_requested');
    const [waiting] = (await request(browsers.owner, id)).body.stops;
    expect(waiting.lift).toMatchObject({ requested_by: 'Ana', reason: 'Ya está arreglado' });
    expectFailure(await request(browsers.reviewer, id), 409, 'lift_already_requested');
    expectFailure(await confirm(browsers.owner, id), 403, 'own_request');
    expect((await decline(browsers.owner, id)).body.stops).toMatchObject([{ id, lift: null }]);
    await request(browsers.owner, id);
    expect((await confirm(browsers.reviewer, id)).body).toEqual({ stops: [] });
    expectFailure(await confirm(browsers.reviewer, id), 409, 'money_stop_lifted');
    const entries = await app.api.database.fork().find(AuditEntry, { subject: id }, { orderBy: { at: 'asc' } });
    expect(entries.map(({ kind, actorRole }) => [kind, actorRole])).toEqual([
      ['money_stop_set', 'owner'],
      ['money_stop_lift_requested', 'owner'],
      ['money_stop_lift_declined', 'owner'],
      ['money_stop_lift_requested', 'owner'],
      ['money_stop_lifted', 'reviewer'],
    ]);
  });
});

it('every change reaches the open tabs of all admins within a second', async () => {
  const sockets: Socket[] = [];
  /** Times of the live events that a browser received, in order. */
  const listen = async (browser: TestBrowser): Promise<number[]> => {
    const heard: number[] = [];
    const socket = io(app.api.url, {
      ...{ transports: ['websocket'], reconnection: false, forceNew: true, extraHeaders: { cookie: browser.cookie } },
    });
    sockets.push(socket);
    socket.on('admin:money-stops-changed', () => void heard.push(performance.now()));
    await new Promise<void>((resolve, reject) => {
      socket.on('connect', resolve).on('connect_error', reject);
    });
    return heard;
  };
  const [reviewer, support] = [await listen(browsers.reviewer), await listen(browsers.support)];
  const sender = await listen(app.sender);
  let id = '';
  const changes = [
    async () => {
      ({ id } = (await set(browsers.owner, { scope: 'everything' })).body.stops[0]);
    },
    () => request(browsers.owner, id),
    () => confirm(browsers.treasurer, id),
  ];
  for (const [index, change] of changes.entries()) {
    await change();
    const committed = performance.now();
    for (const heard of [reviewer, support]) {
      await expect.poll(() => heard.length, { timeout: 10_000, interval: 5 }).toBe(index + 1);
      expect((heard.at(-1) ?? 0) - committed).toBeLessThan(1_000);
    }
  }
  expect(sender).toEqual([]);
  for (const socket of sockets) socket.disconnect();
});
