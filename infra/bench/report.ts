import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { aimText, type BackEnd, type Figure, isReached, valueText } from './figure.ts';

type Results = ReadonlyMap<BackEnd, readonly Figure[]>;

const titles: Readonly<Record<BackEnd, string>> = { postgresql: 'PostgreSQL', redis: 'Redis' };
const report = join(root, 'docs/benchmarks.md');
const [begin, end] = ['<!-- throughput: written by npm run bench -- --write -->', '<!-- end of throughput -->'];

/** Writes the figures into docs/benchmarks.md. */
export async function writeReport(results: Results): Promise<void> {
  const text = await readFile(report, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < 0) throw new Error(`${report} has no place for the figures`);
  const machine = `${cpus().length} processors (${cpus()[0]?.model.trim()}), Node ${process.versions.node}.`;
  const section = [begin, '', machine, '', ...table(results), '', end];
  await writeFile(report, `${text.slice(0, from)}${section.join('\n')}${text.slice(to + end.length)}`);
}

function table(results: Results): string[] {
  const backEnds = [...results.keys()];
  const all = [...results.values()].flat();
  const first = all.filter((figure, index) => all.findIndex(({ name }) => name === figure.name) === index);
  const rows = first.map((figure) => [
    figure.name,
    figure.of ?? '',
    aimText(figure),
    ...backEnds.map((backEnd) => cell(results.get(backEnd)?.find(({ name }) => name === figure.name))),
  ]);
  const columns = ['figure', 'of', 'aim', ...backEnds.map((backEnd) => titles[backEnd])];
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** In bold where the aim is missed. */
function cell(figure: Figure | undefined): string {
  if (!figure) return '';
  return isReached(figure) === false ? `**${valueText(figure)}**` : valueText(figure);
}
