// `npm run soak`: what `npm test` leaves out (`*.soak.ts`): long random runs of the whole product, the simulators' own pages, and the
// packaging (`infra/`). Arguments choose files.
// The seed is printed first and last; `SOAK_SEED=<seed> npm run soak` repeats the random choices of a run. `SOAK_PAYMENTS=100` makes
// fewer payments than 10,000, `MODEL_LIVES=40` fewer lives of the model of money than 400, `MONTH_TRANSFERS=80` fewer transfers of the
// simulated month than 2,000, `FUZZ_REQUESTS=2000` fewer random requests (`npm run fuzz`) than 100,000, `START_INTERRUPTIONS=5` fewer
// interrupted first starts than 20. `SOAK_QUEUES=postgres` and `SOAK_QUEUES=redis` say where the queues are; else they are in Redis for even
// seeds, if this machine has a `redis-server`, and in PostgreSQL for odd ones.
import { randomInt } from 'node:crypto';
import { execa } from 'execa';
import { nodeProgram, root } from './paths.ts';
import { hasRedisProgram } from './testing/services.ts';

const files = process.argv.slice(2);
const { SOAK_SEED, SOAK_QUEUES } = process.env;
const sizes = ['SOAK_PAYMENTS', 'MODEL_LIVES', 'MONTH_TRANSFERS', 'FUZZ_REQUESTS', 'START_INTERRUPTIONS'];
const seed = SOAK_SEED || String(randomInt(1, 2 ** 31));
const queues = SOAK_QUEUES || (Number(seed) % 2 === 0 && hasRedisProgram() ? 'redis' : 'postgres');
if (queues !== 'redis' && queues !== 'postgres') throw new Error('SOAK_QUEUES is redis or postgres');
const given = sizes.filter((name) => process.env[name]).map((name) => `${name}=${process.env[name]}`);
const variables = [`SOAK_SEED=${seed}`, `SOAK_QUEUES=${queues}`, ...given];
const repeat = [...variables, 'npm run soak', ...(files.length > 0 ? ['--', ...files] : [])].join(' ');

console.log(`Semilla ${seed}; para repetir: ${repeat}`);
// Ctrl-C reaches Vitest too, which stops its processes before it ends.
process.on('SIGINT', () => {});
const { exitCode = 1 } = await execa(nodeProgram, ['node_modules/vitest/vitest.mjs', 'run', ...files], {
  cwd: root,
  env: { SOAK_SEED: seed, SOAK_QUEUES: queues },
  stdio: 'inherit',
  reject: false,
});
if (exitCode !== 0) console.error(`Falló con la semilla ${seed}; para repetir: ${repeat}`);
process.exitCode = exitCode;
