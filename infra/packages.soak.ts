import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { root } from './paths.ts';

test('npm run sbom lists every package of the servers, the web app and the tools, with its version', () => {
  const { scripts, dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [program, ...argv] = scripts.sbom.split(' ');
  const text = execFileSync(program, argv, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const bom = z
    .object({
      bomFormat: z.literal('CycloneDX'),
      components: z.array(z.object({ name: z.string(), version: z.string(), purl: z.string().startsWith('pkg:npm/') })),
    })
    .parse(JSON.parse(text));
  const listed = bom.components.map(({ name, version }) => `${name}@${version}`);
  expect(listed).toEqual(
    expect.arrayContaining(
      Object.entries({ ...dependencies, ...devDependencies })
        .filter(([, version]) => /^\d/.test(String(version)))
        .map(([name, version]) => `${name}@${version}`),
    ),
  );
});
