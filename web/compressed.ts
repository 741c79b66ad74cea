import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** Below this a smaller file is not worth the second one; in bytes. */
const worthBytes = 1000;
const encoders = { br: promisify(brotliCompress), gz: promisify(gzip) };

/** Leaves every script and style beside itself in compressed form, as hard as it goes: the api only has to choose. */
export function compressed(): Plugin {
  let folder = '';
  return {
    name: 'compressed',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir, config.build.assetsDir);
    },
    async closeBundle() {
      const names = (await readdir(folder)).filter((name) => /\.(js|css)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const text = await readFile(join(folder, name));
          if (text.length < worthBytes) return;
          for (const [ending, encode] of Object.entries(encoders)) {
            await writeFile(join(folder, `${name}.${ending}`), await encode(text));
          }
        }),
      );
    },
  };
}
