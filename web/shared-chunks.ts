import { glob } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { componentStyles } from './component-styles.ts';
import { messages } from './messages-plugin.ts';

/** Routes that strangers open first: each loads no more than it needs. */
const publicRoutes = ['home', 'landing2', 'help', 'login', 'legal', 'not-found'];

/** The two landing pages share most of what they show: it is in files of their own, which other public pages do not load. */
const fileNameOf = (route: string) => (['home', 'landing2'].includes(route) ? 'landing' : route);

/** A page is painted after its stylesheets: those of public routes are one file with those of the frame. That of the help page has more. */
const paintedFirst = publicRoutes.filter((name) => name !== 'help');

/** What those routes load by themselves once they have started: the files of these parts hold nothing that only forms and dialogs need. */
const earlyParts = ['toasts', 'questions', 'calculator'];

/** What those routes load on demand. */
const publicParts = ['small-menu', 'landing-b-menu', 'login-form', 'signup-form', 'password-reset-panel'];

/** Loaded by every page when it has started: what others need of it is a file of its own, or it would bring theirs along. */
const afterStart = 'failure-sentences';

/** Routes opened most behind the sign-in, of the payment, or by the code on a paper: none loads what only the others need. */
const mainRoutes = ['dashboard', 'admin', 'stripe-pago', 'check-paper'];

/** What both of these need is in the admins' files, too: that page has room for more, and these load fewer files. */
const sendersRoutes = ['dashboard', 'stripe-pago'];

/** Routes that stand around others: what they need, these need too. */
const layouts: Readonly<Record<string, readonly string[]>> = {
  'app-pages': mainRoutes,
  'signed-in': ['dashboard', 'admin'],
};

/** A module of ours below this size in bytes, before minification, that so many pages and parts use is no file of its own. */
const tiny = 2100;
const tinyUsesMin = 10;

/** Bytes before minification below which what some pages share is no file of its own: a few pages more load it, too. */
const small = 7_500;

/**
 * Puts modules that several routes share into few files, by who needs them: what every page or different public ones load is one
 * file; of the others a page loads those alone that have something for it.
 */
export function sharedChunks(source: string): Plugin {
  let groups: Promise<Rolldown.CodeSplittingGroup[]> | undefined;
  return {
    name: 'shared-chunks',
    apply: 'build',
    async configEnvironment(name) {
      if (name !== 'client') return;
      groups ??= findGroups(source);
      // Names that list all users of a file would be in every page and every list of files.
      const withoutUsers = (name = '[name]') => `assets/${name.split('~', 1)[0]}-[hash]`;
      const output = {
        chunkFileNames: (chunk: { readonly name: string }) => `${withoutUsers(chunk.name)}.js`,
        // The stylesheet of a file has its name.
        assetFileNames: ({ names: [name] }: { readonly names: readonly string[] }) =>
          `${withoutUsers(name?.includes('~') ? name : undefined)}[extname]`,
        codeSplitting: { groups: await groups },
      };
      return { build: { rolldownOptions: { output } } };
    },
  };
}

/** Found by bundling the routes once, because only then it is known what tree shaking leaves of a package. */
async function findGroups(source: string): Promise<Rolldown.CodeSplittingGroup[]> {
  const input = [join(source, 'root.tsx'), join(source, 'entry.client.tsx')];
  const routes = glob('routes/*.tsx', { cwd: source, exclude: ['**/*.test.tsx'] });
  for await (const file of routes) input.push(join(source, file));
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    root: source,
    plugins: [messages(), componentStyles()],
    build: {
      ...{ write: false, minify: false, modulePreload: false },
      // Reads the same modules as the build itself (vite.config.ts).
      rolldownOptions: { input, preserveEntrySignatures: 'strict', experimental: { lazyBarrel: true } },
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
  /** The file of public routes that a module is in as long as no other of them needs it, too. */
  const ofPublic = new Map<string, string>();
  const ofAfterStart = new Set<string>();
  /**
   * What needs a module that not every page loads: a public route, what those load by themselves ('early') or on demand ('part'), a
   * main route, another ('app').
   */
  const neededBy = new Map<string, Set<string>>();
  const need = (id: string, names: readonly string[]) =>
    neededBy.set(id, new Set([...(neededBy.get(id) ?? []), ...names]));
  /** How many pages and parts need a module. */
  const uses = new Map<string, number>();
  for (const chunk of chunks.values()) {
    if (!chunk.facadeModuleId) continue;
    const name = basename(chunk.facadeModuleId).replace(/\.tsx?$/, '');
    for (const id of modulesOf(chunk)) {
      uses.set(id, (uses.get(id) ?? 0) + 1);
      if (['root', 'entry.client', 'pages'].includes(name) && chunk.isEntry) everywhere.add(id);
      else if (chunk.isEntry && publicRoutes.includes(name)) {
        const isPaintedFirst = id.endsWith('.css') && paintedFirst.includes(name);
        const file = fileNameOf(name);
        if (isPaintedFirst || (ofPublic.get(id) ?? file) !== file) everywhere.add(id);
        ofPublic.set(id, file);
        need(id, [name]);
      } else if (name === afterStart) ofAfterStart.add(id);
      else if (earlyParts.includes(name)) need(id, ['early']);
      else if (publicParts.includes(name)) need(id, ['part']);
      else if (chunk.isEntry) need(id, layouts[name] ?? [mainRoutes.includes(name) ? name : 'app']);
    }
  }
  for (const chunk of chunks.values()) {
    for (const [id, { renderedLength }] of Object.entries(chunk.modules))
      if (id.startsWith(source) && ofPublic.has(id) && renderedLength < tiny && (uses.get(id) ?? 0) >= tinyUsesMin)
        everywhere.add(id);
  }
  const sizes = new Map(
    [...chunks.values()].flatMap((chunk) =>
      // What one page or part alone needs lies in its own file, whatever group it is in.
      Object.entries(chunk.modules).map(([id, one]) => [id, (uses.get(id) ?? 0) > 1 ? one.renderedLength : 0] as const),
    ),
  );
  return [
    { name: 'base', test: (id) => everywhere.has(id), priority: 101 },
    { name: 'after-start', test: (id) => ofAfterStart.has(id), minShareCount: 2, priority: 100 },
    ...groupsOf(neededBy, sizes),
  ];
}

/**
 * One group for each set of pages that need the same modules. A group takes along what its modules import, unless one of higher
 * priority has it. Whatever needs a module needs its imports too, so that these must come first: they have the larger sets.
 */
function groupsOf(
  neededBy: ReadonlyMap<string, ReadonlySet<string>>,
  sizes: ReadonlyMap<string, number>,
): Rolldown.CodeSplittingGroup[] {
  const groups = new Map<string, { readonly ids: Set<string>; readonly priority: number }>();
  for (const [id, names] of neededBy) {
    const route = publicRoutes.find((name) => names.has(name));
    // What early parts need is not told apart by who else of the public pages needs it.
    const part = ['early', 'part'].find((name) => names.has(name));
    const isOfSenders = sendersRoutes.every((name) => names.has(name));
    const pages = mainRoutes.filter((name) => names.has(name) || (isOfSenders && name === 'admin'));
    const inApp = names.has('app') || pages.length > 0;
    // A module is in one file of public routes at most: those of several are loaded everywhere.
    const key = route
      ? `public~${fileNameOf(route)}${inApp ? '~app' : ''}`
      : ['app', ...(part ? [part] : []), ...pages].join('~');
    const priority = route ? (inApp ? 11 : 10) : pages.length + (part === 'early' ? 2 : part ? 1 : 0);
    const group = groups.get(key) ?? { ids: new Set(), priority };
    groups.set(key, group);
    group.ids.add(id);
  }
  for (const [name, { ids }] of groups) {
    const size = [...ids].reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
    const wider = size < small ? nextWider(name, [...groups.keys()]) : undefined;
    if (!wider) continue;
    for (const id of ids) groups.get(wider)?.ids.add(id);
    groups.delete(name);
  }
  return [...groups].map(([name, { ids, priority }]) => ({
    name,
    test: (id) => ids.has(id),
    minShareCount: 2,
    priority,
    // What no main route needs is shared by a few alike pages.
    entriesAware: name === 'app',
  }));
}

/** The name of the group that the fewest pages more than those of `name` load, if there is one; groups of public routes stay as they are. */
function nextWider(name: string, all: readonly string[]): string | undefined {
  if (!name.startsWith('app~')) return undefined;
  const isWider = (other: string) => other !== name && name.split('~').every((page) => other.split('~').includes(page));
  const wider = all.filter(isWider);
  return wider.sort((one, other) => one.split('~').length - other.split('~').length)[0];
}
