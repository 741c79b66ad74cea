import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eicar, FakeClamd } from '../infra/testing/fake-clamd.ts';
import { connectClamd } from './clamd.ts';

let clamd: FakeClamd;
beforeAll(async () => {
  clamd = await FakeClamd.start();
});
afterEach(() => {
  clamd.says = undefined;
});
afterAll(() => clamd?.close());

const find = (bytes: Uint8Array, waitMs?: number) =>
  connectClamd(clamd.url, waitMs === undefined ? {} : { waitMs }).find(bytes);

test('a file is sent completely, and the virus in it is named', async () => {
  const large = Buffer.alloc(2 * 1024 * 1024, 'x');
  expect(await find(large)).toBeNull();
  expect(clamd.files.at(-1)?.equals(large)).toBe(true);
  expect(await find(Buffer.from(`%PDF-1.7 ${eicar}`))).toBe('Eicar-Test-Signature');
});

test.each([
  ['INSTREAM size limit exceeded. ERROR', 'gave no verdict'],
  ['', 'gave no verdict'],
  ['stream: OK but not quite', 'gave no verdict'],
  ['x'.repeat(5_000), 'gave no verdict'],
  [null, 'aborted'],
] as const)('a scanner that says %j has not found a file clean', async (says, message) => {
  clamd.says = says;
  await expect(find(Buffer.from('%PDF-'), says === null ? 50 : undefined)).rejects.toThrow(message);
});

test('a scanner that is not there has not found a file clean', async () => {
  const gone = await FakeClamd.start();
  const { url } = gone;
  await gone.close();
  await expect(connectClamd(url).find(Buffer.from('%PDF-'))).rejects.toThrow('ECONNREFUSED');
});
