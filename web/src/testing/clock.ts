import { vi } from 'vitest';

/**
 * Stops the timers and the date of the page, until the end of the test (component.setup.ts): from here on only `pass` and
 * `passUntil` advance them, so that a busy machine does not count as time.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  // Each try of a poll would advance it.
  vi.spyOn(vi, 'isFakeTimers').mockReturnValue(false);
}

/** Advances a stopped clock by `ms`, in steps between which the page is painted. */
export async function pass(ms: number): Promise<void> {
  const stepMs = Math.max(100, ms / 20);
  for (let passed = 0; passed < ms; passed += stepMs) {
    await vi.advanceTimersByTimeAsync(Math.min(stepMs, ms - passed));
    await new Promise((painted) => requestAnimationFrame(painted));
  }
}

/** Advances a stopped clock as little as possible until something is there, for what also waits for the network. */
export async function passUntil<Found>(find: () => Found | null): Promise<Found> {
  for (;;) {
    const found = find();
    if (found !== null) return found;
    await vi.advanceTimersByTimeAsync(1);
    // Answers come in messages, which no stopped clock holds up.
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve();
      port2.postMessage(null);
    });
  }
}
