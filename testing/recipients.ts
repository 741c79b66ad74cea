import { randomUUID } from 'node:crypto';
import { hideNumbers } from '#domain/personal-data/personal-data';
import type { EntityManager } from '#platform/database/database';
import { testTarget } from './transfers.ts';

/** Inserts a sender's recipient, by default like `testTarget`; without a name check. Returns its id. */
export async function insertTestRecipient(
  em: EntityManager,
  userId: string,
  given: Partial<typeof testTarget> = {},
): Promise<string> {
  const id = randomUUID();
  const { name, bankName, address, city, ...numbers } = { ...testTarget, ...given };
  const { ci, phone, bankAccount, sealed, hashes } = hideNumbers(em, `recipient:${id}`, numbers);
  await em.execute(
    `insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship, created_at, sealed,
       account_hash) values (?, ?, ?, '', ?, ?, ?, ?, ?, ?, '', now(), ?, ?)`,
    [id, userId, name, phone, ci, bankName, bankAccount, address, city, sealed, hashes.account],
  );
  return id;
}
