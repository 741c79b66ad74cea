import { median } from './load.ts';

/** What a figure should be at least or at most. */
type Aim = { readonly least: number } | { readonly most: number };

/** One measured figure: a ratio to its floor in the same run, or, with a unit, a figure of its own. */
export interface Figure {
  readonly name: string;
  /** What it is compared with. */
  readonly of?: string;
  /** The median of the rounds. */
  readonly value: number;
  /** What each round said. */
  readonly each?: readonly number[];
  readonly unit?: 'times' | '% of a core' | 'MB' | 's' | 'ms' | 'statements' | 'connections';
  readonly aim?: Aim;
  /** More about it, as what the parts are. */
  readonly note?: string;
}

/** A figure of several rounds. */
export function ofRounds(figure: Omit<Figure, 'value' | 'each'>, each: readonly number[]): Figure {
  return { ...figure, value: median(each), each };
}

/** A figure as a line. */
export function lineOf(figure: Figure): string {
  const { name, of, each, note } = figure;
  const parts = [each && each.length > 1 ? each.map((one) => shown(one)).join(', ') : '', note ?? ''].filter(Boolean);
  const reached = isReached(figure) === false ? ' NOT REACHED' : '';
  const aim = figure.aim ? ` [aim ${aimText(figure)}${reached}]` : '';
  return `${name}${of ? `, of ${of}` : ''}: ${valueText(figure)}${parts.length > 0 ? ` (${parts.join('; ')})` : ''}${aim}`;
}

/** Whether a figure is as it should be; undefined where nothing is asked of it. */
export function isReached({ value, aim }: Figure): boolean | undefined {
  if (!aim) return undefined;
  return 'least' in aim ? value >= aim.least : value <= aim.most;
}

/** Its value with its unit. */
export function valueText({ value, unit }: Figure): string {
  return `${shown(value)}${unit ? ` ${unit}` : ''}`;
}

/** What it should be, as text; empty where nothing is asked. */
export function aimText({ aim }: Figure): string {
  if (!aim) return '';
  return 'least' in aim ? `≥ ${aim.least}` : `≤ ${aim.most}`;
}

/** Two digits after the point for what is small, none for what is large. */
function shown(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}
