import type { Bench } from './bench.ts';
import { measureDashboards } from './dashboards.ts';
import type { Figure } from './figure.ts';
import { measureIdle } from './idle.ts';
import { measureAcceptance, measureBooking, measureCompletion, measurePush, measureStatements } from './pipeline.ts';
import { measureReads } from './reads.ts';
import { measureStart } from './starting.ts';

/** The measurements, in this order, because the later ones leave work behind. */
export const figures: Readonly<Record<string, (bench: Bench) => Promise<Figure[]>>> = {
  start: measureStart,
  idle: measureIdle,
  reads: measureReads,
  dashboards: measureDashboards,
  push: measurePush,
  statements: measureStatements,
  book: measureBooking,
  complete: measureCompletion,
  accept: measureAcceptance,
};
