import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepAssetsOfLastBuild } from './kept-assets.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'chasqui-assets-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

/** Builds anew, as Vite does: the folder of the files is emptied first. Returns what is served afterwards. */
async function build(...files: string[]): Promise<string[]> {
  const client = join(directory, 'client');
  await rm(client, { recursive: true, force: true });
  await mkdir(join(client, 'assets'), { recursive: true });
  for (const file of files) await writeFile(join(client, 'assets', file), file);
  await keepAssetsOfLastBuild({ client, kept: join(directory, 'kept-assets') });
  return (await readdir(join(client, 'assets'))).sort();
}

test('a build serves the files of the build before as well, and none that are older', async () => {
  expect(await build('a-1.js', 'b-1.js')).toEqual(['a-1.js', 'b-1.js']);
  expect(await build('a-2.js', 'b-1.js')).toEqual(['a-1.js', 'a-2.js', 'b-1.js']);
  expect(await build('a-3.js', 'b-1.js')).toEqual(['a-2.js', 'a-3.js', 'b-1.js']);
});

test('building the same again keeps what the build before had', async () => {
  await build('a-1.js');
  await build('a-2.js');
  expect(await build('a-2.js')).toEqual(['a-1.js', 'a-2.js']);
});
