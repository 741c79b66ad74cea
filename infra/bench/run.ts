// `npm run bench`: how fast the product is beside hand-written servers that do the same work and nothing else, on the same
// machine in the same run. Only ratios are printed, because only they can be compared between machines.
//
//   npm run bench -- [--size=120] [--rounds=3] [--only=accept,book,complete,statements,push,idle] [--seed=1]
//
// `size`: payments booked and completed, besides one round that warms up both sides; four times as many webhooks are accepted. `seed` is
// part of the ids of events. About two minutes with the defaults. Beside other work on the machine the CPU tells more than the time.
import { parseArgs } from 'node:util';
import { build } from '../build.ts';
import { BenchProduct, startDatabaseServer } from './bench-product.ts';
import { type Bench, figures } from './figures.ts';
import { startFloors } from './floors.ts';

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '120' },
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: Object.keys(figures).join(',') },
    'skip-build': { type: 'boolean', default: false },
  },
});
const wanted = values.only.split(',');
const unknown = wanted.filter((name) => !Object.hasOwn(figures, name));
if (unknown.length > 0) {
  console.error(`No such figure: ${unknown.join(', ')}. There are: ${Object.keys(figures).join(', ')}`);
  process.exit(1);
}

if (!values['skip-build']) await build({ log: () => {} });
const closing: (() => Promise<void>)[] = [];
try {
  const database = await startDatabaseServer();
  closing.push(database.close);
  const product = await BenchProduct.start(database.server, 'product');
  closing.push(() => product.close());
  const floors = await startFloors(database.server, product.stack.sandboxUrl);
  closing.push(floors.close);
  const bench: Bench = {
    ...{ product, floors, server: database.server },
    ...{ size: Number(values.size), rounds: Number(values.rounds), seed: values.seed },
  };
  for (const [name, measure] of Object.entries(figures)) {
    if (!wanted.includes(name)) continue;
    for (const line of await measure(bench)) console.log(line);
  }
} finally {
  for (const close of closing.toReversed()) await close();
}
process.exit();
