import { setTimeout } from 'node:timers/promises';
import { measured } from './cpu.ts';
import type { Bench, Figure } from './figure.ts';

const idleSeconds = 30;
/** Readings until the product is at rest, at most. */
const maxReadings = 10;
/** The product is at rest once two readings differ by at most this (percentage points of a core). */
const restDifference = 0.2;

/**
 * CPU of the product's processes, PostgreSQL and Redis without any request. A start leaves work for some two minutes: first connections,
 * statistics of new tables, V8's collections. The first reading that equals the one before it counts.
 */
export async function measureIdle(bench: Bench): Promise<Figure[]> {
  if (process.platform !== 'linux') return [];
  const names = ['api', 'worker', 'postgres', 'redis'] as const;
  const readings: number[] = [];
  let note = '';
  for (const _ of Array.from({ length: maxReadings })) {
    const { cpu } = await measured(bench, () => setTimeout(idleSeconds * 1000));
    const shares = names.map((name) => (cpu[name] / idleSeconds) * 100);
    readings.push(shares.reduce((sum, share) => sum + share, 0));
    note = names.map((name, index) => `${name} ${shares[index]?.toFixed(2)}`).join(', ');
    const [before, last] = readings.slice(-2);
    if (before !== undefined && last !== undefined && Math.abs(last - before) <= restDifference) break;
  }
  note += `; each half minute since the start: ${readings.map((one) => one.toFixed(2)).join(', ')}`;
  return [{ name: 'idle CPU', value: readings.at(-1) ?? Number.NaN, unit: '% of a core', aim: { most: 1.5 }, note }];
}
