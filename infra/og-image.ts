// `npm run og-image`: renders web/public/preview.png, the picture that goes with a shared address (og:image).
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './paths.ts';
import { launchBrowser } from './testing/browser.ts';

const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.goto(pathToFileURL(join(root, 'web/preview/preview.html')).href);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.screenshot({ path: join(root, 'web/public/preview.png') });
} finally {
  await browser.close();
}
