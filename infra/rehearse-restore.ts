import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { Failure } from './failure.ts';
import { nodeProgram, root } from './paths.ts';
import { databaseOwner } from './postgres/binaries.ts';
import { PostgresServer } from './postgres/server.ts';
import { databaseUrls } from './testing/database-urls.ts';
import { testEnvironment } from './testing/environment.ts';
import { createMigratedDatabase } from './testing/services.ts';

// `npm run rehearse:restore`: backup, a mistake, restore to the moment before it, and lost keys, as docs/runbook.md
// describes them, with a separate database on this machine. Fails as soon as anything differs from before.

const run = promisify(execFile);
const name = 'chasqui';
const key = () => randomBytes(32).toString('base64');
/** The compared tables: all those that a person would miss. */
const tables = [
  'app_user',
  'recipient',
  'transfer',
  'transfer_step',
  'operation',
  'ledger_posting',
  'mail',
  'audit_entry',
  'rate',
];

const startedAt = Date.now();
const say = (text: string) => console.log(`${((Date.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${text}`);

function expect(holds: boolean, what: string): void {
  if (!holds) throw new Failure(`El ensayo falló: ${what}.`);
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Rows and contents of each table, as one line each. */
const contentsOf = (url: string) =>
  withClient(url, async (client) => {
    const parts = tables.map(
      (table) =>
        `select '${table}' as name, count(*)::int as rows, md5(string_agg(md5(t::text), '' order by md5(t::text))) as hash from ${table} as t`,
    );
    return (await client.query<{ name: string; rows: number; hash: string }>(parts.join(' union all '))).rows;
  });

/** Runs a command of the product on the database, with a list of keys of personal data. */
async function command(
  program: string,
  { url, ownerUrl }: { url: string; ownerUrl: string },
  personalDataKey: string,
): Promise<{ ok: boolean; text: string }> {
  const env = {
    ...process.env,
    ...testEnvironment,
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl,
    PERSONAL_DATA_KEY: personalDataKey,
    DEMO_PASSWORD: 'ensayo-demo',
  };
  try {
    const { stdout } = await run(nodeProgram, [`tools/commands/${program}.ts`], {
      cwd: root,
      env,
    });
    return { ok: true, text: stdout };
  } catch (error) {
    return { ok: false, text: (error as { stderr?: string }).stderr ?? String(error) };
  }
}

/** A directory that PostgreSQL's own user may enter and write. */
async function directoryOf(parent: string, child: string): Promise<string> {
  const path = join(parent, child);
  await mkdir(path, { recursive: true });
  const owner = databaseOwner();
  if (owner) await chown(path, owner.uid, owner.gid);
  return path;
}

/** A base backup without extra tools: PostgreSQL says when its files may be copied, and which files to add to them. */
async function backUp(server: PostgresServer, data: string, target: string): Promise<void> {
  await withClient(server.url(name), async (client) => {
    await client.query("select pg_backup_start('ensayo', fast => true)");
    const left = [join(data, 'pg_wal'), join(data, 'postmaster.pid'), join(data, 'postmaster.opts')];
    await cp(data, target, {
      recursive: true,
      preserveTimestamps: true,
      filter: (source) => !left.some((path) => source.startsWith(path)),
    });
    // Waits until the write-ahead log of the copy is in the archive.
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => true)',
    );
    await mkdir(join(target, 'pg_wal'), { mode: 0o700 });
    await writeFile(join(target, 'backup_label'), rows[0]?.labelfile ?? '');
    await writeFile(join(target, 'recovery.signal'), '');
  });
  await chmod(target, 0o700);
  const owner = databaseOwner();
  if (owner) await run('chown', ['-R', `${owner.uid}:${owner.gid}`, target]);
}

async function rehearse(directory: string, opened: (() => Promise<void>)[]): Promise<void> {
  await chmod(directory, 0o755);
  const archive = await directoryOf(directory, 'archive');
  const [first, second] = [key(), key()];

  say('Base de datos con archivo continuo (archive_command) y datos de demostración…');
  const settings = { archive_mode: 'on', archive_command: `test ! -f '${archive}/%f' && cp '%p' '${archive}/%f'` };
  const source = join(directory, 'source');
  const server = await PostgresServer.start({ directory: source, settings });
  opened.push(() => server.stop('immediate'));
  const made = await createMigratedDatabase(server.url(), name);
  const seeded = await command('seed', made, first);
  expect(seeded.ok, `no se pudieron crear los datos (${seeded.text.trim()})`);

  say('Copia base mientras la base trabaja…');
  const restored = await directoryOf(directory, 'restored');
  await backUp(server, join(source, 'data'), join(restored, 'data'));
  await cp(join(source, 'password'), join(restored, 'password'), { preserveTimestamps: true });

  say('Lo que pasa después de la copia: un cambio bueno, y luego un error…');
  const owner = server.url(name);
  const moment = await withClient(owner, async (client) => {
    await client.query(
      "update app_user set name = 'Después de la copia' where id = (select id from app_user order by id limit 1)",
    );
    const { rows } = await client.query<{ at: string }>('select clock_timestamp()::text as at');
    return rows[0]?.at ?? '';
  });
  const before = await contentsOf(owner);
  await withClient(owner, async (client) => {
    await client.query('drop table ledger_posting cascade');
    await client.query("update app_user set name = 'Error'");
    await client.query('select pg_switch_wal()');
    for (let waiting = true; waiting; ) {
      const { rows } = await client.query<{ done: boolean }>(
        'select last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1) as done from pg_stat_archiver',
      );
      waiting = !rows[0]?.done;
    }
  });
  await server.stop('immediate');

  say(`La máquina se pierde. Restaurar al momento ${moment}…`);
  const restoring = Date.now();
  const recovery = {
    restore_command: `cp '${archive}/%f' '%p'`,
    recovery_target_time: moment,
    recovery_target_action: 'promote',
  };
  const copy = await PostgresServer.start({ directory: restored, settings: recovery });
  opened.push(() => copy.stop('immediate'));
  await withClient(copy.url(name), async (client) => {
    for (let recovering = true; recovering; ) {
      const { rows } = await client.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering');
      recovering = rows[0]?.recovering ?? true;
    }
  });
  const after = await contentsOf(copy.url(name));
  for (const [index, one] of before.entries()) {
    const found = after[index];
    expect(found?.hash === one.hash && found.rows === one.rows, `la tabla ${one.name} no es la de antes del error`);
  }
  const rows = before.reduce((sum, one) => sum + one.rows, 0);
  say(
    `Restaurada en ${((Date.now() - restoring) / 1000).toFixed(1)} s: ${tables.length} tablas, ${rows} filas, todas iguales.`,
  );

  const urls = databaseUrls(copy.url(), name);
  const chain = await command('audit-verify', urls, first);
  expect(chain.ok, `el registro de auditoría no está entero (${chain.text.trim()})`);
  say(`Registro de auditoría: ${chain.text.trim().split('.')[0]}.`);

  say('Claves de datos personales…');
  const lost = await command('personal-data-rotate', urls, second);
  expect(!lost.ok, 'una clave ajena abrió los datos personales');
  const [counted] = await withClient(copy.url(name), async (client) => {
    const text = `select (select count(*) from recipient where ci <> '' or bank_account <> '') as recipients,
      (select count(*) from app_user where phone <> '') as people, (select count(*) from transfer where payout_target is not null) as transfers`;
    return (await client.query<Record<'recipients' | 'people' | 'transfers', string>>(text)).rows;
  });
  say(
    `Perdida: no abre. No se podrían leer los números de ${counted?.recipients} destinatarios, ${counted?.people} personas y ${counted?.transfers} envíos; lo demás sigue.`,
  );
  const rotated = await command('personal-data-rotate', urls, `${second},${first}`);
  expect(rotated.ok, `la clave no se pudo cambiar (${rotated.text.trim()})`);
  expect((await command('personal-data-rotate', urls, second)).ok, 'la clave nueva sola no abre los datos');
  expect(!(await command('personal-data-rotate', urls, first)).ok, 'la clave vieja todavía abre los datos');
  say('Cambiada: la nueva abre sola, la vieja ya no.');
}

const directory = await mkdtemp(join(tmpdir(), 'chasqui-rehearsal-'));
const opened: (() => Promise<void>)[] = [];
try {
  await rehearse(directory, opened);
  say('El ensayo salió bien.');
} catch (error) {
  console.error(error instanceof Failure ? error.message : error);
  process.exitCode = 1;
} finally {
  for (const close of opened.reverse()) await close();
  await rm(directory, { recursive: true, force: true });
}
