import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Keeps the files of the build before in `client`, beside those of the build that just ended: a page that was opened before a
 * deployment can still load its parts. `kept` holds the files of the last build alone, so that older ones go.
 */
export async function keepAssetsOfLastBuild({ client, kept }: { client: string; kept: string }): Promise<void> {
  const assets = join(client, 'assets');
  const own = await readdir(assets);
  const last = await readdir(kept).catch(() => []);
  const gone = last.filter((file) => !own.includes(file));
  // The same build again: what was kept stays kept with it.
  const isSame = gone.length === 0 && own.length === last.length;
  const older = join(kept, '..', 'kept-assets-before');
  if (!isSame) {
    await rm(older, { recursive: true, force: true });
    await mkdir(older, { recursive: true });
    for (const file of gone) await cp(join(kept, file), join(older, file));
    await rm(kept, { recursive: true, force: true });
    await mkdir(kept, { recursive: true });
    for (const file of own) await cp(join(assets, file), join(kept, file));
  }
  for (const file of await readdir(older).catch(() => [])) await cp(join(older, file), join(assets, file));
}
