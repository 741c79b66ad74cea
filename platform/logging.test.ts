import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Logger, RepeatedWarnings } from './logging.ts';

/** What a process prints that runs these statements with a logger called `log`. */
async function printed(statements: string): Promise<Record<string, unknown>[]> {
  const program = `
    import { UniqueConstraintViolationException, DriverException } from '@mikro-orm/core';
    import { createLogger } from '#platform/logging';
    import { runForRequest } from '#platform/request-id';
    const log = createLogger('worker', 'info');
    ${statements}`;
  const flags = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

const [ready, refused, broken, plain, odd, request, traced, quiet] = await printed(`
  log.info({ port: 3000 }, 'ready');
  const driver = Object.assign(
    new Error("insert into app_user (email) values ('ana@chasqui.test') - duplicate key value"),
    { code: '23505', constraint: 'app_user_email_unique', detail: 'Key (email)=(ana@chasqui.test) already exists.' },
  );
  log.error({ err: new UniqueConstraintViolationException(driver) }, 'refused');
  const books = Object.assign(new Error("update transfer set reason = 'Ana' - transfer 1 is captured but its books say: nothing"), { code: 'P0001' });
  log.error({ err: new DriverException(books) }, 'broken');
  log.error({ err: Object.assign(new Error('Your card was declined.'), { code: 'card_declined', raw: { name: 'Ana' } }) }, 'plain');
  log.error({ err: 'just text' }, 'odd');
  log.info({ req: { method: 'GET', url: '/', headers: { cookie: 'c' }, body: { password: 'p' } }, user: { email: 'ana@chasqui.test', token: 't', password: 'p' } }, 'request');
  runForRequest('7K3M9QXD2F4T', () => log.child({ job: 'x' }).info('with request'));
  log.debug('quiet');
`);

test('a log line is JSON with its process, level and message', () => {
  expect(ready).toMatchObject({ process: 'worker', level: 30, port: 3000, msg: 'ready' });
  expect(quiet).toBeUndefined();
});

test('a log line has the id of the request that led to it', () => {
  expect(traced).toMatchObject({ requestId: '7K3M9QXD2F4T', job: 'x', msg: 'with request' });
  expect(ready).not.toHaveProperty('requestId');
});

test('an error of the database is logged with its code, constraint and place, never with the data of its statement', () => {
  expect(refused?.err).toMatchObject({
    type: 'UniqueConstraintViolationException',
    code: '23505',
    constraint: 'app_user_email_unique',
  });
  expect(JSON.stringify(refused)).toMatch(/ at /);
  expect(JSON.stringify(refused)).not.toMatch(/ana@|insert into/i);
});

test('keeps the messages of our own database guards, without the statement', () => {
  expect(broken?.err).toMatchObject({ code: 'P0001', message: 'transfer 1 is captured but its books say: nothing' });
  expect(JSON.stringify(broken)).not.toContain('Ana');
});

test('of other errors the message is kept, not what libraries attach', () => {
  expect(plain?.err).toMatchObject({ type: 'Error', code: 'card_declined', message: 'Your card was declined.' });
  expect(JSON.stringify(plain)).not.toContain('Ana');
  expect(odd?.err).toEqual({ message: 'just text' });
});

test('headers, bodies and secrets of requests are removed', () => {
  expect(request).toMatchObject({ req: { method: 'GET', url: '/' }, user: {} });
  expect(JSON.stringify(request)).not.toMatch(/cookie|ana@|"t"|"p"/);
});

test('a warning that is repeated thousands of times is two lines: the first one and the count of the others', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: unknown[] = [];
  const log = { warn: (...line: unknown[]) => lines.push(line) } as unknown as Logger;
  const warnings = new RepeatedWarnings(log);
  for (let time = 0; time < 5_000; time += 1) warnings.warn('a', { kind: 'a' }, 'a warning');
  warnings.warn('b', { kind: 'b' }, 'another');
  vi.advanceTimersByTime(10_000);
  const first = [
    [{ kind: 'a' }, 'a warning'],
    [{ kind: 'b' }, 'another'],
  ];
  expect(lines).toEqual([...first, [{ kind: 'a', repeated: 4_999 }, 'a warning']]);
  warnings.warn('a', { kind: 'a' }, 'a warning');
  expect(lines).toHaveLength(4);
});
