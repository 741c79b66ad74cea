/**
 * Translators of browsers put the texts of a page into elements of their own, so that React later finds a text node somewhere else than it
 * put it: `removeChild` and `insertBefore` throw, and the page is gone (facebook/react#11538). Both then act on what stands in its
 * place.
 */
export function surviveTranslators(): void {
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    const inPlace = childHolding(this, child);
    if (inPlace) removeChild.call(this, inPlace);
    return child;
  };
  Node.prototype.insertBefore = function <Added extends Node>(this: Node, added: Added, before: Node | null): Added {
    return insertBefore.call(this, added, before && childHolding(this, before)) as Added;
  };
}

/** The child of a node that is this one, or that holds it; null when it is elsewhere. */
function childHolding(parent: Node, node: Node): ChildNode | null {
  let at: Node | null = node;
  while (at && at.parentNode !== parent) at = at.parentNode;
  return at as ChildNode | null;
}
