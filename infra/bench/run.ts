// `npm run bench`: how fast the product is beside hand-written servers that do the same work and nothing else, on the same
// machine in the same run. Ratios are what can be compared between machines.
//
//   npm run bench -- [--size=120] [--rounds=3] [--only=reads,book] [--queues=postgresql,redis] [--seed=1] [--write]
//   npm run bench -- --only=lists [--transfers=100000] [--calls=search] [--data=/some/directory]
//
// `size`: payments booked and completed, besides one round that warms up both sides; four times as many webhooks are accepted. `seed` is
// part of the ids of events. `write` puts the figures into docs/benchmarks.md. Some minutes for each place of the queues. Beside other work on the
// machine the CPU tells more than the time.
//
// `lists` is measured only when it is asked for: every list, search, figure and chart with `transfers` of one sender and as many of others, beside
// the same calls with 10,000 and 10,000. `calls` measures those alone that have one of these texts, with semicolons between them, in their names.
// `data` keeps both databases in a directory, for another run to measure the same ones.
import { parseArgs } from 'node:util';
import { build } from '../build.ts';
import { TestRedisServer } from '../testing/redis-server.ts';
import { hasRedisProgram } from '../testing/services.ts';
import type { BackEnd, Bench } from './bench.ts';
import { BenchProduct, startDatabaseServer } from './bench-product.ts';
import { type Figure, lineOf } from './figure.ts';
import { figures } from './figures.ts';
import { startFloors } from './floors.ts';
import { measureLists } from './lists.ts';
import { betweenBackEnds, writeReport } from './report.ts';

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '120' },
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: Object.keys(figures).join(',') },
    queues: { type: 'string', default: hasRedisProgram() ? 'postgresql,redis' : 'postgresql' },
    write: { type: 'boolean', default: false },
    transfers: { type: 'string', default: '100000' },
    calls: { type: 'string', default: '' },
    data: { type: 'string', default: '' },
    'skip-build': { type: 'boolean', default: false },
  },
});
const wanted = values.only.split(',');
const unknown = wanted.filter((name) => name !== 'lists' && !Object.hasOwn(figures, name));
if (unknown.length > 0) {
  console.error(`No such figure: ${unknown.join(', ')}. There are: ${Object.keys(figures).join(', ')}, lists`);
  process.exit(1);
}
const backEnds = values.queues.split(',') as BackEnd[];
if (backEnds.some((name) => name !== 'postgresql' && name !== 'redis')) {
  console.error('--queues takes postgresql, redis, or both');
  process.exit(1);
}

/** Everything that is wanted of the product with its queues in one place. */
async function measureOn(backEnd: BackEnd): Promise<Figure[]> {
  const closing: (() => Promise<void>)[] = [];
  const measuredFigures: Figure[] = [];
  try {
    const database = await startDatabaseServer();
    closing.push(database.close);
    const redis = backEnd === 'redis' ? await TestRedisServer.start() : undefined;
    if (redis) closing.push(() => redis.close());
    const product = await BenchProduct.start(database.server, 'product', redis);
    closing.push(() => product.close());
    const floors = await startFloors(database.server, product);
    closing.push(floors.close);
    const bench: Bench = {
      ...{ product, floors, server: database.server, backEnd },
      ...{ size: Number(values.size), rounds: Number(values.rounds), seed: values.seed },
    };
    for (const [name, measure] of Object.entries(figures)) {
      if (!wanted.includes(name)) continue;
      for (const figure of await measure(bench)) {
        measuredFigures.push(figure);
        console.log(lineOf(figure));
      }
    }
  } finally {
    for (const close of closing.toReversed()) await close();
  }
  return measuredFigures;
}

if (!values['skip-build']) await build({ log: () => {} });
if (wanted.includes('lists')) {
  const database = await startDatabaseServer(values.data);
  try {
    const only = values.calls.split(';');
    const options = { transfers: Number(values.transfers), rounds: Number(values.rounds), only };
    await measureLists(database.server, { ...options, say: (line) => console.log(line) });
  } finally {
    await database.close();
  }
}
const results = new Map<BackEnd, Figure[]>();
for (const backEnd of wanted.some((name) => name !== 'lists') ? backEnds : []) {
  console.log(`\nQueues and pushes through ${backEnd === 'redis' ? 'Redis' : 'PostgreSQL'}`);
  results.set(backEnd, await measureOn(backEnd));
}
for (const figure of betweenBackEnds(results)) console.log(`\n${lineOf(figure)}`);
if (values.write && results.size > 0) await writeReport(results);
process.exit();
