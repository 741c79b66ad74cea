import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { errorCode } from '../failure.ts';
import { sharedHome } from '../paths.ts';

/** A Chromium program and the environment it needs over ours. */
export interface ChromiumProgram {
  executablePath: string;
  env: Record<string, string>;
}

/** The pinned one that comes as an npm package, unpacked once, or the program that `CHROMIUM_PATH` names; both with the pinned font. */
export async function chromiumProgram(): Promise<ChromiumProgram> {
  const directory = await unpackedChromium();
  // Other fonts would change heights.
  const env = { FONTCONFIG_PATH: join(directory, 'fonts') };
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) return { executablePath: chosen, env };
  // The libraries (NSS and others) that a machine without a browser lacks.
  return {
    executablePath: join(directory, 'chromium'),
    env: { ...env, LD_LIBRARY_PATH: join(directory, 'al2023/lib') },
  };
}

/** Lets Chromium run as root, keep its web security, and send no background requests. */
const launchFlags = [
  // Intercepting requests instead would slow each one down and disable Chromium's cache.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

/** How Playwright starts the Chromium of all tests. */
export async function chromiumLaunchOptions() {
  const { executablePath, env } = await chromiumProgram();
  return { executablePath, args: launchFlags, env: { ...process.env, ...env } as Record<string, string> };
}

/** Version of the unpacked folder's layout; raise it to unpack again. */
const layout = 4;

/** The package's own configuration names folders that exist only on AWS Lambda. */
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** Renamed into place when complete: several test processes may come here at once. */
async function unpackedChromium(): Promise<string> {
  const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const directory = join(sharedHome, `chromium-${version}-${layout}`);
  if (existsSync(directory)) return directory;
  await mkdir(sharedHome, { recursive: true });
  const unfinished = await mkdtemp(`${directory}.`);
  const { TMPDIR } = process.env;
  try {
    // The package unpacks into the temporary folder, whichever that is at the moment.
    process.env.TMPDIR = unfinished;
    const { inflate } = await import('@sparticuz/chromium');
    const parts = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
    await Promise.all(parts.map((part) => inflate(join(packageFolder, 'bin', part))));
    await writeFile(join(unfinished, 'fonts', 'fonts.conf'), fontsConf);
    await rename(unfinished, directory);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!['EEXIST', 'ENOTEMPTY'].includes(errorCode(error) ?? '')) throw error;
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  return directory;
}
