import fc from 'fast-check';
import { seededRandom } from '../../infra/testing/soak.ts';
import { chooseNext, chooseStart } from './choose.ts';
import { type Command, lineOf, type Start } from './commands.ts';
import { type Ending, play } from './play.ts';
import type { World } from './world.ts';

/** Steps of one life. */
const steps = 22;
/** How long a life is shrunk that went wrong, in ms. */
const shrinkMsMax = 5 * 60_000;

/** Lives one random life of a transfer: the same one for the same seed. */
export async function live(world: World, seed: number): Promise<Ending & { readonly start: Start }> {
  const random = seededRandom(seed, 'life');
  const start = chooseStart(random);
  let left = steps;
  const ending = await play(world, start, async (situation) => {
    left -= 1;
    return left < 0 ? null : chooseNext(random, await situation());
  });
  return { start, ...ending };
}

/**
 * Runs the random lives of these seeds one after another. @throws an error with the first failing one, shrunk to a
 * minimal example.
 */
export async function liveAll(world: World, seeds: readonly number[]): Promise<void> {
  for (const seed of seeds) {
    const { start, commands, problems } = await live(world, seed);
    if (problems.length > 0) throw new Error(`seed ${seed}: ${await shrunk(world, start, commands, problems)}`);
  }
}

/** The shortest list of these commands that fast-check finds to go wrong, as lines of a scenario. */
async function shrunk(
  world: World,
  start: Start,
  commands: readonly Command[],
  found: readonly string[],
): Promise<string> {
  let [least, problems] = [commands, found];
  const property = fc.asyncProperty(fc.subarray([...commands]), async (some) => {
    const ending = await play(world, start, some);
    if (ending.problems.length === 0) return;
    [least, problems] = [some, ending.problems];
    throw new Error(problems.join('\n'));
  });
  await fc.check(property, { numRuns: 1, examples: [[[...commands]]], interruptAfterTimeLimit: shrinkMsMax });
  const kept = `${least.length} of ${commands.length} commands`;
  return [`${kept}, start: ${JSON.stringify(start)}`, ...least.map((one) => `  ${lineOf(one)},`), ...problems].join(
    '\n',
  );
}
