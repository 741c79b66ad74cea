import { readFile } from 'node:fs/promises';
import type { PostgresServer } from '../postgres/server.ts';
import type { BenchProduct } from './bench-product.ts';
import type { Floor } from './floors.ts';

/** The processes that a figure makes work. */
interface Working {
  readonly product: BenchProduct;
  readonly floor: Floor;
  readonly server: PostgresServer;
}

/** CPU seconds of all that a figure makes work, by part; `floor` is the reference service. */
export type Cpu = Readonly<Record<'api' | 'worker' | 'postgres' | 'redis' | 'simulators' | 'floor', number>>;

/** CPU used until now. All zero where the system does not tell. */
async function cpuUsed({ product, floor: reference, server }: Working): Promise<Cpu> {
  const { stack } = product;
  const pids = [stack.pid('api'), stack.pid('worker'), stack.pid('sandbox'), product.redis?.pid, reference.pid];
  const [each, postgres] = await Promise.all([
    Promise.all(pids.map((pid) => cpuSeconds(pid ?? 0))),
    treeCpuSeconds(server.pid ?? 0),
  ]);
  const [api, worker, simulators, redis, floor] = each as [number, number, number, number, number];
  return { api, worker, simulators, redis, postgres, floor };
}

/** CPU that some work took, with the result of the work. */
export async function measured<Result>(
  working: Working,
  work: () => Promise<Result>,
): Promise<{ result: Result; cpu: Cpu }> {
  const before = await cpuUsed(working);
  const result = await work();
  const after = await cpuUsed(working);
  const spent = (Object.keys(after) as (keyof Cpu)[]).map((part) => [part, after[part] - before[part]]);
  return { result, cpu: Object.fromEntries(spent) as Cpu };
}

/** Seconds of all parts together. */
export function sumOf(cpu: Cpu): number {
  return Object.values(cpu).reduce((sum, part) => sum + part, 0);
}

/** CPU a process has used, with that of its children that have ended. */
async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Clock ticks, hundredths of a second on Linux.
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / 100;
}

/** Of a process and its children, those that have ended included. */
async function treeCpuSeconds(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const pids = [pid, ...children.trim().split(' ').filter(Boolean).map(Number)];
  const each = await Promise.all(pids.map(cpuSeconds));
  return each.reduce((sum, one) => sum + one, 0);
}
