// `npm run soak`: long random runs of the whole product (`*.soak.ts`), which `npm test` leaves out. Arguments choose files.
// The seed is printed first and last; `SOAK_SEED=<seed> npm run soak` repeats the random choices of a run.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { nodeProgram, root } from './places.ts';

const files = process.argv.slice(2);
const seed = process.env.SOAK_SEED || String(randomInt(1, 2 ** 31));
const repeat = [`SOAK_SEED=${seed}`, 'npm run soak', ...(files.length > 0 ? ['--', ...files] : [])].join(' ');

console.log(`Semilla ${seed}; para repetir: ${repeat}`);
const child = spawn(nodeProgram, ['node_modules/vitest/vitest.mjs', 'run', ...files], {
  cwd: root,
  env: { ...process.env, SOAK_SEED: seed },
  stdio: 'inherit',
});
// Ctrl-C reaches Vitest too, which stops what it runs before it ends.
process.on('SIGINT', () => {});
child.once('error', (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
child.once('close', (code) => {
  if (code !== 0) console.error(`Falló con la semilla ${seed}; para repetir: ${repeat}`);
  process.exitCode = code ?? 1;
});
