// `npm run soak`: long random runs of the whole product (`*.soak.ts`), which `npm test` leaves out. Arguments choose files.
// The seed is printed first and last; `SOAK_SEED=<seed> npm run soak` repeats the random choices of a run. `SOAK_PAYMENTS=100` makes
// fewer payments than 10,000.
import { randomInt } from 'node:crypto';
import { execa } from 'execa';
import { nodeProgram, root } from './paths.ts';

const files = process.argv.slice(2);
const seed = process.env.SOAK_SEED || String(randomInt(1, 2 ** 31));
const payments = process.env.SOAK_PAYMENTS ? [`SOAK_PAYMENTS=${process.env.SOAK_PAYMENTS}`] : [];
const repeat = [`SOAK_SEED=${seed}`, ...payments, 'npm run soak', ...(files.length > 0 ? ['--', ...files] : [])].join(
  ' ',
);

console.log(`Semilla ${seed}; para repetir: ${repeat}`);
// Ctrl-C reaches Vitest too, which stops what it runs before it ends.
process.on('SIGINT', () => {});
const { exitCode = 1 } = await execa(nodeProgram, ['node_modules/vitest/vitest.mjs', 'run', ...files], {
  cwd: root,
  env: { SOAK_SEED: seed },
  stdio: 'inherit',
  reject: false,
});
if (exitCode !== 0) console.error(`Falló con la semilla ${seed}; para repetir: ${repeat}`);
process.exitCode = exitCode;
