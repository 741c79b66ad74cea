import { glob } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Plugin, type Rolldown, type UserConfig } from 'vite';
import { componentStyles } from './component-styles.ts';
import { messages } from './messages-plugin.ts';

/** Routes that strangers open first: each loads no more than it needs. */
const publicRoutes = ['home', 'landing2', 'help', 'login', 'legal', 'not-found'];

/** A page is painted after its stylesheets: those of public routes are one file with those of the frame. That of the help page has more. */
const paintedFirst = publicRoutes.filter((name) => name !== 'help');

/** What those routes load on demand. */
const publicParts = [
  ...['toasts', 'questions', 'calculator', 'small-menu', 'landing-b-menu'],
  ...['login-form', 'signup-form', 'password-reset-panel'],
];

/** Loaded by every page when it has started: what others need of it is a file of its own, or it would bring theirs along. */
const afterStart = 'failure-sentences';

/** A file below this size in bytes costs more, as a request of its own, than what it spares a page that does not need it. */
const sizeMin = 4000;

/** A module of ours below this size in bytes, before minification, that so many pages and parts use is no file of its own. */
const tiny = 2100;
const tinyUsesMin = 10;

/**
 * Puts modules that several routes share into few files: what every page or several public ones load is one; what only pages
 * behind the sign-in or of the payment load is another one, instead of a hundred.
 */
export function sharedChunks(source: string, resolve: NonNullable<UserConfig['resolve']>): Plugin {
  let groups: Promise<Rolldown.CodeSplittingGroup[]> | undefined;
  return {
    name: 'shared-chunks',
    apply: 'build',
    async configEnvironment(name) {
      if (name !== 'client') return;
      groups ??= findGroups(source, resolve);
      // Names that list all users of a file would be in every page and every list of files.
      const chunkFileNames = (chunk: { readonly name: string }) => `assets/${chunk.name.split('~', 1)[0]}-[hash].js`;
      return { build: { rolldownOptions: { output: { chunkFileNames, codeSplitting: { groups: await groups } } } } };
    },
  };
}

/** Found by bundling the routes once, because only then it is known what tree shaking leaves of a package. */
async function findGroups(
  source: string,
  resolve: NonNullable<UserConfig['resolve']>,
): Promise<Rolldown.CodeSplittingGroup[]> {
  const input = [join(source, 'root.tsx'), join(source, 'entry.client.tsx')];
  for await (const file of glob('routes/*.tsx', { cwd: source })) input.push(join(source, file));
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    root: source,
    resolve,
    plugins: [messages(), componentStyles()],
    build: {
      ...{ write: false, minify: false, modulePreload: false },
      rolldownOptions: { input, preserveEntrySignatures: 'strict' },
    },
  })) as Rolldown.RolldownOutput;
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
  /** Modules of a chunk and of all that it imports at once. */
  const modulesOf = (chunk: Rolldown.OutputChunk) => {
    const files = new Set([chunk.fileName]);
    // A set is walked in the order of insertion, what is added on the way included.
    for (const file of files) for (const next of chunks.get(file)?.imports ?? []) files.add(next);
    return new Set([...files].flatMap((file) => chunks.get(file)?.moduleIds ?? []));
  };
  const everywhere = new Set<string>();
  const ofPublic = new Set<string>();
  const ofAfterStart = new Set<string>();
  const ofParts = new Set<string>();
  const ofOthers = new Set<string>();
  const ofAdmin = new Set<string>();
  /** How many pages and parts need a module. */
  const uses = new Map<string, number>();
  for (const chunk of chunks.values()) {
    if (!chunk.facadeModuleId) continue;
    const name = basename(chunk.facadeModuleId).replace(/\.tsx?$/, '');
    for (const id of modulesOf(chunk)) {
      uses.set(id, (uses.get(id) ?? 0) + 1);
      if (name === 'admin' || name === 'signed-in') ofAdmin.add(id);
      if (['root', 'entry.client', 'pages'].includes(name) && chunk.isEntry) everywhere.add(id);
      else if (chunk.isEntry && publicRoutes.includes(name)) {
        const isPaintedFirst = id.endsWith('.css') && paintedFirst.includes(name);
        (isPaintedFirst || ofPublic.has(id) ? everywhere : ofPublic).add(id);
      } else if (name === afterStart) ofAfterStart.add(id);
      else if (publicParts.includes(name)) ofParts.add(id);
      else if (chunk.isEntry) ofOthers.add(id);
    }
  }
  for (const chunk of chunks.values()) {
    for (const [id, { renderedLength }] of Object.entries(chunk.modules))
      if (id.startsWith(source) && ofPublic.has(id) && renderedLength < tiny && (uses.get(id) ?? 0) >= tinyUsesMin)
        everywhere.add(id);
  }
  const small = { minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: sizeMin } as const;
  return [
    { name: 'base', test: (id) => everywhere.has(id), priority: 5 },
    { name: 'after-start', test: (id) => ofAfterStart.has(id), minShareCount: 2, priority: 4 },
    { name: 'public', test: (id) => ofPublic.has(id), ...small, priority: 3 },
    { name: 'parts', test: (id) => ofParts.has(id), minShareCount: 2, priority: 2 },
    // An admin pays nothing.
    { name: 'app', test: (id) => ofOthers.has(id) && ofAdmin.has(id), minShareCount: 2, priority: 1 },
    { name: 'sender', test: (id) => ofOthers.has(id), minShareCount: 2, priority: 0 },
  ];
}
