import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lockCheckout } from './checkout-lock.ts';
import { errorLine, Failure } from './failure.ts';
import { root } from './places.ts';
import { makePlan, type Plan } from './plan.ts';
import { Supervisor } from './supervisor.ts';
import { say } from './terminal.ts';

/** One Ctrl-C arrives several times: from the terminal and through npm. A later one means "now". */
const sameSignalMs = 1_500;

/** What a command adds to the running product; its own processes end in `stop`. */
export interface Extra {
  start: (plan: Plan, supervisor: Supervisor) => Promise<void>;
  stop: () => Promise<void>;
  /** Lines for the person, when everything is ready. */
  announce: (plan: Plan) => string[];
}

/** Runs the product until a signal ends it; sets the exit code: 0 after a signal, 1 after a failure told in a sentence. */
export async function run(extra: Extra): Promise<void> {
  let supervisor: Supervisor | undefined;
  let unlock: (() => Promise<void>) | undefined;
  const asked = askedToStop(async () => {
    await supervisor?.kill();
    await unlock?.();
    process.exit(1);
  });
  try {
    if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'));
    const plan = makePlan(process.env);
    unlock = await lockCheckout();
    supervisor = new Supervisor(plan);
    const beyondHelp = new Promise<never>((_, reject) => {
      if (supervisor) supervisor.onFailure = reject;
    });
    beyondHelp.catch(() => {});
    const started = supervisor.start().then(() => (supervisor ? extra.start(plan, supervisor) : undefined));
    if ((await Promise.race([started.then(() => 'ready' as const), asked])) === 'ready') {
      for (const line of extra.announce(plan)) say(line);
      await Promise.race([asked, beyondHelp]);
    }
    say('\nDeteniendo Chasqui…');
    // A start that was interrupted must have come to rest before its processes can all be found.
    await Promise.all([supervisor.stop(), extra.stop(), started.catch(() => {})]);
    await supervisor.stop();
    say('Todo detenido.');
  } catch (error) {
    await Promise.all([supervisor?.stop(), extra.stop()]);
    console.error(`\n${error instanceof Failure ? error.message : `Algo inesperado falló: ${errorLine(error)}`}`);
    process.exitCode = 1;
  } finally {
    await unlock?.();
  }
  process.exit();
}

/** Resolves at the first signal; a second one a while later calls `insist`. */
function askedToStop(insist: () => Promise<void>): Promise<'stop'> {
  return new Promise((resolve) => {
    let first = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (first === 0) first = Date.now();
        else if (Date.now() - first > sameSignalMs) void insist();
        resolve('stop');
      });
    }
  });
}
