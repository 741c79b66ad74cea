// Runs a program of the sources that Node alone cannot: Nest's modules have decorators, which Vite compiles.
//
//   node infra/bootstrap.mjs infra/run-source.ts <program> [arguments]
import { runnerImport } from 'vite';
import { root } from './paths.ts';

const [program = ''] = process.argv.splice(2, 1);
await runnerImport(`${root}/${program}`, {
  root,
  configFile: false,
  logLevel: 'warn',
  environments: { inline: { resolve: { noExternal: [/^#/] } } },
});
