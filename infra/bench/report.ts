import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { root } from '../paths.ts';
import type { BackEnd } from './bench.ts';
import { aimText, type Figure, isReached, valueText } from './figure.ts';

type Results = ReadonlyMap<BackEnd, readonly Figure[]>;

const titles: Readonly<Record<BackEnd, string>> = { postgresql: 'PostgreSQL', redis: 'Redis' };
const colours: Readonly<Record<BackEnd, string>> = { postgresql: '#14213d', redis: '#a41d15' };
const report = join(root, 'docs/benchmarks.md');
const plot = 'images/throughput.svg';
const [begin, end] = ['<!-- throughput: written by npm run bench -- --write -->', '<!-- end of throughput -->'];

/** Bookings with Redis beside bookings without, each by its own floor. Empty unless both were measured. */
export function betweenBackEnds(results: Results): Figure[] {
  const [without, withRedis] = (['postgresql', 'redis'] as const).map((backEnd) =>
    results.get(backEnd)?.find(({ name }) => name === 'booked a second'),
  );
  if (!without || !withRedis) return [];
  const value = withRedis.value / without.value;
  return [{ name: 'booked with Redis', of: 'booked with PostgreSQL alone', value, unit: 'times', aim: { least: 1.5 } }];
}

/** Writes the figures into the report and draws those that have an aim. What was not measured this time stays as it was: then nothing is written. */
export async function writeReport(results: Results): Promise<void> {
  const text = await readFile(report, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < 0) throw new Error(`${report} has no place for the figures`);
  const section = [begin, '', machine(), '', ...table(results), '', `![Each figure beside its aim](${plot})`, '', end];
  await writeFile(report, `${text.slice(0, from)}${section.join('\n')}${text.slice(to + end.length)}`);
  await writeFile(join(root, 'docs', plot), drawing(results));
}

const machine = () => `${cpus().length} processors (${cpus()[0]?.model.trim()}), Node ${process.versions.node}.`;

function table(results: Results): string[] {
  const backEnds = [...results.keys()];
  const columns = ['figure', 'of', 'aim', ...backEnds.map((backEnd) => titles[backEnd])];
  const rows = namesOf(results).map(({ name, of }) => {
    const found = backEnds.map((backEnd) => find(results, backEnd, { name, of }));
    const values = found.map((figure) => (figure ? cell(figure) : ''));
    return [name, of ?? '', aimText(found.find((figure) => figure !== undefined) as Figure), ...values];
  });
  for (const figure of betweenBackEnds(results)) {
    rows.push([
      figure.name,
      figure.of ?? '',
      aimText(figure),
      ...backEnds.map((name) => (name === 'redis' ? cell(figure) : '')),
    ]);
  }
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)];
}

/** In bold what is not as it should be. */
function cell(figure: Figure): string {
  const text = valueText(figure);
  return isReached(figure) === false ? `**${text}**` : text;
}

type Named = { readonly name: string; readonly of: string | undefined };

function find(results: Results, backEnd: BackEnd, { name, of }: Named): Figure | undefined {
  return results.get(backEnd)?.find((figure) => figure.name === name && figure.of === of);
}

function namesOf(results: Results): Named[] {
  const all = [...results.values()].flat().map(({ name, of }) => ({ name, of }));
  return all.filter((one, index) => all.findIndex(({ name, of }) => name === one.name && of === one.of) === index);
}

const [width, left, rowHeight, barHeight] = [900, 420, 44, 14];
/** How many times its aim a bar can show. */
const scaleMax = 2.5;

/** Bars of how many times each figure reaches its aim: at the line or beyond it is reached. */
function drawing(results: Results): string {
  const backEnds = [...results.keys()];
  const aimed = namesOf(results).filter((named) => backEnds.some((backEnd) => find(results, backEnd, named)?.aim));
  const unit = (width - left - 20) / scaleMax;
  const height = aimed.length * rowHeight + 60;
  const rows = aimed.flatMap((named, row) => {
    const top = row * rowHeight + 40;
    const label = text(left - 10, top + 18, named.name, 'text-anchor="end"');
    const bars = backEnds.flatMap((backEnd, index) => {
      const figure = find(results, backEnd, named);
      if (!figure?.aim) return [];
      const times = 'least' in figure.aim ? figure.value / figure.aim.least : figure.aim.most / figure.value;
      const long = Math.min(Math.max(times, 0), scaleMax) * unit;
      const y = top + index * (barHeight + 2);
      return [
        `<rect x="${left}" y="${y}" width="${long.toFixed(1)}" height="${barHeight}" fill="${colours[backEnd]}"/>`,
        text(
          left + Math.min(long, scaleMax * unit - 90) + 5,
          y + 11,
          valueText(figure),
          long > scaleMax * unit - 90 ? 'fill="#fff"' : '',
        ),
      ];
    });
    return [label, ...bars];
  });
  const legend = backEnds.map((backEnd, index) =>
    text(left + 60 + index * 120, 20, titles[backEnd], `fill="${colours[backEnd]}"`),
  );
  const aim = left + unit;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    '<title>Each figure beside its aim</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...legend,
    ...rows,
    `<line x1="${aim}" x2="${aim}" y1="28" y2="${height - 20}" stroke="#0b6b43" stroke-width="2" stroke-dasharray="4 3"/>`,
    text(aim, height - 6, 'aim', 'text-anchor="middle" fill="#0b6b43"'),
    '</svg>\n',
  ].join('\n');
}

function text(x: number, y: number, content: string, more = ''): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x.toFixed(1)}" y="${y}" ${more}>${escaped}</text>`;
}
