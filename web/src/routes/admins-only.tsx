import type { ClientLoaderFunctionArgs } from 'react-router';
import { Guard, loadSession } from '../features/shell/guard.tsx';

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) => loadSession(request);

/** Pages keep themselves up to date: asking again is no matter of navigation. */
export const shouldRevalidate = () => false;

/** Around the pages of admins. */
export default function AdminsOnly() {
  return <Guard admin={true} />;
}
