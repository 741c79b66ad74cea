import { chmod, mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../lock-file.ts';
import { checkoutHome } from '../paths.ts';
import { PostgresServer } from '../postgres/server.ts';

/** A killed process loses nothing it wrote without fsync, a killed machine would: good enough for tests. */
export const testSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  // A product keeps some fifty, and two are open for each process that runs tests.
  max_connections: '600',
  shared_buffers: '256MB',
  max_wal_size: '256MB',
  // Hashing a password thousands of times, with each of some thousand connections, protects nothing here.
  scram_iterations: '1',
};

/** A file system in memory. On a busy disk a new database takes ten times as long. */
const memory = '/dev/shm';
/**
 * Required free space there and in memory: the databases of a full test run stay below 1 GB, and the tests need memory
 * too.
 */
const memoryBytesMin = 2 * 2 ** 30;
const availableBytesMin = 4 * 2 ** 30;
/** With the name of the socket in it a path has at most 103 bytes on macOS, and a few more on Linux. */
const socketDirectoryLengthMax = 84;
/** Followed by the number of the process that uses the directory. */
const prefix = 'chasqui-test-';

/** A PostgreSQL server for tests; `remove` stops it and leaves nothing behind. */
export interface TestCluster {
  server: PostgresServer;
  /** Connection string by a socket of the file system: a query costs the processors a third less than over TCP. */
  url: string;
  remove: () => Promise<void>;
}

/**
 * Starts a new, empty server with the tests' settings and `more` of them, its data in memory where there is room. Throws `Failure`.
 */
export async function startTestCluster(more: Readonly<Record<string, string>> = {}): Promise<TestCluster> {
  const home = (await hasRoom()) ? memory : join(checkoutHome, 'tests');
  await mkdir(home, { recursive: true });
  await removeAbandoned(home);
  const directory = await mkdtemp(join(home, `${prefix}${process.pid}-`));
  // If PostgreSQL runs as a separate user, that user must be able to enter. Only the server can read the data inside.
  await chmod(directory, 0o755);
  const sockets = join(directory, 'data');
  const hasSocket = process.platform !== 'win32' && sockets.length <= socketDirectoryLengthMax;
  const settings = { ...testSettings, ...(hasSocket && { unix_socket_directories: sockets }), ...more };
  const server = await PostgresServer.start({ directory, settings });
  const url = new URL(server.url());
  // Over the host, which stays there for who leads connections through a proxy.
  if (hasSocket) url.searchParams.set('host', sockets);
  return {
    server,
    url: url.href,
    remove: async () => {
      await server.stop('immediate');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function hasRoom(): Promise<boolean> {
  if (process.platform !== 'linux' || process.availableMemory() < availableBytesMin) return false;
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= memoryBytesMin;
}

/** Removes the directories of test runs that were killed. */
async function removeAbandoned(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid)) await rm(join(home, name), { recursive: true, force: true }).catch(() => {});
  }
}
