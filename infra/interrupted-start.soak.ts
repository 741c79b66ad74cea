import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished, test } from 'vitest';
import { freePort } from './ports.ts';
import { copyCheckout, type StartedProduct } from './testing/checkout.ts';
import { pick, seededRandom, soakSeed, within } from './testing/soak.ts';

const readyLine = 'Ctrl-C lo detiene todo.';
/** First starts that are interrupted: `START_INTERRUPTIONS`, or 20. */
const interruptions = Number(process.env.START_INTERRUPTIONS || 20);

/** Ways to interrupt a first start. */
const endings: Readonly<Record<string, (started: StartedProduct) => void>> = {
  'Ctrl-C': (started) => started.interrupt(),
  'a closed terminal': (started) => started.interrupt('SIGHUP'),
  'SIGKILL to all': (started) => started.interrupt('SIGKILL'),
  'SIGKILL to npm': ({ pid }) => process.kill(pid, 'SIGKILL'),
};

async function startFresh() {
  const checkout = await copyCheckout({ fresh: true });
  const [port, sandboxPort, smtpPort] = [await freePort(), await freePort(), await freePort()];
  const env = { PORT: String(port), SANDBOX_PORT: String(sandboxPort), SANDBOX_SMTP_PORT: String(smtpPort) };
  return { checkout, start: () => checkout.npmStart(env) };
}

async function stop(started: StartedProduct): Promise<void> {
  started.interrupt();
  await started.ended;
}

test(
  `starts after a first start that was interrupted at ${interruptions} random moments`,
  async () => {
    const random = seededRandom(soakSeed, 'interrupted starts');
    const whole = await startFresh();
    onTestFinished(() => whole.checkout.remove());
    const startedAt = Date.now();
    const first = whole.start();
    await first.prints(readyLine);
    const wholeMs = Date.now() - startedAt;
    await stop(first);
    console.log(`An uninterrupted first start takes ${Math.round(wholeMs / 1000)} s`);
    const failed: string[] = [];
    for (let count = 1; count <= interruptions; count += 1) {
      const ending = pick(random, Object.keys(endings));
      const afterMs = Math.round(within(random, [0, wholeMs]));
      const { checkout, start } = await startFresh();
      const interrupted = start();
      await delay(afterMs);
      endings[ending]?.(interrupted);
      if (ending !== 'SIGKILL to npm') await interrupted.ended;
      const again = start();
      const what = `${count}: ${ending} after ${(afterMs / 1000).toFixed(1)} s`;
      await again.prints(readyLine).then(
        () => console.log(`${what}: started`),
        (error: Error) => {
          failed.push(what);
          console.log(`${what}: FAILED after «${interrupted.output().slice(-300)}»`, error.message);
        },
      );
      await stop(again);
      await checkout.remove();
    }
    if (failed.length > 0) throw new Error(`${failed.length} of ${interruptions} did not start:\n${failed.join('\n')}`);
  },
  4 * 60 * 60_000,
);
