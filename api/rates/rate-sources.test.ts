import { afterAll, beforeAll, expect, test } from 'vitest';
import { finishRateRun, openRateRun } from '#domain/rate-observations/rate-runs';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { TestApp } from '../testing/test-app.ts';

let app: TestApp;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  app = await TestApp.open(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
});

afterAll(() => app?.close());

test('an admin sees by name which rate source works and which does not, and why', async () => {
  const at = new Date();
  const { runId } = await app.api.database.transaction((em) =>
    openRateRun(em, { trigger: 'scheduled', everyMs: 7_200_000, at }),
  );
  const results = [
    { source: 'wiseComparison' as const, observations: 10, failure: null, tookMs: 321 },
    { source: 'ria' as const, observations: 0, failure: { code: 'bad_status' as const, status: 500 }, tookMs: 44 },
  ];
  await app.api.database.transaction((em) => finishRateRun(em, runId, { collected: [], results, at }));
  const { status, body } = await app.call('rateSources', app.admin);
  expect(status).toBe(200);
  expect(body.lastRunAt).toBe(at.toISOString());
  const of = (source: string) => body.sources.find((row: { source: string }) => row.source === source);
  expect(of('wiseComparison')).toMatchObject({ name: 'Comparador de Wise', status: 'working', latencyMs: 321 });
  expect(of('ria')).toMatchObject({
    name: 'Ria',
    status: 'failing',
    lastSuccessAt: null,
    attempts: 1,
    failures: 1,
    lastFailure: { code: 'bad_status', status: 500, sentence: 'Respondió con un error (500)' },
  });
  expect(of('ecb')).toMatchObject({ name: 'Banco Central Europeo', status: 'never_asked' });
});
