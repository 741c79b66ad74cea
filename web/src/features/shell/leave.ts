import { useNavigate } from 'react-router';
import { useLogout } from '../../data/session.ts';
import { paths } from '../../lib/paths.ts';

/**
 * Signs out, then goes to the front page. In this order: going there loads a file, and where that does not come the router reloads
 * the page that was left.
 */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate();
  const logout = useLogout();
  return async () => {
    if (await logout()) await navigate(paths.home, { replace: true });
  };
}
