import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);
const text = /\.(js|css|svg|html|webmanifest)$/;
/** Shorter ones gain nothing. */
const bytesMin = 256;

/** Puts a brotli copy beside every text file in and below a directory, made with the patience that a build has and an answer has not. */
export async function compressFiles(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  await Promise.all(
    entries
      .filter((entry) => entry.isFile() && text.test(entry.name))
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const bytes = await readFile(path);
        if (bytes.length < bytesMin) return;
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        await writeFile(`${path}.br`, await compress(bytes, { params }));
      }),
  );
}
