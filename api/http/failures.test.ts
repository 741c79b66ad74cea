import { describe, expect, it } from 'vitest';
import { toFailure } from './failures.ts';

const databaseError = (code: string) => Object.assign(new Error('refused'), { code });

describe('toFailure', () => {
  it.each(['ECONNREFUSED', '08006', '57P01', '53300'])('the database error %s is an outage', (code) => {
    expect(toFailure(databaseError(code)).code).toBe('unavailable');
  });

  it.each(['08P01', '22021', '23514'])(
    'the database error %s is an unexpected failure, because the database answered',
    (code) => {
      expect(toFailure(databaseError(code)).code).toBe('internal');
    },
  );
});
