// `npm run bench`: the product's speed and CPU compared with a reference service (floor-service.ts) that does the same work with the same
// libraries, on the same machine in the same run. Ratios can be compared between machines.
//
//   npm run bench -- [--size=1000] [--rounds=3] [--only=idle,transfers,accept] [--queues=postgresql,redis] [--write]
//   npm run bench -- --only=lists [--transfers=100000] [--calls=search] [--data=/some/directory]
//
// `size`: transfers booked and completed, and webhooks accepted in each of the `rounds`. `write` stores the figures in docs/benchmarks.md. On a
// busy machine CPU is more reliable than time.
//
// `lists` runs only when it is selected: every list, search, figure and chart with `transfers` of one sender and as many of others, compared with
// the same calls at 10,000 and 10,000. `calls` selects those whose name contains one of its texts, separated by semicolons. `data` keeps both
// databases in a directory for another run.
import { parseArgs } from 'node:util';
import { build } from '../build.ts';
import { TestRedisServer } from '../testing/redis-server.ts';
import { hasRedisProgram } from '../testing/services.ts';
import { BenchProduct, startDatabaseServer } from './bench-product.ts';
import { type BackEnd, type Bench, type Figure, lineOf } from './figure.ts';
import { Floor } from './floors.ts';
import { measureIdle } from './idle.ts';
import { measureLists } from './lists.ts';
import { measureAcceptance, measureTransfers } from './pipeline.ts';
import { writeReport } from './report.ts';

/** The measurements, in this order: the later ones leave work behind. */
const figures: Readonly<Record<string, (bench: Bench) => Promise<Figure[]>>> = {
  idle: measureIdle,
  transfers: measureTransfers,
  accept: measureAcceptance,
};

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
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

/** Takes the selected figures with the queues on one back end. */
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
    const floor = await Floor.start(database.server, product);
    closing.push(floor.close);
    const bench: Bench = {
      ...{ product, floor, server: database.server },
      ...{ size: Number(values.size), rounds: Number(values.rounds) },
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
if (values.write && results.size > 0) await writeReport(results);
process.exit();
