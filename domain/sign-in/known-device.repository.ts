import { randomUUID } from 'node:crypto';
import type { Device } from '#core/accounts/device';
import type { EntityManager } from '#platform/database/database';
import { findUser, findUsersById } from '../accounts/account.repository.ts';
import { recordChange } from '../accounts/account-change.repository.ts';
import { notOnLegalHold } from '../accounts/legal-hold.repository.ts';
import { hashSecret } from '../accounts/passwords.ts';
import { addEmail } from '../emails/email.repository.ts';
import { KnownDevice } from './known-device.entity.ts';

/** Whether the browser with this secret has signed in to the account of an e-mail address before. */
export async function isKnownDevice(em: EntityManager, secret: string, email: string): Promise<boolean> {
  // The device is looked up first, so that the response time does not reveal whether an address has an account.
  const devices = await em.find(KnownDevice, { secretHash: hashSecret(secret) });
  if (devices.length === 0) return false;
  const people = await findUsersById(
    em,
    devices.map(({ userId }) => userId),
  );
  return people.some((one) => one.email === email);
}

/**
 * Records that the browser with this secret signed in to an account, in the transaction of `em`. With `device`, e-mails
 * the user if the browser is new to the account and others are known: the first browser is not reported.
 */
export async function noteSignIn(
  em: EntityManager,
  { secret, userId, at, device }: { secret: string; userId: string; at: Date; device?: Device },
): Promise<void> {
  if (device) {
    const isKnown = (await em.count(KnownDevice, { secretHash: hashSecret(secret), userId })) > 0;
    const isNew = !isKnown && (await em.findOne(KnownDevice, { userId })) !== null;
    const user = isNew ? await findUser(em, userId) : null;
    if (user) {
      const { data: undo, ...to } = await recordChange(em, { user, kind: 'device', at });
      const data = { ...undo, at: at.toISOString(), ...device };
      await addEmail(em, { kind: 'new_device', key: `new_device-${randomUUID()}`, data, at, userId, ...to });
    }
  }
  const known = { secretHash: hashSecret(secret), userId, firstSignInAt: at, lastSignInAt: at };
  await em.upsert(KnownDevice, known, { onConflictMergeFields: ['lastSignInAt'] });
}

/** Deletes every known browser of an account, in the transaction of `em`. */
export async function forgetDevices(em: EntityManager, userId: string): Promise<void> {
  await em.nativeDelete(KnownDevice, { userId });
}

/** Deletes browsers whose last sign-in was before a moment. */
export async function forgetUnusedDevices(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(KnownDevice, { lastSignInAt: { $lt: before }, ...notOnLegalHold() });
}
