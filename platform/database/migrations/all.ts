import { Baseline } from './migration-2026-11-27-baseline.ts';

/** Every migration in the order it is run. Names are kept in the database: never rename one that was released. */
export const migrations = [{ name: '2026-11-27-baseline', class: Baseline }];
