// `npm run screenshots [-- beginning of a name …]`: pictures of every screen and important state, at 390 and 1280 px,
// light and dark, of the product as `npm start` runs it, filled with demonstration data. They go to screenshots/, which
// git does not keep; `npm run screenshots -- readme` retakes those of the README, `--english` shows the pages in
// English.
import { join } from 'node:path';
import { build } from '../../infra/build.ts';
import { root } from '../../infra/paths.ts';
import { launchBrowser } from '../../infra/testing/browser.ts';
import { type OwnProduct, withOwnProduct } from '../../infra/testing/product.ts';
import { accountScreenshots } from './account-screenshots.ts';
import { adminScreenshots } from './admin-screenshots.ts';
import { booksScreenshots } from './books-screenshots.ts';
import { createDemoData, demoEnv, seedHistory } from './demo-data.ts';
import { deskScreenshots } from './desk-screenshots.ts';
import { faultScreenshots } from './fault-screenshots.ts';
import { paymentScreenshots } from './payment-screenshots.ts';
import { publicScreenshots } from './public-screenshots.ts';
import { readmeScreenshots } from './readme-screenshots.ts';
import type { Screenshot } from './screenshot.ts';
import { ScreenshotWriter } from './screenshot-writer.ts';
import { senderScreenshots } from './sender-screenshots.ts';
import { webhookScreenshots } from './webhook-screenshots.ts';

const folder = join(root, 'screenshots');
/** Those that only read the demonstration data come before those that pay and so change it. */
const screenshots: readonly Screenshot[] = [
  ...publicScreenshots,
  ...adminScreenshots,
  ...senderScreenshots,
  ...accountScreenshots,
  ...faultScreenshots,
  ...paymentScreenshots,
  ...deskScreenshots,
  ...booksScreenshots,
  ...webhookScreenshots,
];
const atOnce = 2;

const language = process.argv.includes('--english') ? 'en' : 'es';
const wanted = process.argv.slice(2).filter((part) => part !== '--english');
const chosen =
  wanted.length === 0
    ? screenshots
    : [...screenshots, readmeScreenshots].filter(({ name }) => wanted.some((part) => name.startsWith(part)));
if (chosen.length === 0) {
  console.error(`No screenshot has that name. There are: ${screenshots.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}
await build({ log: console.log });
const failed = await withOwnProduct(takeAll, { env: demoEnv, prepare: seedHistory });
for (const line of failed) console.error(line);
process.exit(failed.length === 0 ? 0 : 1);

async function takeAll(product: OwnProduct): Promise<string[]> {
  const demo = await createDemoData(product);
  const browser = await launchBrowser();
  const problems: string[] = [];
  try {
    const writer = await ScreenshotWriter.open(browser, folder, language);
    const left = [...chosen];
    const work = async () => {
      for (let screenshot = left.shift(); screenshot; screenshot = left.shift()) {
        await screenshot
          .take({ writer, demo })
          .catch((error: Error) => problems.push(`${screenshot?.name}: ${error.message}`));
        console.log(screenshot.name);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    console.log(`${writer.taken} pictures in ${folder}`);
  } finally {
    await browser.close();
  }
  return problems;
}
