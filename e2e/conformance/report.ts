import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type Reached, recordsFolder } from './records.ts';
import { type Kind, type RowId, rows } from './specification.ts';

/**
 * Command: holds the specification against what the browser tests of this run reached. Ends with an error when a row has
 * neither a test nor a settlement, or when `docs/conformance.md` does not say what is so; `--write` writes that table.
 */
const page = 'docs/conformance.md';
const titles: Readonly<Record<Kind, string>> = {
  route: 'Routes (section 2)',
  call: 'Calls (section 7)',
  sentence: 'Toasts, validations, states and errors (sections 2, 4, 5 and 8)',
  rule: 'States, transitions and rules (sections 4, 5 and 6)',
  constant: 'Constants and limits (section 9)',
};

const records = (existsSync(recordsFolder) ? readdirSync(recordsFolder) : [])
  .flatMap((file) => readFileSync(`${recordsFolder}/${file}`, 'utf8').split('\n'))
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Reached);

const nameOf = ({ file, test }: Reached) => `\`${file}\` › ${test}`;
/** First those that a test waited for; then always the same one, whatever their order. */
const orderOf = (record: Reached) => `${record.byTheWay ? 1 : 0} ${nameOf(record)}`;
const testsOf = Map.groupBy(
  records.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1)),
  ({ id }) => id,
);

const written = existsSync(page) ? readFileSync(page, 'utf8') : '';
const cell = (text: string) => text.replaceAll('|', '\\|');

/** The test that the page names for a row as long as it is one of those that reached it: several may, and not all always. */
function testNamed(start: string, id: RowId): string | undefined {
  const names = (testsOf.get(id) ?? []).map(nameOf);
  const line = written.split('\n').find((text) => text.startsWith(start)) ?? '';
  const stands = (name: string) => [' |', '; settled'].some((end) => line.startsWith(`${start} ${cell(name)}${end}`));
  return names.find(stands) ?? names[0];
}

const table = (Object.keys(titles) as Kind[]).map((kind) => {
  const lines = rows
    .filter((one) => one.kind === kind)
    .map(({ id, name, row }) => {
      const says = typeof row.says === 'string' ? row.says : row.says.join(' · ');
      const start = `| ${cell(name)} | ${cell(says)} |`;
      const test = testNamed(start, id);
      const by = [...(test ? [test] : []), ...(row.settledBy ? [`settled: ${row.settledBy}`] : [])];
      return `${start} ${cell(by.join('; '))} |`;
    });
  return `## ${titles[kind]}\n\n| row | specification | reached by |\n| --- | --- | --- |\n${lines.join('\n')}\n`;
});
const text = `# Conformance\n\nEvery row of the product specification and the browser test that reaches it, or the settlement that replaces it.\nGenerated after the end-to-end tests by \`node e2e/conformance/report.ts --write\`; \`npm test\` fails when it is not true.\n\n${table.join('\n')}`;

const missing = rows.filter(({ id, row }) => !testsOf.has(id) && row.settledBy === undefined);
for (const { id } of missing) console.error(`no browser test reaches: ${id}`);
if (process.argv.includes('--write')) writeFileSync(page, text);
const untrue = !existsSync(page) || readFileSync(page, 'utf8') !== text;
if (untrue) console.error(`${page} is not true: write it anew with --write after a whole run of the end-to-end tests.`);
console.log(`${rows.length - missing.length} of ${rows.length} rows reached or settled`);
process.exitCode = missing.length > 0 || untrue ? 1 : 0;
