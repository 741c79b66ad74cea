import { notifications } from '@mantine/notifications';

const shownMs = 5000;

/** Takes the toast away, where something more important opens. */
export function clearToasts(): void {
  notifications.cleanQueue();
  notifications.clean();
}

const errorId = 'error';

/** Takes an error away whose cause is being mended, as when a field is filled in. */
export function clearError(): void {
  notifications.hide(errorId);
}

function show(color: string, title: string, message: string, ms: number) {
  // One toast at a time: a new one takes the place of the last instead of waiting behind it.
  clearToasts();
  const id = color === 'red' ? { id: errorId } : {};
  notifications.show({ ...id, color, title, message, autoClose: ms, withBorder: true });
}

/** Something went well. */
export const toastDone = (title: string, message: string, ms = shownMs) => show('green', title, message, ms);

/** Something went wrong; the message says what to do next. */
export const toastError = (title: string, message: string, ms = shownMs) => show('red', title, message, ms);
