/** Starts the simulated list service alone, for tests of code that checks names. */
import { watchmanRouter } from '../watchman/routes.ts';
import { TestSimulator } from './test-simulator.ts';

export class TestWatchman extends TestSimulator {
  private constructor() {
    super({});
  }

  static async start(): Promise<TestWatchman> {
    const watchman = new TestWatchman();
    await watchman.serve('/watchman', watchmanRouter(watchman.context));
    return watchman;
  }

  /** The product's variables for this service. */
  get env() {
    return { WATCHMAN_URL: `${this.origin}/watchman` };
  }
}

/** Starts a list service on a free port. */
export function startWatchman(): Promise<TestWatchman> {
  return TestWatchman.start();
}
