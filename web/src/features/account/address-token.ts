import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** What stands behind the "#" of the link in an e-mail. It is a secret: from here on this page alone has it, not the address bar. */
export function useTokenOfAddress(): string {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(hash.slice(1));
  useEffect(() => {
    if (!hash) return;
    setToken(hash.slice(1));
    void navigate(pathname, { replace: true });
  }, [hash, pathname, navigate]);
  return token;
}
