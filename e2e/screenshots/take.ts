// `npm run screenshots [-- beginning of a name …]`: pictures of every screen and important state, at 390 and 1280 px, light and dark,
// of the product as `npm start` runs it, filled with people who use it. They go to screenshots/, which git does not keep;
// `npm run screenshots -- readme` takes those of the README anew.
import { join } from 'node:path';
import { build } from '../../infra/build.ts';
import { root } from '../../infra/places.ts';
import { launchBrowser } from '../../infra/testing/browser.ts';
import { type OwnProduct, withOwnProduct } from '../../infra/testing/product.ts';
import { adminScenes } from './admin-scenes.ts';
import { Camera } from './camera.ts';
import { demoEnv, livePresent, tellThePast } from './demo.ts';
import { paymentScenes } from './payment-scenes.ts';
import { publicScenes } from './public-scenes.ts';
import { readmeScene } from './readme-scene.ts';
import type { Scene } from './scene.ts';
import { senderScenes } from './sender-scenes.ts';

const folder = join(root, 'screenshots');
/** Those that read what the demonstration holds come before those that pay and so change it. */
const scenes: readonly Scene[] = [...publicScenes, ...adminScenes, ...senderScenes, ...paymentScenes];
const atOnce = 2;

const wanted = process.argv.slice(2);
const chosen =
  wanted.length === 0
    ? scenes
    : [...scenes, readmeScene].filter(({ name }) => wanted.some((part) => name.startsWith(part)));
if (chosen.length === 0) {
  console.error(`No scene is called so. There are: ${scenes.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}
await build({ log: console.log });
const failed = await withOwnProduct(takeAll, { env: demoEnv, prepare: tellThePast });
for (const line of failed) console.error(line);
process.exit(failed.length === 0 ? 0 : 1);

async function takeAll(product: OwnProduct): Promise<string[]> {
  const demo = await livePresent(product);
  const browser = await launchBrowser();
  const problems: string[] = [];
  try {
    const camera = await Camera.open(browser, folder);
    const left = [...chosen];
    const work = async () => {
      for (let scene = left.shift(); scene; scene = left.shift()) {
        await scene.play({ camera, demo }).catch((error: Error) => problems.push(`${scene?.name}: ${error.message}`));
        console.log(scene.name);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    console.log(`${camera.taken} pictures in ${folder}`);
  } finally {
    await browser.close();
  }
  return problems;
}
