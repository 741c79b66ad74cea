import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultFeeSchedule } from '#core/money/fee';
import { parseRate, type Rate } from '#core/rates/rate';
import { makeQuote } from '#core/transfers/quote';
import type { MoveName } from '#core/transfers/states';
import type { User } from '#domain/accounts/account.entity';
import { Recipient } from '#domain/recipients/recipient.entity';
import { moveTransfer } from '#domain/transfers/move-transfer';
import { openTransfer } from '#domain/transfers/open-transfer';
import { readStats } from '#domain/transfers/stats';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { meetConditions } from '../../testing/transfers.ts';
import { sampleRecipient } from '../testing/request-fixtures.ts';
import { TestApi } from '../testing/test-api.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let api: TestApi;
let sender: { browser: TestBrowser; user: User };
let admin: { browser: TestBrowser; user: User };

beforeAll(async () => {
  const { url } = await createTestDatabase();
  api = await TestApi.start(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
  sender = await api.person('user', 'Lucía 100%');
  admin = await api.person('admin');
});

afterAll(() => api?.close());

/** Creates a transfer of dollars at a given time and moves it through the given states. */
async function transfer(user: User, at: Date, options: { dollars?: number; name?: string; moves?: MoveName[] } = {}) {
  const { dollars = 100, name = sampleRecipient.name, moves = [] } = options;
  const id = randomUUID();
  return api.database.transaction(async (em) => {
    const recipient = { ...sampleRecipient, name };
    const stored = { ...recipient, ci: '', phone: '', bankAccount: '' };
    await em.persist(em.create(Recipient, { id, userId: user.id, ...stored, createdAt: at })).flush();
    const amountMinor = BigInt(dollars) * 100n;
    const rate = parseRate('11.60') as Rate;
    const opened = openTransfer(em, {
      userId: user.id,
      quote: makeQuote({ amountMinor, currency: 'USD', rate, referenceRate: null, fee: defaultFeeSchedule }),
      rateSince: at,
      eurUsd: parseRate('1.10') as Rate,
      recipient: { id, target: recipient },
      quoteExpiresAt: at,
      estimatedDelivery: at,
      at,
    });
    await em.flush();
    for (const move of moves) {
      await meetConditions(em, opened.id, move);
      await moveTransfer(em, opened.id, move, { at, changes: move === 'hold' ? { paidAt: at } : {} });
    }
    return opened.id;
  });
}

/** Every item of a list, page after page. */
async function readAll(browser: TestBrowser, path: string, limit: number): Promise<{ id: string }[]> {
  const items: { id: string }[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await browser.send(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor && `&cursor=${cursor}`}`,
    );
    items.push(...body.items);
    expect(body.items.length).toBeLessThanOrEqual(limit);
    cursor = body.nextCursor;
  }
  return items;
}

describe('lists', () => {
  it('transfers are listed completely in pages, newest first, also when several have the same time', async () => {
    const { browser, user } = await api.person();
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 12, minute));
    const made = new Map<string, Date>();
    for (const minute of [1, 2, 2, 2, 3, 4, 4]) made.set(await transfer(user, at(minute)), at(minute));
    for (const limit of [1, 2, 3, 7, 100]) {
      const items = await readAll(browser, '/api/transactions', limit);
      expect(new Set(items.map(({ id }) => id))).toEqual(new Set(made.keys()));
      const times = items.map(({ id }) => made.get(id)?.getTime() ?? 0);
      expect(times).toEqual([...times].sort((one, other) => other - one));
      expect(items).toHaveLength(made.size);
    }
    expect(await readAll(browser, '/api/recipients', 2)).toHaveLength(made.size);
  });

  it('accounts and rate changes are listed completely in pages', async () => {
    for (const rate of [11_000_000n, 11_100_000n, 11_200_000n]) await api.setRates(admin.user, rate);
    const history = await readAll(admin.browser, '/api/admin/exchange-rate/history', 2);
    expect(history).toMatchObject(
      [11.2, 11.1, 11].flatMap((rate) =>
        ['EUR', 'USD'].map((currency) => ({ currency, rate: rate.toFixed(2), setBy: 'Carmen Rojas' })),
      ),
    );
    const accounts = await readAll(admin.browser, '/api/admin/users', 1);
    expect(accounts.map(({ id }) => id)).toEqual(expect.arrayContaining([sender.user.id, admin.user.id]));
  });

  it('the transfers that are paid and have not ended are listed alone', async () => {
    const { browser, user } = await api.person();
    const list = async (more = '') =>
      (await readAll(browser, `/api/transactions?progress=under_way${more}`, 1)).map(({ id }) => id);
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 12, minute));
    const made = (minute: number, ...moves: MoveName[]) => transfer(user, at(minute), { moves });
    const underWay = [
      await made(1, 'hold'),
      await made(2, 'hold', 'approve'),
      await made(3, 'hold', 'approve', 'capture'),
      await made(4, 'hold', 'approve', 'capture', 'reject_payout'),
      await made(5, 'hold', 'approve', 'capture', 'reject_payout', 'give_up_payout'),
    ];
    await made(6);
    await made(7, 'hold', 'reject');
    await made(8, 'hold', 'approve', 'capture', 'pay_out');
    await made(9, 'hold', 'approve', 'capture', 'reject_payout', 'give_up_payout', 'refund');
    expect(await list()).toEqual(underWay.toReversed());
    expect(await list('&status=refunded')).toEqual(underWay.slice(4));
    expect(await list('&status=completed')).toEqual([]);
  });

  it('a row created between two pages shifts none of them', async () => {
    const { browser, user } = await api.person();
    const first = await transfer(user, new Date(Date.UTC(2026, 10, 1)));
    const second = await transfer(user, new Date(Date.UTC(2026, 10, 2)));
    const page = (await browser.send('GET', '/api/transactions?limit=1')).body;
    await transfer(user, new Date(Date.UTC(2026, 10, 3)));
    const next = (await browser.send('GET', `/api/transactions?limit=1&cursor=${page.nextCursor}`)).body;
    expect([page.items[0].id, next.items[0].id, next.nextCursor]).toEqual([second, first, null]);
  });
});

describe('searches', () => {
  const found = async (browser: TestBrowser, path: string, search: string, more = '') => {
    const { body } = await browser.send('GET', `${path}?search=${encodeURIComponent(search)}${more}`);
    return body.items.map(({ id }: { id: string }) => id);
  };

  it('transfers are found by part of a name, by the start of an id, and by state', async () => {
    const rosa = await transfer(sender.user, new Date(), { name: 'Rosa_Peña', moves: ['hold'] });
    const percent = await transfer(sender.user, new Date(), { name: '50% Rosas', moves: ['hold', 'reject'] });
    const own = '/api/transactions';
    expect(await found(sender.browser, own, 'rosa')).toEqual(expect.arrayContaining([rosa, percent]));
    expect(await found(sender.browser, own, 'ROSA_P')).toEqual([rosa]);
    expect(await found(sender.browser, own, '%')).toEqual([percent]);
    expect(await found(sender.browser, own, '_')).toEqual([rosa]);
    expect(await found(sender.browser, own, "\\'; --")).toEqual([]);
    expect(await found(sender.browser, own, '???')).toEqual([]);
    expect(await found(sender.browser, own, rosa.slice(0, 13).toUpperCase())).toEqual([rosa]);
    expect(await found(sender.browser, own, 'rosa', '&status=pending')).toEqual([rosa]);
    expect(await found(sender.browser, own, 'rosa', '&status=rejected')).toEqual([percent]);
    expect(await found(sender.browser, own, 'rosa', '&status=completed')).toEqual([]);
  });

  it('admins also search by sender; a sender only finds their own transfers', async () => {
    const other = await api.person();
    const theirs = await transfer(other.user, new Date(), { name: 'Rosa ajena' });
    expect(await found(sender.browser, '/api/transactions', 'Rosa ajena')).toEqual([]);
    expect(await found(admin.browser, '/api/admin/transactions', 'Rosa ajena')).toEqual([theirs]);
    expect(await found(admin.browser, '/api/admin/transactions', other.user.email)).toEqual([theirs]);
    expect(await found(admin.browser, '/api/admin/transactions', '100%')).toHaveLength(2);
    expect(await found(admin.browser, '/api/admin/users', '100%')).toEqual([sender.user.id]);
    expect(await found(admin.browser, '/api/admin/users', other.user.email.toUpperCase())).toEqual([other.user.id]);
  });
});

describe('searches of support, who sees addresses masked', () => {
  it.each(['/api/admin/users', '/api/admin/transactions'])(
    '%s finds whole addresses and parts of names',
    async (path) => {
      const support = await api.person('admin', 'Soporte', 'support');
      const { user } = await api.person('user', 'Zenobia Quiroga');
      const sent = await transfer(user, new Date());
      const expected = path.endsWith('users') ? user.id : sent;
      const search = async ({ browser }: typeof support, text: string) =>
        (await browser.send('GET', `${path}?search=${encodeURIComponent(text)}`)).body.items.map(
          ({ id }: { id: string }) => id,
        );
      const { email } = user;
      for (const text of [email, email.toUpperCase(), 'zenobia qui', 'Quiroga'])
        expect(await search(support, text), text).toContain(expected);
      const fragments = [
        email.slice(0, -1),
        email.slice(1),
        email.slice(0, 12),
        `Quiroga ${email}`,
        `${email.slice(0, -1)}_`,
      ];
      for (const text of fragments) expect(await search(support, text), text).not.toContain(expected);
      expect(await search(admin, email.slice(0, 12))).toContain(expected);
    },
  );
});

describe('figures', () => {
  it('statistics count paid transfers by days and months of La Paz', async () => {
    const { url } = await createTestDatabase();
    const fresh = await TestApi.start(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
    const before = api;
    api = fresh;
    try {
      const { browser, user } = await fresh.person();
      const paid: MoveName[] = ['hold'];
      // In UTC the 15th begins four hours before it does in La Paz.
      const now = new Date('2026-11-15T20:00:00Z');
      await transfer(user, new Date('2026-11-15T04:00:00Z'), {
        dollars: 300,
        moves: [...paid, 'approve', 'capture', 'pay_out'],
      });
      await transfer(user, new Date('2026-11-15T03:59:59Z'), { dollars: 200, moves: [...paid, 'approve'] });
      await transfer(user, new Date('2026-11-01T04:00:00Z'), { dollars: 50, moves: paid });
      await transfer(user, new Date('2026-11-01T03:59:59Z'), { dollars: 400, moves: paid });
      await transfer(user, new Date('2026-10-01T03:59:59Z'), { dollars: 900, moves: paid });
      await transfer(user, new Date('2026-11-15T12:00:00Z'), { dollars: 70, moves: [...paid, 'reject'] });
      await transfer(user, new Date('2026-11-15T12:00:00Z'), { dollars: 80 });
      expect(await readStats(fresh.database.fork(), now)).toEqual({
        dailyVolume: '300.00',
        dailyTrend: '50.0',
        monthlyVolume: '550.00',
        monthlyTrend: '37.5',
        pendingTransactions: 4,
        completedTransactions: 1,
        rejectedTransactions: 1,
        totalUsers: 1,
        activeUsers: 1,
        views: { to_decide: 3, stuck: 0, today: 3 },
      });
      const later = await readStats(fresh.database.fork(), new Date('2026-12-20T20:00:00Z'));
      expect(later).toMatchObject({ dailyVolume: '0.00', dailyTrend: null, monthlyTrend: '-100.0', activeUsers: 0 });
      expect((await browser.send('GET', '/api/dashboard')).body).toMatchObject({
        totalSent: '1850.00',
        transferCount: 5,
      });
    } finally {
      api = before;
      await fresh.close();
    }
  });
});
