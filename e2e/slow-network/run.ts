// `npm run slow-network`: how long a person on a phone waits at 400 kbit/s. Writes docs/slow-network.md; `-- --only=2,3` measures some of its
// sections and leaves the others. Fields are filled in at once, so that every second is one of waiting. Means something on a quiet machine only.
import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../../infra/build.ts';
import { root } from '../../infra/paths.ts';
import { launchBrowser } from '../../infra/testing/browser.ts';
import { withOwnProduct } from '../../infra/testing/product.ts';
import { adminsParts } from './admins.ts';
import { panelParts } from './panel.ts';
import { prepare } from './prepare.ts';
import { publicParts } from './public.ts';
import { sendingPart } from './sending.ts';
import { Journey, kilobitsPerSecond, type Part, roundTripMs, sectionOf } from './waits.ts';

const parts: readonly Part[] = [sendingPart, ...panelParts, ...publicParts, ...adminsParts];
const runs = Number(process.env.RUNS ?? 3);
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const only = values.only?.split(',');
const wanted = parts.filter(({ title }) => !only || only.some((number) => title.startsWith(`${number}.`)));

const file = join(root, 'docs/slow-network.md');
const known = new Map((await readFile(file, 'utf8')).split(/^(?=## )/m).map((text) => [titleOf(text), text]));

const failed: string[] = [];
await build({ log: console.log });
await withOwnProduct(
  async ({ config, database }) => {
    const browser = await launchBrowser();
    try {
      const product = await prepare(config, database.ownerUrl, browser);
      for (const part of wanted) {
        const loadBefore = loadavg()[0] ?? 0;
        const journeys: Journey[] = [];
        try {
          for (let run = 0; run < runs; run += 1) journeys.push(await Journey.take(part, product));
          known.set(part.title, sectionOf(part, journeys, loadBefore));
          console.log(known.get(part.title));
          await write();
        } catch (error) {
          // The others are still measured.
          failed.push(`${part.title}: ${error}`);
        }
      }
    } finally {
      await browser.close();
    }
  },
  { env: { HELP_WHATSAPP: '+591 70000000', SWEEP_SECONDS: '1' } },
);
for (const line of failed) console.error(line);
process.exit(failed.length === 0 ? 0 : 1);

/** The sections measured now and those from before. */
async function write(): Promise<void> {
  const head = `# On a slow network

Written by \`npm run slow-network\`: the production build as \`npm start\` serves it, a phone of 390 px, ${kilobitsPerSecond} kbit/s both ways with ${roundTripMs} ms for each
round trip. Sections 1, 7 and 8 begin with nothing stored in the browser; in the others the panel was open on it before. Fields are filled in
instantly: the times are pure waiting.
`;
  const sections = parts.flatMap(({ title }) => known.get(title)?.trimEnd().concat('\n') ?? []);
  await writeFile(file, [head, ...sections].join('\n'));
}

function titleOf(section: string): string {
  return /^## (.*)$/m.exec(section)?.[1] ?? '';
}
