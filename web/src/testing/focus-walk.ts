// What a walk by keyboard looks at, in the page: component tests call it, and journeys hand it to their page, so that each function
// stands by itself.

/** What a walk by keyboard found wrong: controls by the beginning of their HTML. */
export interface Walk {
  /** Their focus cannot be seen: no ring, or something lies over them. */
  readonly hidden: readonly string[];
  /** They had the focus and are no part of what was walked through. */
  readonly strayed: readonly string[];
  /** They never had the focus. */
  readonly missed: readonly string[];
}

/** A walk on which everything was well. */
export const wellWalked: Walk = { hidden: [], strayed: [], missed: [] };

const stepsMax = 300;

/**
 * Goes on from the control that has the focus to the last of what is walked through.
 * @param look calls `lookAtFocus` in the page
 * @param next presses Tab
 * @param miss calls `findMissed` in the page, at the end
 */
export async function walk(
  look: () => Promise<ReturnType<typeof lookAtFocus>> | ReturnType<typeof lookAtFocus>,
  next: () => Promise<void>,
  miss: () => Promise<string[]> | string[],
): Promise<Walk> {
  const hidden: string[] = [];
  const strayed: string[] = [];
  for (let step = 0; step < stepsMax; step += 1) {
    const seen = await look();
    if (!seen) break;
    if (!seen.visible) hidden.push(seen.name);
    if (!seen.inside) strayed.push(seen.name);
    await next();
  }
  return { hidden, strayed, missed: await miss() };
}

/** The control that has the focus, if it is one that did not have it before; `within` is a selector of what is walked through. */
export function lookAtFocus(within: string): { name: string; visible: boolean; inside: boolean } | null {
  let control = document.activeElement;
  const inside = control?.closest(within) != null;
  // Some fields have a tree of their own.
  while (control?.shadowRoot?.activeElement) control = control.shadowRoot.activeElement;
  // The card provider's are in a frame, which keeps the focus for several stops and shows it by itself.
  if (control instanceof HTMLIFrameElement) return { name: control.name, visible: true, inside };
  if (!(control instanceof HTMLElement || control instanceof SVGElement) || control === document.body) return null;
  // Day, month and year of a date are three stops in one field.
  if (control.dataset.tabbed && !control.matches('[type=date]')) return null;
  control.dataset.tabbed = 'true';
  // Some controls lend their look to a neighbour: a switch its track, a choice its label.
  const lookalikes = [control, control.parentElement, control.nextElementSibling].filter((element) => element !== null);
  const ring = lookalikes.some((element) => {
    const style = getComputedStyle(element);
    return (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
  });
  const { left, top, width, height } = control.getBoundingClientRect();
  const tree = control.getRootNode() as Document | ShadowRoot;
  const above = tree.elementFromPoint(left + width / 2, top + height / 2);
  const bare = lookalikes.some((element) => element.contains(above));
  const visible = bare && (ring || control.matches('input, textarea, select'));
  return { name: control.outerHTML.slice(0, 120), visible, inside };
}

/** The controls that were never looked at and should have been. */
export function findMissed(within: string): string[] {
  return [...document.querySelectorAll<HTMLElement>(`${within} :is(a[href], button, input, select, textarea)`)]
    .filter(
      (control) =>
        !control.dataset.tabbed && control.tabIndex >= 0 && control.checkVisibility({ visibilityProperty: true }),
    )
    .filter((control) => !control.matches(':disabled, [inert] *, [type=radio]:not(:checked)'))
    .map((control) => control.outerHTML.slice(0, 120));
}
