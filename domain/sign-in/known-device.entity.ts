import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/**
 * A browser that has signed in to an account before. It keeps a secret in a cookie; one browser may know several
 * accounts.
 */
export const KnownDevice = defineEntity({
  name: 'KnownDevice',
  tableName: 'known_device',
  properties: {
    /** SHA-256 of the cookie's secret, hex. */
    secretHash: p.text().primary(),
    userId: p.uuid().primary().index(),
    /** Since when it knows the account. */
    firstSignInAt: p.datetime().defaultRaw('now()'),
    lastSignInAt: p.datetime().index(),
  },
});
export type KnownDevice = InferEntity<typeof KnownDevice>;
