// `node infra/bootstrap.mjs infra/run-source.ts e2e/screenshots/email-screenshots.ts [beginning of a kind …]`: pictures of every e-mail
// in both languages, at 390 and 640 px, light and dark. They go to screenshots/, which git does not keep.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { locales } from '#core/locale/locale';
import { renderEmail } from '../../domain/emails/email-templates.ts';
import { root } from '../../infra/paths.ts';
import { launchBrowser } from '../../infra/testing/browser.ts';
import { company, emailSamples } from '../../testing/email-samples.ts';

const folder = join(root, 'screenshots');
const wanted = process.argv.slice(2);
const reader = { name: 'Julia', publicUrl: 'https://chasqui.test', company, token: 'A'.repeat(43) };

await mkdir(folder, { recursive: true });
const browser = await launchBrowser();
const page = await browser.newPage();
let taken = 0;
/** Two of each kind: a case or a reason more looks like another. */
const chosen = Object.entries(emailSamples)
  .filter(([kind]) => wanted.length === 0 || wanted.some((part) => kind.startsWith(part)))
  .flatMap(([kind, { data }]) =>
    data.slice(0, 2).map((one, index) => ({ kind, data: one, name: `email-${kind}-${index + 1}` })),
  );
for (const { kind, data, name } of chosen) {
  for (const locale of locales) {
    const { html } = await renderEmail(kind, data, { ...reader, locale });
    await page.setContent(html);
    for (const width of [390, 640]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 600 });
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: join(folder, `${name}.${locale}.${width}.${colorScheme}.png`), fullPage: true });
        taken += 1;
      }
    }
  }
}
await browser.close();
console.log(`${taken} pictures in ${folder}`);
