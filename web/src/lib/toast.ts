import { notifications } from '@mantine/notifications';

const shownMs = 5000;

/** Takes the toast away, where something more important opens. */
export function clearToasts(): void {
  notifications.cleanQueue();
  notifications.clean();
}

function show(color: string, title: string, message: string, ms: number) {
  // One toast at a time: a new one takes the place of the last instead of waiting behind it.
  clearToasts();
  notifications.show({ color, title, message, autoClose: ms, withBorder: true });
}

/** Something went well. */
export const toastDone = (title: string, message: string, ms = shownMs) => show('green', title, message, ms);

/** Something went wrong; the message says what to do next. */
export const toastError = (title: string, message: string, ms = shownMs) => show('red', title, message, ms);
