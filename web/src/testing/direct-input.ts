import { cdp, type Locator, locators, type UserEventClickOptions, type UserEventFillOptions } from 'vitest/browser';

// Playwright needs a dozen messages for a click and waits for two frames: a tenth of a second, several times in every test. What can be
// clicked or filled at once is, here, by the same trusted events; everything else is left to Playwright, which waits and explains.

const { click, fill } = Object.getPrototypeOf(locators.createElementLocators(document.body).getByTestId('')) as Locator;

locators.extend({
  async click(this: Locator, options?: UserEventClickOptions) {
    if (options || !(await clickAtOnce(this))) await click.call(this, options);
  },
  async fill(this: Locator, text: string, options?: UserEventFillOptions) {
    if (options || !fillAtOnce(this, text)) await fill.call(this, text, options);
  },
} as object);

/** Presses the mouse in the middle of an element. @returns whether the element received the press; if not, nothing did */
async function clickAtOnce(locator: Locator): Promise<boolean> {
  const element = onlyElement(locator);
  if (!element) return false;
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const within = (target: EventTarget | null) => target instanceof Node && element.contains(target);
  if (!within(document.elementFromPoint(x, y))) return false;
  let received: boolean | undefined;
  // The page may move between the look at it and the press.
  const guard = (event: Event) => {
    received ??= within(event.target);
    if (received) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  const events = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'];
  for (const event of events) window.addEventListener(event, guard, true);
  await pressAt(x, y);
  for (const event of events) window.removeEventListener(event, guard, true);
  return received ?? false;
}

/** A press of the mouse at a place of this frame, whose page may be shown smaller than it is. */
async function pressAt(x: number, y: number): Promise<void> {
  const frame = window.frameElement?.getBoundingClientRect() ?? { left: 0, top: 0, width: innerWidth };
  const scale = frame.width / innerWidth;
  const place = { x: frame.left + x * scale, y: frame.top + y * scale };
  const press = { ...place, button: 'left', clickCount: 1 } as const;
  const send = cdp().send.bind(cdp());
  await Promise.all([
    send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...place }),
    send('Input.dispatchMouseEvent', { type: 'mousePressed', ...press, buttons: 1 }),
    send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...press }),
  ]);
}

/** Replaces what is in a field of text as typing over it does. @returns whether it could at once */
function fillAtOnce(locator: Locator, text: string): boolean {
  const field = onlyElement(locator);
  const isText =
    field instanceof HTMLTextAreaElement ||
    (field instanceof HTMLInputElement && ['text', 'email', 'tel', 'password', 'search'].includes(field.type));
  if (!isText || field.readOnly) return false;
  field.focus();
  field.select();
  document.execCommand(text ? 'insertText' : 'delete', false, text);
  return true;
}

/** The element, if there is exactly one, shown and not switched off. */
function onlyElement(locator: Locator): Element | undefined {
  const [element, second] = locator.elements();
  const isReady =
    element?.checkVisibility({ visibilityProperty: true }) && !element.closest(':disabled, [aria-disabled=true]');
  return isReady && !second ? element : undefined;
}
