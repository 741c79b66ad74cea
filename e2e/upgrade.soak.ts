// `npm run upgrade:check`: the version before, on the schema of this one. It is built from `UPGRADE_FROM`, a revision or tag; by default the
// last one before the newest migration. While that is the baseline, it is the revision that added the baseline.
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { nodeProgram, root } from '../infra/paths.ts';
import { startTestDatabaseServer } from '../infra/testing/database-server.ts';
import { TestRedisServer } from '../infra/testing/redis-server.ts';
import { soakQueues } from '../infra/testing/soak.ts';
import { migrations } from '../platform/database/migrations/all.ts';
import { approve, hold, newPayer, untilCompleted } from './paid-transfer.ts';
import { openApp } from './test-app.ts';

let before: string;

const git = async (...argv: string[]) => (await execa('git', argv, { cwd: root })).stdout.trim();

/** @throws where the checkout has no history to look into. */
async function revisionBefore(): Promise<string> {
  const { UPGRADE_FROM } = process.env;
  if (UPGRADE_FROM) return git('rev-parse', '--verify', `${UPGRADE_FROM}^{commit}`);
  const file = `platform/database/migrations/migration-${migrations.at(-1)?.name}.ts`;
  const added = await git('log', '-1', '--diff-filter=A', '--format=%H', '--', file);
  // Without a later migration there is no older schema: both versions have the baseline.
  return git('rev-parse', '--verify', migrations.length === 1 ? added : `${added}~1`);
}

beforeAll(async () => {
  const revision = await revisionBefore();
  before = await mkdtemp(join(tmpdir(), 'chasqui-before-'));
  await git('worktree', 'add', '--force', '--detach', before, revision);
  const lock = (folder: string) => readFile(join(folder, 'package-lock.json'), 'utf8');
  // The same packages need no second installation.
  if ((await lock(before)) === (await lock(root)))
    await symlink(join(root, 'node_modules'), join(before, 'node_modules'));
  else {
    await cp(join(root, 'node_modules'), join(before, 'node_modules'), { recursive: true, verbatimSymlinks: true });
    await execa(nodeProgram, ['infra/bootstrap.mjs'], { cwd: before });
  }
  console.log(`the version before is ${await git('log', '-1', '--format=%h %cs %s', revision)}`);
  await execa(nodeProgram, ['infra/build.ts'], { cwd: before });
}, 15 * 60_000);

afterAll(async () => {
  await git('worktree', 'remove', '--force', before);
  await rm(before, { recursive: true, force: true });
});

test.each([
  ['api and worker of the version before', { api: true, worker: true }],
  ['the api of the version before, and this worker', { api: true, worker: false }],
  ['this api, and the worker of the version before', { api: false, worker: true }],
])(
  '%s bring a payment to its end on the schema of this version',
  async (_, old) => {
    const server = await startTestDatabaseServer();
    onTestFinished(() => server.close());
    const redis = soakQueues === 'redis' ? await TestRedisServer.start() : null;
    if (redis) onTestFinished(() => redis.close());
    const builds = { ...(old.api && { api: before }), ...(old.worker && { worker: before }) };
    const app = await openApp({ database: server.database, redisUrl: redis?.url, builds });
    onTestFinished(() => app.stack.close());
    app.stack.showLogOnFailure();
    const payer = await newPayer(app);
    const id = await hold(payer, app.stack.sandboxUrl);
    await approve(app.admin, id);
    await untilCompleted(payer, id);
    // Errors of a statement that no longer fits the schema end up here, also where a retry hides them.
    for (const name of app.stack.servers)
      expect(app.stack.log(name)).not.toMatch(/does not exist|violates (not-null|check)/);
  },
  10 * 60_000,
);
