import type { PostgresServer } from '../postgres/server.ts';
import type { BenchProduct } from './bench-product.ts';
import type { Floors } from './floors.ts';
import { until } from './load.ts';

/** Where queues and pushes go. */
export type BackEnd = 'postgresql' | 'redis';

/** What a measurement needs. */
export interface Bench {
  readonly product: BenchProduct;
  readonly floors: Floors;
  readonly server: PostgresServer;
  readonly backEnd: BackEnd;
  readonly size: number;
  readonly rounds: number;
  readonly seed: string;
}

/** Waits until a product has nothing left to do. */
export function settled(product: BenchProduct): Promise<void> {
  return until('nothing is left to do', () => product.isQuiet(), 50);
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
