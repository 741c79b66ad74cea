import type { Client } from 'pg';
import { queueSchema } from '../queues/queues.ts';

/** Tables whose rows expire or are used up; files, once their sender is erased (a trigger). Of every other table no row is ever deleted. */
const deletable = [
  'account_change',
  'account_change_link',
  'attachment',
  'crypto_order',
  'declined_attempt',
  'email_change',
  'email_change_link',
  'email_proof',
  'idempotency_key',
  'identity_check',
  'known_device',
  'mail',
  'name_check',
  'outbox',
  'password_recovery',
  'password_recovery_link',
  'payment_origin',
  'pending_sign_in',
  'push_subscription',
  'queue_pause',
  'rate_alert',
  'rate_limit',
  'recovery_code',
  'repeat_plan',
  'repeat_reminder',
  'second_factor',
  'session',
  'socket_io_attachments',
  'stripe_event',
  'web_push',
  'webauthn_challenge',
  'webauthn_credential',
  'webhook_delivery',
];

/** Tables whose rows only their owner changes: data keys are encrypted with another key by a command of the operator. */
const changedByOwner = ['data_key'];

/** Tables that a trigger keeps with its owner's rights. */
const derived = [
  'account_total',
  'active_total',
  'audit_chain',
  'sender_day_total',
  'sender_total',
  'transfer_day_total',
  'transfer_search',
];

/** The role of `DATABASE_URL` is unsuitable. The message is one sentence for the operator. */
export class RuntimeRoleProblem extends Error {
  override name = 'RuntimeRoleProblem';
}

/**
 * Makes sure of the role that api and worker connect as, and of what it may do: it owns nothing, so it can neither
 * change tables nor switch triggers off; on append-only tables and on that of data keys it may only read and insert,
 * and data kept by triggers it may only read. Run it after every migration, as the owner, and never concurrently.
 * Grants of earlier versions that this one lacks are revoked. @throws RuntimeRoleProblem
 */
export async function grantRuntimeRole(owner: Client, databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl);
  const name = decodeURIComponent(url.username);
  await createRole(owner, name, decodeURIComponent(url.password));
  await refusePowerfulRole(owner, name);
  const role = owner.escapeIdentifier(name);
  const list = (tables: readonly string[]) => tables.map((table) => owner.escapeIdentifier(table)).join(', ');
  const appendOnly = (await appendOnlyTables(owner)).filter((table) => !derived.includes(table));
  const { rows } = await owner.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migration'",
  );
  const insertOnly = [...appendOnly, ...changedByOwner];
  const kept = [...insertOnly, ...derived];
  const changing = rows.map((table) => table.name).filter((table) => !kept.includes(table));
  await owner.query('begin');
  try {
    await owner.query(`
      grant usage on schema public to ${role};
      revoke all on all tables in schema public from ${role};
      grant select on all tables in schema public to ${role};
      grant insert on ${list([...changing, ...insertOnly])} to ${role};
      grant update on ${list(changing)} to ${role};
      grant delete on ${list(deletable)} to ${role};
      grant usage on all sequences in schema public to ${role};
    `);
    await grantQueues(owner, role);
    await owner.query('commit');
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
}

/**
 * The queues' tables, where they are in this database, may be written. Each queue makes itself a sequence for its jobs' ids.
 */
async function grantQueues(owner: Client, role: string): Promise<void> {
  const found = await owner.query('select from pg_namespace where nspname = $1', [queueSchema]);
  if (!found.rowCount) return;
  const { rows } = await owner.query<{ sequence: string }>(
    `select oid::regclass::text as sequence from pg_class
     where relkind = 'S' and relnamespace = $1::regnamespace and relowner = current_user::regrole`,
    [queueSchema],
  );
  await owner.query(`
    grant usage, create on schema ${queueSchema} to ${role};
    grant select, insert, update, delete on all tables in schema ${queueSchema} to ${role};
    grant usage, select, update on ${rows.map(({ sequence }) => sequence).join(', ')} to ${role};
  `);
}

async function createRole(owner: Client, name: string, password: string): Promise<void> {
  const found = await owner.query('select from pg_roles where rolname = $1', [name]);
  if (found.rowCount) return;
  const login = password === '' ? 'login' : `login password ${owner.escapeLiteral(password)}`;
  try {
    await owner.query(`create role ${owner.escapeIdentifier(name)} ${login}`);
  } catch (error) {
    const code = (error as { code?: string }).code;
    // Roles are shared by all databases of a server: another one's migration may have been faster.
    if (code === '42710' || code === '23505') return;
    if (code !== '42501') throw error;
    throw new RuntimeRoleProblem(
      `DATABASE_URL names the role "${name}", which does not exist and which the role of DATABASE_OWNER_URL may not create: create it first, with LOGIN and a password.`,
    );
  }
}

/** A role that owns tables, or can become their owner, is bound by nothing that is granted or revoked here. */
async function refusePowerfulRole(owner: Client, name: string): Promise<void> {
  const { rows } = await owner.query<{ powerful: boolean }>(
    `select rolsuper or pg_has_role(oid, current_user, 'member')
       or exists (select from pg_tables where schemaname = 'public' and pg_has_role(oid, tableowner, 'member')) as powerful
     from pg_roles where rolname = $1`,
    [name],
  );
  if (!rows[0]?.powerful) return;
  throw new RuntimeRoleProblem(
    `The role "${name}" of DATABASE_URL owns tables or can become their owner: name another one there, and let "${name}" stand in DATABASE_OWNER_URL.`,
  );
}

/** Tables whose trigger refuses changes. */
async function appendOnlyTables(owner: Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select distinct relname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
     where tgfoid = 'public.refuse_change'::regproc`,
  );
  return rows.map(({ name }) => name);
}
