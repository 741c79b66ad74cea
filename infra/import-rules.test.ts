import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeProgram, root } from './paths.ts';

/** A small tree of the product's shape with files that break one import rule each, and a few that break none. */
const tree: Readonly<Record<string, string>> = {
  'domain/accounts/account.entity.ts': 'export const User = 1;',
  'domain/accounts/account.repository.ts':
    "import { User } from './account.entity.ts';\nexport const findUser = () => User;",
  'domain/transfers/search.ts': "import { User } from '../accounts/account.entity.ts';\nexport const found = User;",
  'domain/accounts/sign-in.ts': "import type { User } from './account.entity.ts';\nexport type Signed = typeof User;",
  'api/accounts/accounts.controller.ts':
    "import { User } from '#domain/accounts/account.entity';\nexport const controller = User;",
  'platform/database/pages.ts':
    "import { findUser } from '#domain/accounts/account.repository';\nexport const page = findUser;",
  'worker/handlers.ts':
    "import { controller } from '../api/accounts/accounts.controller.ts';\nexport const handler = controller;",
  'core/money/money.ts': "import { page } from '#platform/database/pages';\nexport const money = page;",
  'domain/payments/capture.ts': "import { Queue } from 'bullmq';\nexport const queue = Queue;",
  'platform/queues/queues.module.ts': 'export const QUEUES = 1;',
  'api/payments/payments.controller.ts':
    "import { QUEUES } from '#platform/queues/queues.module';\nexport const queues = QUEUES;",
  'web/src/lib/toast.ts': "import { page } from '../ui/page.ts';\nexport const toast = page;",
  'web/src/ui/page.ts': 'export const page = 1;',
  'web/src/ui/rates-card.ts': "import { rates } from '../data/rates.ts';\nexport const card = rates;",
  'web/src/data/rates.ts': 'export const rates = 1;',
  'web/src/data/desk.ts': "import { page } from '../ui/page.ts';\nexport const desk = page;",
  'web/src/data/drafts.ts': "import { help } from '../features/help/help.ts';\nexport const drafts = help;",
  'web/src/features/help/help.ts': "import { rates } from '../../data/rates.ts';\nexport const help = rates;",
  'web/src/features/help/contact.ts': "import { route } from '../../routes/help.ts';\nexport const contact = route;",
  'web/src/features/landing/faq.ts': "import { help } from '../help/help.ts';\nexport const faq = help;",
  'web/src/features/shared/status.ts': 'export const status = 1;',
  'web/src/features/shared/figures.ts': "import { help } from '../help/help.ts';\nexport const figures = help;",
  'web/src/features/landing/steps.ts': "import { status } from '../shared/status.ts';\nexport const steps = status;",
  'web/src/routes/help.ts': "import { page } from '../ui/page.ts';\nexport const route = page;",
  'domain/review/decide.ts':
    "import { findUser } from '../accounts/account.repository.ts';\nexport const decide = findUser;",
  'domain/accounts/close-account.ts':
    "import type { decide } from '../review/decide.ts';\nexport type Closed = typeof decide;",
  'domain/review/decide.test.ts': "import { refund } from '../payments/refund.ts';\nexport const tested = refund;",
  'domain/payments/refund.ts': "import { place } from '../elsewhere/place.ts';\nexport const refund = place;",
  'domain/elsewhere/place.ts': "import { step } from '../step-subscribers.ts';\nexport const place = step;",
  'domain/step-subscribers.ts': 'export const step = 1;',
  'domain/accounts/block.ts': "import { step } from '../step-subscribers.ts';\nexport const block = step;",
  'tools/commands/seed.ts':
    "import { findUser } from '#domain/accounts/account.repository';\nexport const seed = findUser;",
  'api/health/health.ts': "import { seed } from '../../tools/commands/seed.ts';\nexport const health = seed;",
  'worker/sweeps.ts': "import { step } from '../testing/steps.ts';\nexport const sweeps = step;",
  'testing/steps.ts':
    "import { controller } from '../api/accounts/accounts.controller.ts';\nexport const step = controller;",
};

interface Violation {
  rule: string;
  from: string;
}

let folder: string;
let violations: Violation[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chasqui-import-rules-'));
  for (const file of ['.dependency-cruiser.mjs', 'package.json', 'tsconfig.json'])
    await cp(join(root, file), join(folder, file));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [file, source] of Object.entries(tree)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), `${source}\n`);
  }
  const packages = [...new Set(Object.keys(tree).map((file) => file.split('/')[0] as string))];
  const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const argv = [cruiser, '--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...packages];
  const { stdout } = await promisify(execFile)(nodeProgram, argv, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  const { summary } = JSON.parse(stdout) as { summary: { violations: { rule: { name: string }; from: string }[] } };
  violations = summary.violations.map(({ rule, from }) => ({ rule: rule.name, from }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const brokenBy = (from: string) => violations.filter((one) => one.from === from).map(({ rule }) => rule);

test.each([
  ['another noun imports an entity', 'domain/transfers/search.ts', 'entities-belong-to-their-repository'],
  ['a use case imports the type of an entity', 'domain/accounts/sign-in.ts', 'entities-belong-to-their-repository'],
  ['a controller imports an entity', 'api/accounts/accounts.controller.ts', 'entities-belong-to-their-repository'],
  ['a use case imports BullMQ, so that it could add jobs', 'domain/payments/capture.ts', 'only-the-relay-adds-jobs'],
  ['a controller takes the queues', 'api/payments/payments.controller.ts', 'only-the-relay-adds-jobs'],
  ['two folders of the domain import each other', 'domain/accounts/close-account.ts', 'domain-accounts-imports'],
  ['a folder of the domain imports one without a place', 'domain/payments/refund.ts', 'domain-payments-imports'],
  ['a folder of the domain has no place', 'domain/elsewhere/place.ts', 'domain-folders-have-a-place'],
  ['a folder of the domain imports what puts folders together', 'domain/accounts/block.ts', 'domain-accounts-imports'],
  ['the api imports a command', 'api/health/health.ts', 'api-imports'],
  ['the worker imports fixtures', 'worker/sweeps.ts', 'worker-imports'],
  ['fixtures import the api', 'testing/steps.ts', 'tests-stay-with-their-package'],
  ['platform imports the domain', 'platform/database/pages.ts', 'platform-imports'],
  ['the worker imports the api', 'worker/handlers.ts', 'worker-imports'],
  ['core imports platform', 'core/money/money.ts', 'core-imports'],
  ['lib of the web app imports ui', 'web/src/lib/toast.ts', 'web-lib-imports'],
  ['ui of the web app imports data', 'web/src/ui/rates-card.ts', 'web-ui-imports'],
  ['data of the web app import ui', 'web/src/data/desk.ts', 'web-data-imports'],
  ['data of the web app import a feature', 'web/src/data/drafts.ts', 'web-data-imports'],
  ['a feature imports a route', 'web/src/features/help/contact.ts', 'web-features-imports'],
  ['a feature imports another one', 'web/src/features/landing/faq.ts', 'web-features-apart'],
  ['what features share imports one of them', 'web/src/features/shared/figures.ts', 'web-features-apart'],
])('the import rules fail when %s', (_what, file, rule) => {
  expect(brokenBy(file)).toContain(rule);
});

test('the import rules accept a route that imports ui, and a feature that imports data or shared parts', () => {
  expect(brokenBy('web/src/routes/help.ts')).toEqual([]);
  expect(brokenBy('web/src/features/help/help.ts')).toEqual([]);
  expect(brokenBy('web/src/features/landing/steps.ts')).toEqual([]);
});

test('the import rules accept a repository that imports its own entity, and a use case that imports a repository', () => {
  expect(brokenBy('domain/accounts/account.repository.ts')).toEqual([]);
  expect(brokenBy('domain/review/decide.ts')).toEqual([]);
});

test('the import rules accept a test of the domain that imports a higher folder, and a command that imports the domain', () => {
  expect(brokenBy('domain/review/decide.test.ts')).toEqual([]);
  expect(brokenBy('tools/commands/seed.ts')).toEqual([]);
});
