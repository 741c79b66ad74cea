import { Center, Loader } from '@mantine/core';
import { Outlet, ScrollRestoration, useNavigation } from 'react-router-dom';
import { useHashTarget } from '../features/shell/hash-target.ts';
import { Shell } from '../features/shell/shell.tsx';

/** The frame of every page. */
export function Layout() {
  const navigation = useNavigation();
  useHashTarget();
  return (
    <Shell>
      <ScrollRestoration />
      <div aria-busy={navigation.state !== 'idle'}>
        <Outlet />
      </div>
    </Shell>
  );
}

/** Stands in while a page's own file is on its way. */
export function PageLoading() {
  return (
    <Center mih="50vh" role="status" aria-label="Cargando">
      <Loader />
    </Center>
  );
}
