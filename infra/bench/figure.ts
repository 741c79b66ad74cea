import type { PostgresServer } from '../postgres/server.ts';
import type { BenchProduct } from './bench-product.ts';
import type { Floor } from './floors.ts';

/** Where queues and pushes go. */
export type BackEnd = 'postgresql' | 'redis';

/** What a measurement needs. */
export interface Bench {
  readonly product: BenchProduct;
  readonly floor: Floor;
  readonly server: PostgresServer;
  /** Payments, and webhooks of a round. */
  readonly size: number;
  readonly rounds: number;
}

/** A minimum or maximum. */
type Aim = { readonly least: number } | { readonly most: number };

/** One measured figure: a ratio to its reference in the same run, or a value with a unit. */
export interface Figure {
  readonly name: string;
  /** The reference. */
  readonly of?: string;
  /** The median of the rounds. */
  readonly value: number;
  /** The value of each round. */
  readonly each?: readonly number[];
  readonly unit?: 'times' | '% of a core' | 'per second';
  readonly aim?: Aim;
  /** Details, such as the parts of a sum. */
  readonly note?: string;
}

/** A figure as a line. */
export function lineOf(figure: Figure): string {
  const { name, of, each, note } = figure;
  const parts = [each && each.length > 1 ? each.map((one) => shown(one)).join(', ') : '', note ?? ''].filter(Boolean);
  const aim = figure.aim ? ` [aim ${aimText(figure)}${isReached(figure) === false ? ' NOT REACHED' : ''}]` : '';
  return `${name}${of ? `, of ${of}` : ''}: ${valueText(figure)}${parts.length > 0 ? ` (${parts.join('; ')})` : ''}${aim}`;
}

/** Whether a figure reaches its aim; undefined without one. */
export function isReached({ value, aim }: Figure): boolean | undefined {
  if (!aim) return undefined;
  return 'least' in aim ? value >= aim.least : value <= aim.most;
}

/** Its value with its unit. */
export function valueText({ value, unit }: Figure): string {
  return `${shown(value)}${unit ? ` ${unit}` : ''}`;
}

/** Its aim as text; empty without one. */
export function aimText({ aim }: Figure): string {
  if (!aim) return '';
  return 'least' in aim ? `≥ ${aim.least}` : `≤ ${aim.most}`;
}

/** Two decimals for small values, none for large ones. */
function shown(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}
