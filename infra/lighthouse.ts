// `npm run lighthouse`: measures the public pages as a phone loads them, writes docs/lighthouse.md, and fails below our
// bounds. The product runs as `npm start` runs it, on separate ports and a separate database. The figures are only
// meaningful on a quiet machine.
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import lighthouse, { type Result } from 'lighthouse';
import { budgets, firstLoad } from './first-load.ts';
import { root } from './paths.ts';
import { freePort } from './ports.ts';
import { launchBrowser } from './testing/browser.ts';
import { withOwnProduct } from './testing/product.ts';

const pages = ['/', '/landing2', '/login', '/terms'];
const bytesMax = (path: string) => budgets[path]?.bytes ?? 0;
/** Runs of each page; the one with the median performance counts. */
const runs = Number(process.env.RUNS ?? 5);

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const scoresMin: Record<(typeof categories)[number], number> = {
  performance: 95,
  accessibility: 100,
  'best-practices': 100,
  seo: 100,
};

interface Measured {
  readonly path: string;
  readonly scores: Record<(typeof categories)[number], number>;
  /** Milliseconds. */
  readonly firstPaint: number;
  readonly largestPaint: number;
  readonly blocked: number;
  readonly shift: number;
  /** Of the scripts that hydrate the page (first-load.ts). */
  readonly firstScriptBytes: number;
  /** The size of all scripts, including headers. */
  readonly scriptBytes: number;
  readonly pageBytes: number;
  /** Audits below 0.9. */
  readonly faults: string[];
}

const loadBefore = loadavg()[0] ?? 0;
const measured = await withOwnProduct(({ config }) => measurePages(config.publicUrl));
await writeFile(join(root, 'docs/lighthouse.md'), report(measured));
const failures = measured.flatMap(failuresOf);
for (const page of measured) console.log(line(page), page.faults.join('; '));
for (const failure of failures) console.error(failure);
process.exit(failures.length === 0 ? 0 : 1);

async function measurePages(url: string): Promise<Measured[]> {
  const debuggingPort = await freePort();
  const browser = await launchBrowser(debuggingPort);
  try {
    const results: Measured[] = [];
    for (const path of pages) {
      const { bytes: firstScriptBytes } = await firstLoad(path);
      const attempts: Measured[] = [];
      for (let run = 0; run < runs; run += 1) {
        const result = await lighthouse(`${url}${path}`, { port: debuggingPort, logLevel: 'error' });
        if (!result) throw new Error(`Lighthouse gave no result for ${path}`);
        const attempt = { ...read(path, result.lhr), firstScriptBytes };
        attempts.push(attempt);
        console.log(`${run + 1}/${runs} ${line(attempt)}`);
      }
      attempts.sort((one, other) => one.scores.performance - other.scores.performance);
      const middle = attempts[Math.floor(attempts.length / 2)];
      if (middle) results.push(middle);
    }
    return results;
  } finally {
    await browser.close();
  }
}

function read(path: string, { audits, categories: scored }: Result): Omit<Measured, 'firstScriptBytes'> {
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const items = (audits['network-requests']?.details as { items?: { resourceType: string; transferSize: number }[] })
    ?.items;
  const bytes = (of: (type: string) => boolean) =>
    (items ?? []).filter(({ resourceType }) => of(resourceType)).reduce((sum, item) => sum + item.transferSize, 0);
  const costly = Object.values(scored).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
  return {
    path,
    scores: Object.fromEntries(
      categories.map((id) => [id, Math.round((scored[id]?.score ?? 0) * 100)]),
    ) as Measured['scores'],
    firstPaint: value('first-contentful-paint'),
    largestPaint: value('largest-contentful-paint'),
    blocked: value('total-blocking-time'),
    shift: value('cumulative-layout-shift'),
    scriptBytes: bytes((type) => type === 'Script'),
    pageBytes: bytes(() => true),
    faults: [...new Set(costly.map(({ id }) => id))].filter((id) => (audits[id]?.score ?? 1) < 0.9),
  };
}

function failuresOf({ path, scores, firstScriptBytes }: Measured): string[] {
  const low = categories.filter((id) => scores[id] < scoresMin[id]);
  return [
    ...low.map((id) => `${path}: ${id} is ${scores[id]}, required is at least ${scoresMin[id]}`),
    ...(firstScriptBytes > bytesMax(path)
      ? [`${path}: ${kilobytes(firstScriptBytes)} of scripts, allowed are at most ${kilobytes(bytesMax(path))}`]
      : []),
  ];
}

function line(page: Measured): string {
  const cells = [
    page.path,
    ...categories.map((id) => page.scores[id]),
    seconds(page.firstPaint),
    seconds(page.largestPaint),
    `${Math.round(page.blocked)} ms`,
    page.shift.toFixed(3),
    kilobytes(page.firstScriptBytes),
    kilobytes(page.scriptBytes),
    kilobytes(page.pageBytes),
  ];
  return `| ${cells.join(' | ')} |`;
}

function report(measuredPages: Measured[]): string {
  const processor = cpus()[0]?.model ?? 'unknown';
  const load = `${loadBefore.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after`;
  return `# Lighthouse

Written by \`npm run lighthouse\` (${new Date().toISOString().slice(0, 10)}): the production build as \`npm start\` serves it, Lighthouse's mobile
preset (simulated slow 4G, processor four times slower), of ${runs} runs per page the one with the median performance.
Machine: ${availableParallelism()} processors (${processor}), load ${load}: other work on it costs performance points.

| Page | Performance | Accessibility | Best practices | SEO | FCP | LCP | TBT | CLS | First scripts | All scripts | Everything |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
${measuredPages.map(line).join('\n')}

Bounds, beyond which the command fails: performance ${scoresMin.performance}, the other scores 100, first scripts ${kilobytes(bytesMax('/'))}.
First scripts are those that the page names in its HTML; a test of \`npm test\` holds them to their bound. "All scripts" adds what else
is loaded without an interaction (the fields of \`/login\`, the calculator where it is in view) and all headers. Live connection,
toasts and questions are loaded at the first user interaction.
`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
