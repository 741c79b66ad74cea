import { describe, expect, it } from 'vitest';
import { defaultPasswordCost } from '#domain/accounts/passwords';
import { PasswordHashes } from './password-hashes.ts';

describe('password hashes', () => {
  it('password hashes are computed 4 at once with 60 waiting, and further callers are refused until there is room', async () => {
    const hashes = new PasswordHashes(defaultPasswordCost);
    const calls = Array.from({ length: 70 }, () => hashes.verify('una-clave-larga', null));
    const settled = await Promise.allSettled(calls);
    const refused = settled.flatMap((call) => (call.status === 'rejected' ? [call.reason] : []));
    expect(refused).toHaveLength(6);
    expect(refused[0]).toMatchObject({ code: 'too_many_requests', details: { retryAfterSeconds: 1 } });
    const hash = await hashes.hash('una-clave-larga');
    expect(await hashes.verify('una-clave-larga', hash)).toBe(true);
    expect(await hashes.verify('otra-clave-larga', hash)).toBe(false);
  });
});
