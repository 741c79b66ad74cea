import { useEffect } from 'react';
import { Outlet } from 'react-router';
import { noteStarted } from '../lib/storage.ts';

/** Around every page: when one breaks, its frame with the navigation stays. */
export default function Pages() {
  useEffect(noteStarted, []);
  return <Outlet />;
}

export { PageError as ErrorBoundary } from '../ui/page.tsx';
