import { notifications } from '@mantine/notifications';

const shownMs = 5000;

/** How long a toast is shown in ms; `false`: until it is dismissed or another takes its place, for what concerns money or security. */
type Duration = number | false;

/** Takes the toast away, where something more important opens. */
export function clearToasts(): void {
  notifications.cleanQueue();
  notifications.clean();
}

let lastErrorId = '';

/** Takes an error away whose cause is being mended, as when a field is filled in. */
export function clearError(): void {
  notifications.hide(lastErrorId);
}

/** Each toast gets an id of its own: one with the id of another would disappear with it. */
function show(color: string, title: string, message: string, ms: Duration): string {
  // One toast at a time: a new one takes the place of the last instead of waiting behind it.
  clearToasts();
  return notifications.show({ color, title, message, autoClose: ms, withBorder: true });
}

/** Something went well. */
export function toastDone(title: string, message: string, ms = shownMs): void {
  show('green', title, message, ms);
}

/** Something went wrong; the message says what to do next. */
export function toastError(title: string, message: string, ms: Duration = shownMs): void {
  lastErrorId = show('red', title, message, ms);
}
