import { build, type Rolldown } from 'vite';

/** Pages that strangers open first: each loads no more than it needs, in small files. */
const publicPages = ['home', 'landing2', 'help', 'login', 'new-password', 'terms', 'privacy', 'not-found'];

/** A file for every set of pages that share modules. */
export const smallFiles = {
  name: 'shared',
  minShareCount: 2,
  entriesAware: true,
  entriesAwareMergeThreshold: 0,
} as const;

const isPage = /\/web\/src\/routes\/([^/]+)\.tsx$/;

/**
 * How modules that several pages load are put together. What a public page loads at once stays in small files; what only pages
 * behind the sign-in or of the payment load at once is one file instead of a hundred, each of which costs a request. Found by
 * building once, because only then it is known what tree shaking leaves of a package.
 */
export async function findPageChunks(configFile: string): Promise<Rolldown.CodeSplittingGroup[]> {
  const { output } = (await build({
    configFile,
    logLevel: 'error',
    build: { write: false, minify: false },
  })) as Rolldown.RolldownOutput;
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
  const loadedBy = (chunk: Rolldown.OutputChunk) => {
    const files = new Set([chunk.fileName]);
    // A set is walked in the order of insertion, what is added on the way included.
    for (const file of files) for (const next of chunks.get(file)?.imports ?? []) files.add(next);
    return [...files].flatMap((file) => chunks.get(file)?.moduleIds ?? []);
  };
  const ofPublic = new Set<string>();
  const ofOthers = new Set<string>();
  for (const chunk of chunks.values()) {
    const page = chunk.isEntry ? publicPages[0] : isPage.exec(chunk.facadeModuleId ?? '')?.[1];
    if (!page) continue;
    for (const id of loadedBy(chunk)) (publicPages.includes(page) ? ofPublic : ofOthers).add(id);
  }
  return [
    // Below 1.5 kB a file of its own costs more than what a page loads with it and does not need.
    { ...smallFiles, test: (id) => ofPublic.has(id), priority: 2, entriesAwareMergeThreshold: 1500 },
    { name: 'app', test: (id) => ofOthers.has(id), minShareCount: 2, priority: 1 },
  ];
}
