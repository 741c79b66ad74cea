import pg from 'pg';
import type { z } from 'zod';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { endpoints } from '#core/contracts/http/endpoints';
import { readApiConfiguration } from '#platform/configuration/api';
import type { EndpointName } from '../../infra/testing/authorisation/matrix.ts';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { type FieldChoice, type FuzzCaller, type FuzzRequest, fuzzRequests } from './fuzz-requests.ts';
import { callOf, type OwnedThings, ownEverything } from './owned-things.ts';
import { type Ids, sampleRecipient } from './request-fixtures.ts';
import { TestApp } from './test-app.ts';
import type { TestBrowser } from './test-browser.ts';

/** Text that occurs in all data of one sender and nowhere else. */
const marks = {
  sender: { text: 'Kantuta Zorrilla', account: '70011122233344' },
  other: { text: 'Wayra Ñandubay', account: '80055566677788' },
} as const;
type Owner = keyof typeof marks;

/**
 * Changes allowed to a refused call: the last use of the session or its new secret, records of failed sign-ins and
 * codes, and the consumption of a passkey challenge, which allows one attempt.
 */
const alwaysAllowed = /^(session\.(last_seen_at|replaced_until)|app_user\.last_active_at)$/;
const failedSignIn = /^audit_(entry|chain)\.insert$/;
const usedChallenge = /^webauthn_challenge\.delete$/;
const allowedChanges: Partial<Record<EndpointName, RegExp>> = {
  login: failedSignIn,
  secondStep: new RegExp(`${failedSignIn.source}|${usedChallenge.source}`),
  proveSecondFactor: usedChallenge,
  passkeySignIn: new RegExp(`${failedSignIn.source}|${usedChallenge.source}`),
  addPasskey: usedChallenge,
};

/** What random requests came to. */
export interface FuzzReport {
  requests: number;
  readonly statuses: Map<number, number>;
  /** Calls that succeeded, and that were refused, by endpoint. */
  readonly succeeded: Map<EndpointName, number>;
  readonly refused: Map<EndpointName, number>;
  /** Requests that the contract does not allow, each of which was refused. */
  invalid: number;
  slowestMs: number;
  slowest: string;
  /** What should not have been, at most 20. */
  readonly problems: string[];
}

/** A running api, people with things of their own, and what watches over the tables. */
export class Fuzz {
  readonly report: FuzzReport = {
    ...{ requests: 0, statuses: new Map(), succeeded: new Map(), refused: new Map(), invalid: 0 },
    ...{ slowestMs: 0, slowest: '', problems: [] },
  };

  private constructor(
    private readonly app: TestApp,
    private readonly browsers: Readonly<Record<FuzzCaller, TestBrowser>>,
    private readonly things: Readonly<Record<Owner, OwnedThings>>,
    private readonly changes: pg.Client,
    private readonly testDatabase: TestDatabase,
  ) {}

  static async open(): Promise<Fuzz> {
    const testDatabase = await createTestDatabase();
    const app = await TestApp.open(readApiConfiguration({ ...testEnvironment, DATABASE_URL: testDatabase.url }));
    const { api, ids, sender, other, admin } = app;
    const idOf = async (browser: TestBrowser): Promise<string> =>
      (await browser.send('GET', '/api/auth/me')).body.user.id;
    const adminId = await idOf(admin);
    const own = async (owner: Owner, browser: TestBrowser, owned: Ids) => {
      const { text, account } = marks[owner];
      await browser.send('PUT', '/api/account', { name: text, city: text });
      const target = { ...sampleRecipient, name: text, address: text, bankAccount: account };
      await browser.send('PUT', `/api/recipients/${owned.recipientId}`, target);
      return ownEverything(api.database, { ids: owned, userId: await idOf(browser), adminId, text });
    };
    const otherIds: Ids = {
      ...ids,
      ...{ recipientId: ids.otherRecipientId, transferId: ids.otherTransferId, intentId: ids.otherIntentId },
      ...{ alertId: ids.otherAlertId, repeatId: ids.otherRepeatId, cryptoOrderId: ids.otherCryptoOrderId },
    };
    const things = { sender: await own('sender', sender, ids), other: await own('other', other, otherIds) };
    const { browser: support } = await api.person('admin', 'Eva Choque', 'support');
    await testDatabase.asOwner(watchTables);
    const changes = new pg.Client({ connectionString: testDatabase.ownerUrl });
    await changes.connect();
    const browsers = { anonymous: app.visitor, sender, other, support, owner: admin };
    return new Fuzz(app, browsers, things, changes, testDatabase);
  }

  /** Sends requests one after another, so that a change of the tables is known to be of one of them. */
  async run(seed: number, count: number): Promise<void> {
    for (let done = 0; done < count; done += chunk) {
      const requests = fuzzRequests(seed + done, Math.min(chunk, count - done));
      for (const request of requests) await this.#try(request);
      this.#readLog();
    }
  }

  async close(): Promise<void> {
    await this.changes.end();
    await this.app.close();
    await this.testDatabase.drop();
  }

  async #try(request: FuzzRequest): Promise<void> {
    const { report } = this;
    const { name, caller } = request;
    const endpoint: Endpoint = endpoints[name];
    const browser = this.browsers[caller];
    const { cookie } = browser;
    const sent = this.#resolve(request, endpoint);
    const startedAt = performance.now();
    const { status, body } = await browser.request(sent.method, sent.url, sent.headers, sent.body);
    const tookMs = performance.now() - startedAt;
    if (endpoint.access === 'public') browser.cookie = cookie;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const what = `${caller} ${sent.method} ${sent.url} ${sent.body?.slice(0, 300) ?? ''} -> ${status}`;
    if (status >= 500) this.#problem(`${what} ${text.slice(0, 300)}`);
    for (const leak of this.#leaksIn(text, caller)) this.#problem(`${what} shows ${leak}`);
    if (sent.isInvalid && !(status >= 400 && status < 500)) this.#problem(`${what} is not what the contract allows`);
    if (status === 401 && caller !== 'anonymous' && body.code === 'unauthenticated')
      throw new Error(`${what}: no session`);
    const changed = await this.#changed();
    if (status >= 400) {
      const left = changed.filter((one) => !alwaysAllowed.test(one) && !allowedChanges[name]?.test(one));
      if (left.length > 0) this.#problem(`${what} changed ${left.join(', ')}`);
    }
    report.requests += 1;
    if (sent.isInvalid) report.invalid += 1;
    count(report.statuses, status);
    count(status < 400 ? report.succeeded : report.refused, name);
    if (tookMs > report.slowestMs) Object.assign(report, { slowestMs: tookMs, slowest: what });
  }

  #problem(text: string): void {
    if (this.report.problems.length < 20) this.report.problems.push(text);
  }

  /** Text of other people in an answer. Admins may see it, support the names only. */
  #leaksIn(text: string, caller: FuzzCaller): string[] {
    const owners = (Object.keys(marks) as Owner[]).filter((owner) => owner !== caller);
    const hidden = owners.flatMap((owner) => {
      if (caller === 'owner') return [];
      return caller === 'support' ? [marks[owner].account] : [marks[owner].text, marks[owner].account];
    });
    return hidden.filter((one) => text.includes(one));
  }

  /** The changes of the last request, as "table.column". */
  async #changed(): Promise<string[]> {
    const { rows } = await this.changes.query<{ what: string }>('delete from fuzz_change returning what');
    return [...new Set(rows.map(({ what }) => what))];
  }

  #readLog(): void {
    const logged = this.app.api.logged as string[];
    const hidden = Object.values(marks).flatMap(({ text, account }) => [text, account]);
    const wrong = logged.filter((line) => [...hidden, 'failed unexpectedly'].some((part) => line.includes(part)));
    for (const line of wrong) this.#problem(`logged: ${line.slice(0, 500)}`);
    logged.length = 0;
  }

  /** The request as it is sent, and whether the contract does not allow it. */
  #resolve(request: FuzzRequest, endpoint: Endpoint) {
    const { sender, other } = this.things;
    const isOther = request.caller === 'other';
    const correct = callOf(request.name, isOther ? other : sender);
    const foreign = callOf(request.name, isOther ? sender : other);
    const pick = (choices: Readonly<Record<string, FieldChoice>>, part: 'params' | 'body'): [string, unknown][] =>
      Object.entries(choices).flatMap(([field, choice]): [string, unknown][] => {
        if (choice.kind === 'absent') return [];
        if (choice.kind === 'value') return [[field, choice.value]];
        const value = (choice.kind === 'own' ? correct : foreign)[part]?.[field];
        return value === undefined ? [] : [[field, value]];
      });
    const params = Object.fromEntries(pick(request.params, 'params').map(([field, value]) => [field, textOf(value)]));
    const query = new URLSearchParams(
      Object.entries(request.query).flatMap(([field, choice]) =>
        choice.kind === 'value' ? [[field, textOf(choice.value)]] : [],
      ),
    );
    const body = Object.fromEntries(pick(request.body, 'body'));
    const method = request.method ?? endpoint.method;
    const hasBody = !['GET', 'HEAD'].includes(method) && (endpoint.body !== undefined || request.raw !== null);
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(params[field] ?? ''));
    const json = JSON.stringify(body);
    const text = hasBody ? (request.raw?.(json) ?? json) : undefined;
    const fails = (schema: z.ZodType | undefined, value: unknown) =>
      schema !== undefined && !schema.safeParse(value).success;
    // Without a parameter it is the path of another endpoint, or none.
    const isWhole = Object.keys(request.params).every((field) => params[field]);
    const isPlain = request.raw === null && request.method === null && isWhole;
    return {
      ...{ method, body: text, url: `${path}${query.size > 0 ? `?${query}` : ''}` },
      headers: {
        ...(text !== undefined && { 'content-type': 'application/json' }),
        origin: this.app.api.url,
        ...request.headers,
      },
      isInvalid:
        isPlain &&
        (fails(endpoint.params, params) ||
          fails(endpoint.query, Object.fromEntries(query)) ||
          fails(endpoint.body, text === undefined ? undefined : JSON.parse(text))),
    };
  }
}

/** Requests that are made at once; the log is read after each of these. */
const chunk = 500;

/** As encoded in a URL, which cannot contain half a surrogate pair. */
const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Notes every change of a row that is committed, by column, but of the outbox, the queues and the counts of rate limits. */
const watchTables = `
  create table fuzz_change (what text not null);
  create function note_fuzz_change() returns trigger language plpgsql security definer as $$
  begin
    if tg_op = 'UPDATE' then
      insert into fuzz_change select tg_table_name || '.' || n.key
      from jsonb_each(to_jsonb(new)) as n where to_jsonb(old) -> n.key is distinct from n.value;
    else
      insert into fuzz_change values (tg_table_name || '.' || lower(tg_op));
    end if;
    return null;
  end $$;
  do $$
  declare name text;
  begin
    for name in select tablename from pg_tables where schemaname = 'public'
      and tablename not in ('fuzz_change', 'outbox', 'rate_limit', 'socket_io_attachments') loop
      execute format('create trigger zz_fuzz after insert or update or delete on %I for each row execute function note_fuzz_change()', name);
    end loop;
  end $$;`;
