/**
 * Bundles the servers and the commands of the database, each with the packages it needs, into `dist/`: read as a few files instead of
 * three thousand they start in half the time. `--watch` does it again at every change.
 */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type InlineConfig, type Plugin } from 'vite';
import { root } from './paths.ts';

const programs = [
  ...['api/main', 'worker/main', 'sandbox/main', 'platform/configuration/check'],
  // The program of a thread.
  'domain/reconciliation/statement-thread',
  ...['migrate', 'seed', 'admin-create', 'audit-verify', 'personal-data-rotate', 'scale-data'].map(
    (command) => `tools/commands/${command}`,
  ),
];

/** Printed with `--watch` whenever all is bundled. */
export const bundledLine = 'Servidores compilados.';

/** As Node resolves packages. */
const resolve = { conditions: ['node'], mainFields: ['main'] };

const packagesChunk = 'packages';

/** Node reads a source map with each file that names one, at every start: those of packages are most of them. */
const withoutMapsOfPackages: Plugin = {
  name: 'without-maps-of-packages',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || !file.name.startsWith(packagesChunk)) continue;
      file.map = null;
      file.code = file.code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
      delete bundle[`${file.fileName}.map`];
    }
  },
};

/** The migrations read their SQL when they run: no other program has to load it. */
const withSql: Plugin = {
  name: 'with-sql',
  async generateBundle() {
    for await (const fileName of glob('platform/database/migrations/*.sql', { cwd: root }))
      this.emitFile({ type: 'asset', fileName, source: await readFile(join(root, fileName)) });
  },
};

const config: InlineConfig = {
  root,
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'warn',
  resolve,
  plugins: [withoutMapsOfPackages, withSql],
  // They, or packages they use, read files from their own directories: fonts, a native program, the dashboard's browser
  // files.
  ssr: { noExternal: true, external: ['pdfkit', 'bullmq', '@bull-board/ui'], resolve },
  build: {
    ssr: true,
    outDir: 'dist',
    // The web app is there, too. infra/build.ts removes outdated files.
    emptyOutDir: false,
    target: 'node24',
    minify: false,
    sourcemap: true,
    reportCompressedSize: false,
    rolldownOptions: {
      input: Object.fromEntries(programs.map((program) => [program, `${root}/${program}.ts`])),
      // Packages that others would use if they were installed.
      external: ['@nestjs/microservices', 'class-validator', 'class-transformer', 'pg-native'],
      // Bull Board locates its browser files with it, but gets their path from us (api/queue-board).
      checks: { eval: false },
      output: {
        entryFileNames: '[name].js',
        // Its own name would list the programs that share it.
        chunkFileNames: ({ name }) =>
          `shared/${name.startsWith(packagesChunk) ? `${packagesChunk}-[hash]` : '[name]'}.js`,
        // Nest, MikroORM and the logs call classes by their names.
        keepNames: true,
        sourcemapExcludeSources: true,
        codeSplitting: { groups: [{ name: packagesChunk, test: /\/node_modules\//, entriesAware: true }] },
      },
    },
  },
};

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const watched = process.argv.includes('--watch');
  const result = await build(watched ? { ...config, build: { ...config.build, watch: {} } } : config);
  if ('on' in result) {
    let failed = false;
    result.on('event', async (event) => {
      // Vite prints the error; the end of a round comes after one, too.
      if (event.code === 'START' || event.code === 'ERROR') failed = event.code === 'ERROR';
      if (event.code === 'END' && !failed) console.log(bundledLine);
      if ('result' in event) await event.result?.close();
    });
  }
}
