import { afterEach, expect } from 'vitest';

let logged: string[] = [];

for (const level of ['error', 'warn'] as const) {
  const write = console[level];
  console[level] = (...parts: unknown[]) => {
    logged.push(parts.map(String).join(' '));
    write(...parts);
  };
}

/**
 * Fails every test of the file during which the page logs an error or a warning that the test does not expect. Called by the
 * set-up of component tests.
 */
export function failOnConsoleErrors(): void {
  afterEach(() => {
    const unexpected = logged;
    logged = [];
    expect(unexpected, 'errors and warnings that the page logged').toEqual([]);
  });
}

/** Waits until the page has logged an error or a warning that matches, and accepts it. */
export async function expectLogged(pattern: RegExp): Promise<void> {
  await expect.poll(() => logged).toContainEqual(expect.stringMatching(pattern));
  logged = logged.filter((line) => !pattern.test(line));
}
