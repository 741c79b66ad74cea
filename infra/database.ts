import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import pg from 'pg';
import { errorLine, Failure } from './failure.ts';
import { checkoutHome, compileCache, nodeProgram, root } from './places.ts';
import { PostgresServer } from './postgres/server.ts';

const databaseName = 'chasqui';
const connectMsMax = 8_000;

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
  return { server, url: server.url(databaseName) };
}

/** Throws `Failure` when nobody answers at DATABASE_URL, or not as it should. The password is never shown. */
export async function checkDatabase(url: string): Promise<void> {
  let where: string;
  try {
    const { protocol, hostname, port, pathname } = new URL(url);
    if (!protocol.startsWith('postgres')) throw new Error(protocol);
    where = `${hostname}:${port || 5432}${pathname}`;
  } catch {
    throw new Failure(
      'DATABASE_URL no es una dirección de PostgreSQL (postgresql://usuario:clave@servidor:5432/base).',
    );
  }
  try {
    const client = await connect(url);
    await client.end();
  } catch (error) {
    throw new Failure(`No se puede usar la base de datos de DATABASE_URL (${where}): ${errorLine(error)}.`);
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectMsMax });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Migrates or seeds the database. Throws `Failure` with the reason it gave. */
export async function runDatabaseCommand(
  name: 'migrate' | 'seed',
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  const { failed, all: output } = await execa(
    nodeProgram,
    ['--enable-source-maps', `dist/domain/commands/${name}.js`],
    {
      cwd: root,
      env: { ...env, ...compileCache },
      extendEnv: false,
      cancelSignal: signal,
      // Ctrl-C reaches it only through the signal.
      detached: true,
      stdin: 'ignore',
      all: true,
      reject: false,
    },
  );
  if (!failed || signal.aborted) return;
  const logFile = join(checkoutHome, `${name}.log`);
  await writeFile(logFile, output);
  const reason = /^\s*(?:\w*(?:Error|Exception)|Error): (.*)$/m.exec(output)?.[1] ?? output.trim().split('\n').at(-1);
  const what =
    name === 'migrate' ? 'No se pudo poner al día la base de datos' : 'No se pudieron crear los datos de ejemplo';
  throw new Failure(`${what}: ${reason || 'el motivo está en el registro'} (registro en ${logFile}).`);
}
