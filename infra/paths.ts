import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** PostgreSQL refuses to run as root, and another user may be unable to enter the checkout. */
export const isRoot = process.getuid?.() === 0;

/** Kept between starts and shared by all checkouts of this user: PostgreSQL's programs. */
export const sharedHome = isRoot ? '/var/lib/chasqui' : join(root, '.data');

/** Kept between starts, for this checkout alone: the database and the sandbox's state. */
export const checkoutHome = isRoot
  ? join(sharedHome, `${basename(root)}-${createHash('sha256').update(root).digest('hex').slice(0, 10)}`)
  : sharedHome;

const ownNode = join(root, 'node_modules/.bin/node');
/** The Node 24 of the packages, or the running one. */
export const nodeProgram = existsSync(ownNode) ? ownNode : process.execPath;

/** Node's compile cache for the servers and their packages: they start a quarter faster. */
export const compileCache = { NODE_COMPILE_CACHE: join(checkoutHome, 'compile-cache') };
