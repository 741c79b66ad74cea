import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { hitScore } from '#core/review/screening';
import { startWatchman, type TestWatchman } from '../../sandbox/testing/start-watchman.ts';
import { connectWatchman } from './watchman.ts';

let service: TestWatchman;
const client = () => connectWatchman(service.env.WATCHMAN_URL, { waitMs: 300 });

beforeAll(async () => {
  service = await startWatchman();
});
afterEach(() => service.clearFaults());
afterAll(() => service.close());

test('a listed name is found in another order, without accents and capitals, with its list, number and programs', async () => {
  const found = await client().search('Ramiro Cóndarco Villegas', hitScore);
  expect(found).toEqual([
    { ...{ source: 'us_ofac', sourceId: '900101', name: 'CONDARCO VILLEGAS, Ramiro' }, programs: ['SDNTK'], score: 1 },
  ]);
  expect(await client().search('Тимур Базанов', hitScore)).toMatchObject([{ source: 'uk_csl' }]);
});

test('a name that only slightly resembles a listed one is found with a lower score, and not as a hit', async () => {
  const [near] = await client().search('Ramiro Céspedes Rojas', 0.5);
  expect(near?.score).toBeLessThan(hitScore);
  expect(await client().search('Ramiro Céspedes Rojas', hitScore)).toEqual([]);
});

test('a search without results is empty although the service answers null instead of an empty list', async () => {
  expect(await client().search('Rosa Mamani', hitScore)).toEqual([]);
});

test.each([
  ['an error of the service', { kind: 'error', status: 503 }, 'the list service answered 503'],
  ['a connection that is closed', { kind: 'drop' }, ''],
  ['no answer in time', { kind: 'timeout' }, ''],
] as const)('%s is an error, whose message does not contain the name', async (_, fault, message) => {
  service.failNext(fault);
  const refused = await client()
    .search('Rosa Mamani', hitScore)
    .catch((error: Error) => error);
  expect(refused).toBeInstanceOf(Error);
  expect((refused as Error).message).toContain(message);
  expect((refused as Error).message).not.toContain('Rosa');
});

test.each([
  '<html>',
  '{}',
  '{"error":"lists are loading"}',
  '{"entities":[{"name":"X","match":1}]}',
  '{"entities":[{"name":"X","sourceList":"us_ofac","sourceID":"1","match":7}]}',
])('the answer %s is an error, not an empty result', async (body) => {
  const server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const search = connectWatchman(`http://127.0.0.1:${port}`).search('Rosa Mamani', hitScore);
  await expect(search).rejects.toThrow('the answer of the list service cannot be read');
  server.close();
});
