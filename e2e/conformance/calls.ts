import type { Page } from 'playwright-core';
import { saw } from '../../infra/testing/conformance/coverage.ts';
import { type RowId, specification } from '../../infra/testing/conformance/specification.ts';

/** A path with placeholders, as a pattern for whole paths. */
const patternOf = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

const known = (Object.keys(specification.call) as (keyof typeof specification.call)[]).map((name) => {
  const [method = '', path = ''] = name.split(' ');
  return { id: `call ${name}` satisfies RowId, method, pattern: patternOf(path) };
});

const watched = new WeakSet<Page>();

/**
 * Records every call of section 7 that the page makes from now on and the server answers with success. Answers that a test
 * mocks do not count. Calling it again for the same page has no effect.
 */
export function recordCalls(page: Page): void {
  if (watched.has(page)) return;
  watched.add(page);
  page.on('response', async (response) => {
    const request = response.request();
    const { pathname } = new URL(request.url());
    const call = known.find(({ method, pattern }) => method === request.method() && pattern.test(pathname));
    if (!call || !response.ok()) return;
    // Mocked answers have no server address. The page may be closed by now.
    const server = await response.serverAddr().catch(() => null);
    if (server) saw(call.id);
  });
}
