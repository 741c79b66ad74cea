import type { Page } from 'playwright-core';
import { record, runningTest } from './reached.ts';
import { type RowId, specification } from './specification.ts';

/** A path with placeholders, as a pattern for whole paths. */
const patternOf = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

const known = (Object.keys(specification.call) as (keyof typeof specification.call)[]).map((name) => {
  const [method = '', path = ''] = name.split(' ');
  return { id: `call ${name}` satisfies RowId, method, pattern: patternOf(path) };
});

const watched = new WeakSet<Page>();

/**
 * Records every call of section 7 that the page makes from now on and our server answers with success. Answers that a
 * test plays itself do not count. Several times for the same page is once.
 */
export function recordCalls(page: Page): void {
  if (watched.has(page)) return;
  watched.add(page);
  const test = runningTest();
  page.on('response', async (response) => {
    const request = response.request();
    const { pathname } = new URL(request.url());
    const call = known.find(({ method, pattern }) => method === request.method() && pattern.test(pathname));
    if (!call || !response.ok()) return;
    // Nobody's address: answered by the test. The page may be gone by now, and with it the question.
    const server = await response.serverAddr().catch(() => null);
    if (server) record([{ ...test, id: call.id, byTheWay: true }]);
  });
}
