/**
 * Checks JSON against the SDK's own types with the TypeScript compiler: each value becomes an object literal that must
 * satisfy its type, so missing fields, unknown fields and wrong values are compile errors. The SDK leaves its enums
 * open (`| OtherString`); here they are closed.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface Sample {
  /** A type expression over `Stripe`, as `Stripe.Charge`. */
  type: string;
  value: unknown;
}

const require = createRequire(import.meta.url);

const CONFIG = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  },
  files: ['samples.ts'],
};

async function compiler(): Promise<string> {
  const manifest = require.resolve('typescript-native/package.json');
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { bin: Record<string, string> };
  return join(dirname(manifest), bin.tsc ?? 'bin/tsc');
}

/** The SDK's declarations with closed enums, in `folder/stripe`. */
async function copyDeclarations(folder: string): Promise<void> {
  const source = join(dirname(dirname(require.resolve('stripe'))), 'esm');
  const target = join(folder, 'stripe');
  const declarations = (path: string) => !/\.[a-z]+$/.test(path) || path.endsWith('.d.ts');
  await cp(source, target, { recursive: true, filter: declarations });
  await writeFile(join(target, 'package.json'), '{"type": "module"}');
  const shared = join(target, 'shared.d.ts');
  const text = await readFile(shared, 'utf8');
  const closed = text.replace(/export type OtherString = [^;]+;/, 'export type OtherString = never;');
  if (closed === text) throw new Error('The SDK no longer declares OtherString where it used to');
  await writeFile(shared, closed);
}

function sourceOf(samples: Sample[]): string {
  const lines = samples.map(({ type, value }) => `(${JSON.stringify(value)}) satisfies ${type.replaceAll('\n', ' ')};`);
  // One line per sample: the line number of an error names its sample.
  return `import type Stripe from './stripe/stripe.esm.node.js';\n${lines.join('\n')}\n`;
}

/**
 * Checks samples that have their type, together with some that have not, which show that the check works: one run of the compiler for both.
 * `unexpected`: the compiler's errors about the first, each with the beginning of its sample. `unreported`: indexes of the second without one.
 */
export async function typeErrors(
  right: readonly Sample[],
  wrong: readonly Sample[],
): Promise<{ unexpected: string[]; unreported: number[] }> {
  const lines = await compileErrors([...right, ...wrong]);
  const found = lines.map((line) => ({ line, index: Number.parseInt(line, 10) }));
  const reported = new Set(found.map(({ index }) => index));
  return {
    // One without an index is about no sample: the check itself failed.
    unexpected: found
      .filter(({ index }) => !(index >= right.length))
      .map(({ line, index }) => `${line} <- ${JSON.stringify(right[index]?.value)?.slice(0, 300)}`),
    unreported: [...wrong.keys()].filter((index) => !reported.has(right.length + index)),
  };
}

/** The compiler's errors, one line each, prefixed with the sample's index. */
async function compileErrors(samples: Sample[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-contract-'));
  try {
    await copyDeclarations(folder);
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
    await writeFile(join(folder, 'samples.ts'), sourceOf(samples));
    const command = [await compiler(), '-p', folder, '--pretty', 'false'];
    const { stdout } = await promisify(execFile)(process.execPath, command, { maxBuffer: 1 << 26 }).catch((error) => {
      if (typeof error.stdout === 'string' && error.stdout !== '') return { stdout: error.stdout as string };
      throw error;
    });
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/^.*samples\.ts\((\d+),\d+\): /, (_, at) => `${Number(at) - 2}: `));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
