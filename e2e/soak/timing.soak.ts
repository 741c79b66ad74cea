import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaultPasswordCost } from '#domain/accounts/passwords';
import { readApiConfiguration } from '#platform/configuration/api';
import { TestApi, testPassword, unlimited } from '../../api/testing/test-api.ts';
import type { Answer } from '../../api/testing/test-browser.ts';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { seededRandom, soakSeed } from '../../infra/testing/soak.ts';

// Whether the time of an answer tells who has an account: calls about known and unknown addresses in a random order, and how well a guess
// by time alone would do.

/** Calls of each kind. */
const samples = 400;
/**
 * Number of probed accounts, and of addresses without one. Each is probed equally often, since the first call for an
 * address writes the row of its rate limit.
 */
const accounts = 50;

/**
 * How often a call about a known address takes longer than one about an unknown one; 0.5 tells nothing. With `samples` of each the figure
 * strays by 0.02 (its standard deviation) where there is no difference, so 0.1 is five times that.
 */
const maxAdvantage = 0.1;

let api: TestApi;
const known: string[] = [];
const unknown = Array.from({ length: accounts }, () => `user-${randomUUID()}@example.com`);
const oneOf = (addresses: readonly string[], share: number) => addresses[Math.floor(share * accounts)] as string;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  const env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: url });
  api = await TestApi.start(env, { rateLimitPoints: unlimited, passwordCost: defaultPasswordCost });
  for (let count = 0; count < accounts; count += 1) known.push((await api.person()).user.email);
}, 120_000);
afterAll(() => api?.close());

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] as number;
}

/** The probability that one of `longer` is larger than one of `shorter`; ties count half (Mann and Whitney's U over its maximum). */
function probabilityOf(longer: readonly number[], shorter: readonly number[]): number {
  const sorted = shorter.toSorted((one, other) => one - other);
  let sum = 0;
  for (const time of longer) {
    const below = sorted.filter((one) => one < time).length;
    const same = sorted.filter((one) => one === time).length;
    sum += below + same / 2;
  }
  return sum / (longer.length * shorter.length);
}

/** `other` gives an address without an account, by a number from 0 to 1. */
async function compare(
  name: string,
  call: (email: string) => Promise<Answer>,
  other = (share: number) => oneOf(unknown, share),
) {
  const random = seededRandom(soakSeed, name);
  const times = { known: [] as number[], unknown: [] as number[] };
  const left = { known: samples, unknown: samples };
  // Warm up compilation and caches for both kinds.
  for (let warm = 0; warm < 20; warm += 1) await call(warm % 2 === 0 ? other(warm / 20) : oneOf(known, warm / 20));
  while (left.known + left.unknown > 0) {
    const kind = random() * (left.known + left.unknown) < left.known ? 'known' : 'unknown';
    left[kind] -= 1;
    const email = kind === 'known' ? oneOf(known, random()) : other(random());
    const startedAt = performance.now();
    await call(email);
    times[kind].push(performance.now() - startedAt);
  }
  const probability = probabilityOf(times.known, times.unknown);
  const medians = { known: median(times.known), unknown: median(times.unknown) };
  console.log(
    `${name}: known ${medians.known.toFixed(2)} ms, unknown ${medians.unknown.toFixed(2)} ms (medians of ${samples}); known takes longer in ${(probability * 100).toFixed(1)} % of pairs`,
  );
  return { medians, advantage: Math.abs(probability - 0.5) };
}

it('the time of a refused sign-in does not tell whether the address has an account', async () => {
  const call = (email: string) =>
    api.visitor().send('POST', '/api/auth/login', { email, password: 'una-clave-mala-y-larga' });
  expect((await call(known[0] as string)).body).toEqual((await call(oneOf(unknown, 0))).body);
  expect((await compare('sign-in', call)).advantage).toBeLessThan(maxAdvantage);
});

it('the time of asking for a new password does not tell whether the address has an account', async () => {
  const call = (email: string) => api.visitor().send('POST', '/api/auth/recover', { email });
  expect((await call(known[0] as string)).status).toBe((await call(oneOf(unknown, 0))).status);
  expect((await compare('recovery', call)).advantage).toBeLessThan(maxAdvantage);
});

it('a sign-up to an address that is taken, which the answer says, costs a hash as any other', async () => {
  const person = { name: 'Rosa Mamani', password: testPassword, acceptedTerms: true };
  const call = (email: string) => api.visitor().send('POST', '/api/auth/register', { ...person, email });
  expect((await call(known[0] as string)).body.code).toBe('email_taken');
  const { medians } = await compare('sign-up', call, () => `user-${randomUUID()}@example.com`);
  // A hash takes some 30 ms; writing the account, its session and their audit entries a few.
  expect(medians.unknown - medians.known).toBeLessThan(medians.known / 2);
});
