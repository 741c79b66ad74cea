import { useNavigate } from 'react-router-dom';
import { paths } from '../../lib/paths.ts';
import { useLogout } from '../../lib/session.ts';

/** Signs out and goes to the front page. */
export function useLeave() {
  const logout = useLogout();
  const navigate = useNavigate();
  return async () => {
    // Away from guarded pages first: they would otherwise send the person to the login page.
    await navigate(paths.home);
    await logout();
  };
}
