import { build } from '../build.ts';

/** Vitest's global set-up of the tests that run the built product. */
export default async function setup() {
  await build({ log: console.log });
}
