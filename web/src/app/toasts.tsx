import { Notifications } from '@mantine/notifications';

/** Where toasts appear, one at a time. */
export default function Toasts() {
  return <Notifications limit={1} position="top-right" zIndex={1000} />;
}
