/**
 * Browser translators wrap text nodes in elements, so React's `removeChild` and `insertBefore` throw and the page disappears
 * (facebook/react#11538). Makes both act on the wrapping element instead.
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

/** The child of `parent` that is or contains `node`, or null. */
function childHolding(parent: Node, node: Node): ChildNode | null {
  let at: Node | null = node;
  while (at && at.parentNode !== parent) at = at.parentNode;
  return at as ChildNode | null;
}
