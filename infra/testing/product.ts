import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import type { DatabaseUrls } from '../database.ts';
import { freePort } from '../ports.ts';
import { Supervisor } from '../supervisor.ts';
import { startTestDatabaseServer } from './database-server.ts';

/** The product as `npm start` runs it, on separate ports and a separate database. */
export interface OwnProduct {
  readonly config: Config;
  readonly database: DatabaseUrls;
}

/**
 * Starts the product as `npm start` does, but with an empty database and free ports, and stops it after `work`.
 * `prepare` comes before the start, when the database is migrated and not in use.
 */
export async function withOwnProduct<T>(
  work: (product: OwnProduct) => Promise<T>,
  options: { env?: Record<string, string>; prepare?: (product: OwnProduct) => Promise<void> } = {},
): Promise<T> {
  const server = await startTestDatabaseServer();
  const sandboxData = await mkdtemp(join(tmpdir(), 'chasqui-product-'));
  const [port, sandboxPort, smtpPort] = [await freePort(), await freePort(), await freePort()];
  const config = readConfig({
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: server.database.url,
    DATABASE_OWNER_URL: server.database.ownerUrl,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_SMTP_PORT: String(smtpPort),
    SANDBOX_DATA_DIR: sandboxData,
    ...options.env,
  });
  const product = { config, database: server.database };
  const supervisor = new Supervisor(config);
  try {
    await options.prepare?.(product);
    await supervisor.start();
    return await work(product);
  } finally {
    await supervisor.stop();
    await server.close();
    await rm(sandboxData, { recursive: true, force: true });
  }
}
