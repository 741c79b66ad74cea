import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { create } from 'zustand';
import { useLogout } from '../../data/session.ts';
import { paths } from '../../lib/paths.ts';

const useSigningOut = create<{ requested: boolean }>(() => ({ requested: false }));

/** Goes to the front page and signs out there. */
export function useLeave() {
  const navigate = useNavigate();
  return () => {
    useSigningOut.setState({ requested: true });
    void navigate(paths.home);
  };
}

/**
 * Signs out as soon as the front page is on screen. Not earlier: a guarded page that loses its session sends the person to the
 * login page, and the router shows the old page until the new one is ready.
 */
export function useSignOutOnFrontPage(): void {
  const { pathname } = useLocation();
  const { requested } = useSigningOut();
  const logout = useLogout();
  useEffect(() => {
    if (!requested || pathname !== paths.home) return;
    useSigningOut.setState({ requested: false });
    void logout();
  }, [requested, pathname, logout]);
}
