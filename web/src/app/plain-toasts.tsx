import { useNotifications } from '@mantine/notifications';

/** Toasts without look or motion, for when the file that shows them did not come: no message may be lost with it. */
export function PlainToasts() {
  return (
    <div className="cq-plain-toasts" role="alert">
      {useNotifications().notifications.map(({ id, title, message }) => (
        <p key={id}>
          <strong>{title}</strong> {message}
        </p>
      ))}
    </div>
  );
}
