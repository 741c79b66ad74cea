import { type Bench, pause, settled } from './bench.ts';
import { measured } from './cpu.ts';
import type { Figure } from './figure.ts';
import { counted } from './statements.ts';

/** As long as the sweeps are apart. */
const idleSeconds = 30;
/** Half minutes that are read at most until the product is at rest. */
const idleReadings = 10;
/** The product is at rest when two half minutes differ by at most this (percentage points of a core). */
const idleDifference = 0.2;

/**
 * CPU of the product's own processes and PostgreSQL while nobody does anything: of the first half minute that needs what the one
 * before it needed. A start leaves things to do for some two minutes: first connections, statistics of new tables, V8's collections.
 */
export async function measureIdle(bench: Bench): Promise<Figure[]> {
  if (process.platform !== 'linux') return [];
  const { product } = bench;
  await settled(product);
  const names = ['api', 'worker', 'postgres', 'redis'] as const;
  const readings: number[] = [];
  let note = '';
  let statements = Number.NaN;
  while (readings.length < idleReadings) {
    const { result, cpu } = await measured(bench, () => counted(product, () => pause(idleSeconds * 1000)));
    const shares = names.map((name) => (cpu[name] / idleSeconds) * 100);
    const value = shares.reduce((sum, share) => sum + share, 0);
    const before = readings.at(-1);
    readings.push(value);
    note = names.map((name, index) => `${name} ${shares[index]?.toFixed(2)}`).join(', ');
    statements = result.all / result.seconds;
    if (before !== undefined && Math.abs(value - before) <= idleDifference) break;
  }
  const value = readings.at(-1) ?? Number.NaN;
  note += `; half minutes since the start: ${readings.map((one) => one.toFixed(2)).join(', ')}`;
  return [
    { name: 'idle product, CPU', value, unit: '% of a core', aim: { most: 1 }, note },
    { name: 'idle product, a second', value: statements, unit: 'statements' },
  ];
}
