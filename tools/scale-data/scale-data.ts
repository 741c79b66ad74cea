import type { Client } from 'pg';
import { chainAudit, makeBooks, makeObservations, makeSurroundings } from './around.ts';
import type { Making } from './making.ts';
import { makeRecipients, makeSenders, sealTargets } from './people.ts';
import { deriveFromTransfers, makeTransfers, planTransfers } from './transfers.ts';

/** Up to this many transfers, triggers and foreign keys check every row. */
const maxChecked = 20_000;

/** Large tables, whose indexes are created after their rows. */
const large = [
  ...[
    'transfer',
    'transfer_step',
    'transfer_search',
    'operation',
    'ledger_posting',
    'review',
    'stripe_entry',
    'bank_entry',
  ],
  ...[
    'settlement_posting',
    'rate_observation',
    'rate_run',
    'audit_entry',
    'audit_chain',
    'app_user',
    'recipient',
    'mail',
  ],
];

/** Reports a line with the milliseconds since the previous one. */
type Say = (line: string) => void;

/**
 * Fills a database that has the sandbox's accounts and rates, in one transaction of the superuser that owns it. Up to
 * `maxChecked` transfers every row passes its triggers; beyond that, triggers are off, totals and search data are
 * written directly, and indexes are created at the end.
 * @throws Error when the data already exists.
 */
export async function makeScaleData(
  client: Client,
  making: Making,
  { passwordHash, admins, say = () => {} }: { passwordHash: string; admins: readonly [string, string]; say?: Say },
): Promise<void> {
  const checked = making.transfers <= maxChecked;
  let last = performance.now();
  const done = (what: string) => {
    say(`${what}: ${((performance.now() - last) / 1000).toFixed(1)} s`);
    last = performance.now();
  };
  await client.query(
    `begin; set local statement_timeout = 0; set local maintenance_work_mem = '1GB'; set local work_mem = '256MB'`,
  );
  try {
    if (!checked) await client.query('set local session_replication_role = replica');
    const indexes = checked ? [] : await dropIndexes(client);
    await client.query(
      `create temp table made_admin as select array_position($1::text[], email) - 1 as n, id from app_user where email = any ($1::text[])`,
      [admins],
    );
    await makeSenders(client, making, passwordHash);
    await makeRecipients(client, making);
    done('people');
    await planTransfers(client, making);
    done('plan');
    await sealTargets(client, making);
    done('personal data');
    await makeTransfers(client, making);
    done('transfers');
    if (!checked) await deriveFromTransfers(client);
    done('totals and search');
    await makeSurroundings(client, making);
    if (!checked) await chainAudit(client);
    done('reviews, e-mails, reports, audit log');
    await makeBooks(client, making);
    done('books');
    await makeObservations(client, making);
    done('observations');
    for (const index of indexes) await client.query(index);
    done('indexes');
    await client.query('set constraints all immediate');
    done('checks');
    // As the hourly job does: past days have one row.
    await client.query(`select fold_totals(($1::timestamptz - interval '2 days')::date)`, [making.until]);
    await client.query('commit');
    done('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
  await client.query('vacuum analyze');
  done('statistics');
}

/** Drops the indexes of large tables that no constraint needs; returns the statements that create them again. */
async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index as i
     where i.indrelid::regclass::text = any ($1) and not exists (select from pg_constraint where conindid = i.indexrelid)`,
    [large],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}
