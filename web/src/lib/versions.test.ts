import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NewestViews, type Pages, prependToPages, replaceInPages } from './versions.ts';

interface View {
  id: string;
  version: number;
}

const listOf = (...items: View[]): Pages<View> => ({ pages: [{ items, nextCursor: null }], pageParams: [''] });

describe('NewestViews', () => {
  it('the newest view is the highest version seen, in whatever order and how often views arrive', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (versions) => {
        const views = new NewestViews<View>();
        let highest = 0;
        for (const version of versions) {
          highest = Math.max(highest, version);
          expect(views.newest({ id: 'a', version }).version).toBe(highest);
        }
      }),
    );
  });

  it('the newest view is a push that overtook the answer to an older request', () => {
    const views = new NewestViews<View>();
    const push = views.newest({ id: 'a', version: 3 });
    expect(views.newest({ id: 'a', version: 2 })).toBe(push);
  });

  it('the views not seen for longest are forgotten, and only those', () => {
    const views = new NewestViews<View>(2);
    for (const id of ['a', 'b', 'a', 'c']) views.newest({ id, version: 5 });
    expect(views.newest({ id: 'a', version: 1 }).version).toBe(5);
    expect(views.newest({ id: 'b', version: 1 }).version).toBe(1);
  });
});

describe('lists in the cache', () => {
  it('a cached list replaces an older version of a row and leaves a newer one', () => {
    const list = listOf({ id: 'a', version: 2 }, { id: 'b', version: 1 });
    expect(replaceInPages(list, { id: 'a', version: 3 })?.pages[0]?.items[0]).toEqual({ id: 'a', version: 3 });
    expect(replaceInPages(list, { id: 'a', version: 1 })?.pages[0]?.items[0]).toEqual({ id: 'a', version: 2 });
  });

  it('a cached list says when it does not hold a row, and puts new ones on top', () => {
    const list = listOf({ id: 'a', version: 2 });
    expect(replaceInPages(list, { id: 'z', version: 1 })).toBeNull();
    expect(prependToPages(list, { id: 'z', version: 1 }).pages[0]?.items.map((item) => item.id)).toEqual(['z', 'a']);
  });
});
