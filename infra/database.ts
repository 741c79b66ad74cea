import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import pg from 'pg';
import { errorLine, Failure } from './failure.ts';
import { checkoutHome, compileCache, nodeProgram, root } from './paths.ts';
import { PostgresServer } from './postgres/server.ts';

const databaseName = 'chasqui';
/** The role of api and worker, created by migrate. */
const runtimeRole = 'chasqui_runtime';
const connectMsMax = 8_000;

/** Connection strings of the database: as the role of api and worker, and as the owner of its tables. */
export interface DatabaseUrls {
  url: string;
  ownerUrl: string;
}

/** The embedded server of this checkout, its database created. Throws `Failure`. */
export async function startEmbeddedDatabase(say: (line: string) => void) {
  const server = await PostgresServer.start({
    directory: join(checkoutHome, 'postgres'),
    onCreate: () => say('Creando la base de datos…'),
  });
  try {
    const client = await connect(server.url());
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
    await client.end();
  } catch (error) {
    await server.stop();
    throw new Failure(`La base de datos de ${checkoutHome}/postgres está dañada: ${errorLine(error)}.`);
  }
  const urls: DatabaseUrls = { url: server.url(databaseName, runtimeRole), ownerUrl: server.url(databaseName) };
  return { server, urls };
}

/**
 * Throws `Failure` if nothing answers at the address in `variable`, or the answer is wrong. The password is never
 * shown.
 */
export async function checkDatabase(url: string, variable: string): Promise<void> {
  let where: string;
  try {
    const { protocol, hostname, port, pathname } = new URL(url);
    if (!protocol.startsWith('postgres')) throw new Error(protocol);
    where = `${hostname}:${port || 5432}${pathname}`;
  } catch {
    throw new Failure(`${variable} no es una dirección de PostgreSQL (postgresql://usuario:clave@servidor:5432/base).`);
  }
  try {
    const client = await connect(url);
    await client.end();
  } catch (error) {
    throw new Failure(`No se puede usar la base de datos de ${variable} (${where}): ${errorLine(error)}.`);
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectMsMax });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Migrates the database, and with `seed` makes the demonstration's data. Throws `Failure` with the reason that was given. */
export async function migrateDatabase(options: {
  env: NodeJS.ProcessEnv;
  database: DatabaseUrls;
  seed: boolean;
  signal: AbortSignal;
}): Promise<void> {
  const { env, database, seed, signal } = options;
  const urls = { DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl };
  const command = ['dist/tools/commands/migrate.js', ...(seed ? ['--seed'] : [])];
  const { failed, all: output } = await execa(nodeProgram, ['--enable-source-maps', ...command], {
    cwd: root,
    env: { ...env, ...urls, ...compileCache },
    extendEnv: false,
    cancelSignal: signal,
    // Ctrl-C reaches it only through the signal.
    detached: true,
    stdin: 'ignore',
    all: true,
    reject: false,
  });
  if (!failed || signal.aborted) return;
  const logFile = join(checkoutHome, 'migrate.log');
  await writeFile(logFile, output);
  const reason = /^\s*(?:\w*(?:Error|Exception)|Error): (.*)$/m.exec(output)?.[1] ?? output.trim().split('\n').at(-1);
  throw new Failure(
    `No se pudo poner al día la base de datos: ${reason || 'el motivo está en el registro'} (registro en ${logFile}).`,
  );
}
