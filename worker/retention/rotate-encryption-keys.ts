import { sealAgain } from '#domain/identity/identity.repository';
import { hideTarget, type PayoutTarget, readTarget } from '#domain/personal-data/payout-target';
import {
  type HiddenNumbers,
  hideNumbers,
  hidePhone,
  type Owner,
  readNumbers,
  readPhone,
} from '#domain/personal-data/personal-data';
import type { Database, EntityManager } from '#platform/database/database';

/** Rows encrypted per transaction. */
const batchSize = 100;

interface Row {
  readonly id: string;
  readonly sealed: string | null;
}

/** Rows of one table that hold numbers, and how to re-encrypt one of them. */
interface Part {
  readonly table: string;
  /** SQL: the columns to read, including the row's `id`. */
  readonly columns: string;
  /** SQL: the encrypted value of a row. */
  readonly sealed: string;
  /** SQL: which rows have numbers. */
  readonly where: string;
  /** Writes the row unless it has changed since it was read. */
  readonly write: (em: EntityManager, row: never) => Promise<void>;
}

/**
 * Every table with identity, account or phone numbers. Name checks before their recipients, so that they are still
 * found.
 */
const parts: readonly Part[] = [
  {
    table: 'name_check',
    columns: 'id, bank_account as "bankAccount"',
    sealed: 'sealed',
    where: `bank_account <> ''`,
    write: async (em, row: Row & { bankAccount: string }) => {
      const { bankAccount, sealed, hashes } = await again(em, `name_check:${row.id}`, { ...row, ci: '', phone: '' });
      await em.execute(
        `update name_check set bank_account = ?, sealed = ?, account_hash = ?
         where id = ? and bank_account = ? and sealed is not distinct from ?`,
        [bankAccount, sealed, hashes.account, row.id, row.bankAccount, row.sealed],
      );
    },
  },
  {
    table: 'recipient',
    columns: 'id, ci, phone, bank_account as "bankAccount"',
    sealed: 'sealed',
    where: `bank_account <> ''`,
    write: async (em, row: Row & HiddenNumbers) => {
      const { ci, phone, bankAccount, sealed, hashes } = await again(em, `recipient:${row.id}`, row);
      await em.execute(
        `update recipient set ci = ?, phone = ?, bank_account = ?, sealed = ?, account_hash = ?
         where id = ? and ci = ? and phone = ? and bank_account = ? and sealed is not distinct from ?`,
        [ci, phone, bankAccount, sealed, hashes.account, row.id, row.ci, row.phone, row.bankAccount, row.sealed],
      );
    },
  },
  {
    table: 'app_user',
    columns: 'id, phone',
    sealed: 'phone_sealed',
    where: 'phone is not null',
    write: async (em, row: Row & { phone: string }) => {
      const known = { id: row.id, phone: row.phone, phoneSealed: row.sealed };
      const { phone, phoneSealed, phoneHash } = hidePhone(em, row.id, await readPhone(em, known));
      await em.execute(
        `update app_user set phone = ?, phone_sealed = ?, phone_hash = ?
         where id = ? and phone = ? and phone_sealed is not distinct from ?`,
        [phone, phoneSealed, phoneHash, row.id, row.phone, row.sealed],
      );
    },
  },
  {
    table: 'identity_check',
    columns: 'id',
    sealed: 'sealed',
    where: 'sealed is not null',
    write: (em, row: Row & { sealed: string }) => sealAgain(em, row),
  },
  {
    table: 'transfer',
    columns: 'id, payout_target as target',
    sealed: `payout_target ->> 'sealed'`,
    where: 'payout_target is not null',
    write: async (em, { id, target }: Row & { target: PayoutTarget }) => {
      const next = JSON.stringify(hideTarget(em, id, await readTarget(em, id, target)));
      await em.execute('update transfer set payout_target = ?::jsonb where id = ? and payout_target = ?::jsonb', [
        ...[next, id, JSON.stringify(target)],
      ]);
    },
  },
  ordered('complaint', 'complaint_id'),
  ordered('desk_request', 'rest_request_id'),
];

/** An order together with its payout: the database requires that both have the same account. */
function ordered(table: 'complaint' | 'desk_request', orderColumn: 'complaint_id' | 'rest_request_id'): Part {
  return {
    table,
    columns: 'id, transfer_id as "transferId", payout_target as target',
    sealed: `payout_target ->> 'sealed'`,
    where: 'payout_target is not null',
    write: async (em, { id, transferId, target }: Row & { transferId: string; target: PayoutTarget }) => {
      const next = JSON.stringify(hideTarget(em, transferId, await readTarget(em, transferId, target)));
      const values = [next, id, JSON.stringify(target)];
      for (const [name, column] of [
        [table, 'id'],
        ['operation', orderColumn],
      ]) {
        await em.execute(
          `update ${name} set payout_target = ?::jsonb where ${column} = ? and payout_target = ?::jsonb`,
          values,
        );
      }
    },
  };
}

async function again(em: EntityManager, owner: Owner, stored: HiddenNumbers) {
  return hideNumbers(em, owner, await readNumbers(em, owner, stored));
}

/**
 * SQL: the first rows of a part that are encrypted with another key. Both halves are in the order of their index, which
 * contains nothing else.
 */
function outdatedSql({ table, columns, sealed, where }: Part): string {
  // As in the indexes `*_sealed_with`: the key's name and its point.
  const key = `coalesce(left(${sealed}, 9), '')`;
  const half = (than: '<' | '>') =>
    `(select ${columns}, ${sealed} as sealed from ${table} where ${where} and ${key} ${than} ? order by ${key} limit ?)`;
  return `${half('<')} union all ${half('>')} limit ?`;
}

/**
 * Re-encrypts rows of earlier keys with the newest key, in batches of one commit each, while everything is running. Can
 * be run again, skipping finished rows. Returns the number of rows.
 * @throws UnreadablePersonalData for a row that cannot be decrypted.
 */
export async function rotateEncryptionKeys(database: Database): Promise<number> {
  const prefix = await database.personalData.currentPrefix();
  let taken = 0;
  for (const part of parts) {
    const outdated = outdatedSql(part);
    let before: string | null = '';
    while (before !== null) {
      const rows = await database.transaction(async (em) => {
        const batch = await em.execute<Row[]>(outdated, [prefix, batchSize, prefix, batchSize, batchSize]);
        for (const row of batch) await part.write(em, row as never);
        return batch;
      });
      const ids = rows.map(({ id }) => id).join();
      // The same rows have changed each time: the next run handles them.
      if (ids === before) break;
      taken += rows.length;
      before = rows.length < batchSize ? null : ids;
    }
  }
  return taken;
}
