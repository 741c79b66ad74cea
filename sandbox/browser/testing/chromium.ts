/** A Chromium for tests, from npm: no browser need be installed. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packed, { inflate, setupLambdaEnvironment } from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

export async function launchBrowser(): Promise<Browser> {
  const packedLibraries = new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'));
  await inflate(packedLibraries.pathname);
  setupLambdaEnvironment(join(tmpdir(), 'al2023', 'lib'));
  // Not the package's own arguments: they switch the browser's security off, and with it what we want to see working.
  return chromium.launch({ executablePath: await packed.executablePath(), args: ['--no-sandbox', '--disable-gpu'] });
}
