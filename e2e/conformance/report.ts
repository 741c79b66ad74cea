import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { recordsFolder } from './records.ts';
import { type Kind, rows } from './specification.ts';

/**
 * Command: holds the specification against what the browser tests of this run reached. Ends with an error when a row has
 * neither a test nor a settlement, or when `docs/conformance.md` does not say what is so; `--write` writes that table.
 */
const page = 'docs/conformance.md';
const titles: Readonly<Record<Kind, string>> = {
  route: 'Routes (section 2)',
  call: 'Calls (section 7)',
  sentence: 'Toasts, validations, states and errors (sections 2, 4, 5 and 8)',
  constant: 'Constants and limits (section 9)',
};

interface Reached {
  readonly id: string;
  readonly file: string;
  readonly test: string;
}

const records = (existsSync(recordsFolder) ? readdirSync(recordsFolder) : [])
  .flatMap((file) => readFileSync(`${recordsFolder}/${file}`, 'utf8').split('\n'))
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Reached);
const testOf = new Map(
  // Always the same of several tests, whatever their order.
  records
    .toSorted((one, other) => (`${other.file} ${other.test}` < `${one.file} ${one.test}` ? -1 : 1))
    .map((record) => [record.id, record]),
);

const cell = (text: string) => text.replaceAll('|', '\\|');
const table = (Object.keys(titles) as Kind[]).map((kind) => {
  const lines = rows
    .filter((one) => one.kind === kind)
    .map(({ id, name, row }) => {
      const says = typeof row.says === 'string' ? row.says : row.says.join(' · ');
      const reached = testOf.get(id);
      const by = [
        ...(reached ? [`\`${reached.file}\` › ${reached.test}`] : []),
        ...(row.settledBy ? [`settled: ${row.settledBy}`] : []),
      ];
      return `| ${cell(name)} | ${cell(says)} | ${cell(by.join('; '))} |`;
    });
  return `## ${titles[kind]}\n\n| row | specification | reached by |\n| --- | --- | --- |\n${lines.join('\n')}\n`;
});
const text = `# Conformance\n\nEvery row of the product specification and the browser test that reaches it, or the settlement that replaces it.\nGenerated after the end-to-end tests by \`node e2e/conformance/report.ts --write\`; \`npm test\` fails when it is not true.\n\n${table.join('\n')}`;

const missing = rows.filter(({ id, row }) => !testOf.has(id) && row.settledBy === undefined);
for (const { id } of missing) console.error(`no browser test reaches: ${id}`);
if (process.argv.includes('--write')) writeFileSync(page, text);
const untrue = !existsSync(page) || readFileSync(page, 'utf8') !== text;
if (untrue) console.error(`${page} is not true: write it anew with --write after a whole run of the end-to-end tests.`);
console.log(`${rows.length - missing.length} of ${rows.length} rows reached or settled`);
process.exitCode = missing.length > 0 || untrue ? 1 : 0;
