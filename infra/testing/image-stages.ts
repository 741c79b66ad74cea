import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** The Dockerfile of the server images. */
export const dockerfile = read('infra/images/chasqui.Dockerfile');
/** What package-lock.json locks, by path. */
export const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };

interface LockedPackage {
  version: string;
  dev?: boolean;
  devOptional?: boolean;
}

/** An image as the Dockerfile describes it, with all that it takes over from the one it starts from. */
export interface Stage {
  /** Arguments of its COPY instructions. */
  copies: string[][];
  runs: string[];
  env: Record<string, string>;
  command: string[];
}

function readStages(): Record<string, Stage> {
  const stages: Record<string, Stage> = {};
  let stage: Stage = { copies: [], runs: [], env: {}, command: [] };
  for (const [, instruction, text = ''] of dockerfile.matchAll(/^([A-Z]+) (.*)$/gm)) {
    const words = text.split(' ');
    if (instruction === 'FROM') {
      const [base = '', , name = ''] = words;
      stage = structuredClone(stages[base] ?? { copies: [], runs: [], env: {}, command: [] });
      stages[name] = stage;
    }
    if (instruction === 'COPY') stage.copies.push(words);
    if (instruction === 'RUN') stage.runs.push(text);
    if (instruction === 'ENV') Object.assign(stage.env, Object.fromEntries([text.split('=')]));
    if (instruction === 'CMD') stage.command = JSON.parse(text);
  }
  return stages;
}

/** The stages of the Dockerfile, by name. */
export const stages = readStages();
